package io.kairos.domain.cron;

/**
 * What is recorded of an entry whose callbacks have thrown (CC-10): the same on every replica,
 * which is why the message is missing.
 *
 * @param callback the last one that threw
 * @param count how often one of them did
 * @param sequence of the tick at which it last happened; 0 outside a tick
 * @param kind the name of the exception's class, perhaps cut off
 */
public record Failure(int position, Callback callback, long count, long sequence, String kind) {}
