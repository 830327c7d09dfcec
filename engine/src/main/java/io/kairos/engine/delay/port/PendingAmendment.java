package io.kairos.engine.delay.port;

import io.kairos.domain.delay.Amendment;

/**
 * An amendment that waits for the holder of its message.
 *
 * @param number rises in the order in which amendments of one message were accepted
 * @param message the message as stored, under the holder's fence
 */
public record PendingAmendment(long number, ClaimedMessage message, Amendment amendment) {}
