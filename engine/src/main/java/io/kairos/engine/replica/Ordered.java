package io.kairos.engine.replica;

/**
 * A request in its place.
 *
 * @param sequence counts the requests that are executed, from 1, without gaps: the same number for
 *     the same request on every replica and every kind of log
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, not copied
public record Ordered(long sequence, Origin origin, byte[] command) {}
