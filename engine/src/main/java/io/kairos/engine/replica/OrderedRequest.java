package io.kairos.engine.replica;

import io.kairos.domain.cron.AgreedTime;

/**
 * A request with its place in the order.
 *
 * @param sequence number of the executed request, counted from 1 without gaps; equal on every
 *     replica and with every kind of log
 * @param logTime the time on which the log agrees for this request, equal on every replica and
 *     never before that of an earlier request; off for every request of a log that only orders
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, not copied
public record OrderedRequest(
    long sequence, RequestOrigin origin, AgreedTime logTime, byte[] command) {}
