package io.kairos.engine.delay.port;

import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;

/** A message that has been held longer than the hold time, and by whom. */
public record LongHeldMessage(RouteId route, MessageId id, Fence fence) {}
