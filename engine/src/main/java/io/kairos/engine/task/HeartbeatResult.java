package io.kairos.engine.task;

import io.kairos.engine.task.port.Beat;
import io.kairos.engine.task.port.Holder;
import org.jspecify.annotations.Nullable;

/**
 * What a heartbeat did for one task.
 *
 * @param holder of a task that is lost, who has it now; null when nobody does or the store could
 *     not say
 */
public record HeartbeatResult(Beat beat, @Nullable Holder holder) {}
