package io.kairos.client.task;

/**
 * What the cancel of a task and of those that wait for it has done.
 *
 * @param cancelled number of tasks that were cancelled, or are being performed by workers that are
 *     notified; without those that end because a task for which they wait was cancelled
 * @param more true when tasks may be left that have not ended and could not be cancelled now: ask
 *     again
 */
public record CancelledGraph(long cancelled, boolean more) {}
