package io.kairos.engine.task.port;

import io.kairos.domain.task.TaskId;

/**
 * Which task stands for one that arrived.
 *
 * @param duplicate it had been stored before, under this id
 * @param onQueue it is on its queue, in the memory of this node, with fence 1
 */
public record Receipt(TaskId id, boolean duplicate, boolean onQueue) {}
