package io.kairos.client.queue;

import org.jspecify.annotations.Nullable;

/**
 * The use of a limit by key by the tasks that name one name.
 *
 * @param running number of tasks that run now
 * @param waiting number of due tasks that wait for the limit, counted up to 10,000
 * @param tokens tasks that could begin at once by the rate; null without a rate
 */
public record LimitUse(String name, long running, long waiting, @Nullable Double tokens) {}
