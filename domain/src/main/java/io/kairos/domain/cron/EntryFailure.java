package io.kairos.domain.cron;

/**
 * The record of an entry whose callbacks have thrown. It is equal on every replica, which is why it
 * has no message.
 *
 * @param callback the last callback that threw
 * @param count how often a callback threw
 * @param sequence the sequence of the tick of the last failure; 0 outside a tick
 * @param kind the name of the exception's class, perhaps cut off
 */
public record EntryFailure(
    int position, EntryCallback callback, long count, long sequence, String kind) {}
