package io.kairos.engine.delay.port;

import io.kairos.domain.delay.Amendment;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;

/** A wish to amend one message, and where its outcome is to be told. */
public record AmendRequest(RouteId route, MessageId id, Amendment amendment, ReplyTo replyTo) {}
