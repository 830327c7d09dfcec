package io.kairos.client.schedule;

import io.kairos.client.task.TaskState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The reason why a schedule fired at a time, or why not.
 *
 * @param text the explanation, one or two sentences
 * @param fire the decision about the time; null when there is none
 * @param taskState state of the task that the fire made; null when there is no task, or when its
 *     history has been pruned
 * @param before the rule's latest fire time at or before the time in question; null for none
 * @param after the rule's next fire time after the time in question; null for none
 */
public record Explanation(
    String text,
    @Nullable Fire fire,
    @Nullable TaskState taskState,
    @Nullable Instant before,
    @Nullable Instant after) {}
