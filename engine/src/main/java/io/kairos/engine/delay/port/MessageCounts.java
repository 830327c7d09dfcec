package io.kairos.engine.delay.port;

import java.util.OptionalLong;

/**
 * Numbers of stored messages, for metrics.
 *
 * @param stored estimated number of messages, waiting and ready
 * @param oldestWaitingMicros earliest due time among unclaimed messages, due or not, in
 *     microseconds; approximate for deferred messages; empty for none
 * @param pendingAmendments amendments without outcome
 */
public record MessageCounts(
    long stored, OptionalLong oldestWaitingMicros, long pendingAmendments) {}
