package io.kairos.client;

/**
 * An ordering key whose tasks wait for a head that fails.
 *
 * @param isBlocked whether the head has failed for good, so that they wait until it is skipped or
 *     tried again; else it waits for another attempt
 * @param error how the head failed last; empty when that is forgotten
 * @param waiting unfinished tasks behind the head; 10,001 for more than 10,000
 */
public record StuckKey(
    String handler, String key, boolean isBlocked, TaskId head, String error, int waiting) {}
