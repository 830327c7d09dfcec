package io.kairos.client.queue;

import io.kairos.client.task.TaskId;

/**
 * An ordering key whose tasks wait because its head (the first unfinished task) fails.
 *
 * @param isBlocked true when the head has failed for good, so that the tasks wait until it is
 *     skipped or retried; false when the head waits for another attempt
 * @param error latest error of the head; empty when it is no longer kept
 * @param waiting number of unfinished tasks behind the head; 10,001 for more than 10,000
 */
public record StuckKey(
    String handler, String key, boolean isBlocked, TaskId head, String error, int waiting) {}
