package io.kairos.engine.delay.memory;

import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import io.kairos.engine.delay.port.ClaimedMessage;

/** Identity of a message among those of all routes. */
public record MessageKey(RouteId route, MessageId id) {
  public static MessageKey of(ClaimedMessage claimed) {
    return new MessageKey(claimed.message().route(), claimed.message().id());
  }
}
