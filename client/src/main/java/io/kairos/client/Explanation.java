package io.kairos.client;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Why a schedule has fired at a time, or why not.
 *
 * @param text the answer in a sentence or two
 * @param fire the decision; null when there is none
 * @param taskState of the task that it made; null when there is none, or it is forgotten
 * @param before the rule's fire time at or before the time in question
 * @param after the rule's fire time after it
 */
public record Explanation(
    String text,
    @Nullable Fire fire,
    @Nullable TaskState taskState,
    @Nullable Instant before,
    @Nullable Instant after) {}
