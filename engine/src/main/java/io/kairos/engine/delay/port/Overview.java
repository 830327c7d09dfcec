package io.kairos.engine.delay.port;

import java.util.OptionalLong;

/**
 * How much the store holds, for metrics.
 *
 * @param stored messages waiting and ready, an estimate that must not cost a scan
 * @param oldestWaitingMicros earliest due time among unclaimed messages, whether due or not; of
 *     those that are deferred only about the earliest, lest it cost a scan
 * @param pendingAmendments amendments without outcome
 */
public record Overview(long stored, OptionalLong oldestWaitingMicros, long pendingAmendments) {}
