package io.kairos.engine.task.edge;

import io.kairos.engine.task.port.HeartbeatFinding;
import io.kairos.engine.task.port.TaskHolder;
import org.jspecify.annotations.Nullable;

/**
 * The result of a heartbeat for one task.
 *
 * @param holder the present holder of a lost task; null when it has none or the store did not
 *     answer
 */
public record HeartbeatResult(HeartbeatFinding beat, @Nullable TaskHolder holder) {}
