package io.kairos.engine.task.port;

import io.kairos.domain.task.QueueLimit;

/**
 * A queue that is limited.
 *
 * @param running tasks of it that workers perform
 */
public record QueueUse(QueueLimit limit, int running) {}
