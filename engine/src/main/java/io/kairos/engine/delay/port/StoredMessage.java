package io.kairos.engine.delay.port;

import io.kairos.domain.task.queue.MessageOutput;
import org.jspecify.annotations.Nullable;

/**
 * A stored message without its payload.
 *
 * @param output null for the route's own
 * @param isReady true while a node holds it
 */
public record StoredMessage(long dueMicros, @Nullable MessageOutput output, boolean isReady) {}
