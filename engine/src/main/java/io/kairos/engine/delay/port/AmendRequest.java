package io.kairos.engine.delay.port;

import io.kairos.domain.delay.Amendment;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;

/** A request to amend one message, and the receiver of its outcome. */
public record AmendRequest(RouteId route, MessageId id, Amendment amendment, ReplyTo replyTo) {}
