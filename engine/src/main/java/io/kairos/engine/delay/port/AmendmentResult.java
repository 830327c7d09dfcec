package io.kairos.engine.delay.port;

import io.kairos.domain.delay.Amendment;
import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;

/** An amendment with its outcome, to be published to the results topic. */
public record AmendmentResult(
    long number,
    RouteId route,
    MessageId id,
    Amendment amendment,
    ReplyTo.ResultsTopic replyTo,
    AmendmentOutcome outcome) {}
