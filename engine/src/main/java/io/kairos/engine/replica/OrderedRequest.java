package io.kairos.engine.replica;

/**
 * A request with its place in the order.
 *
 * @param sequence number of the executed request, counted from 1 without gaps; equal on every
 *     replica and with every kind of log
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, not copied
public record OrderedRequest(long sequence, RequestOrigin origin, byte[] command) {}
