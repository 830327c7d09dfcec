package io.kairos.client;

/**
 * A task that stands for one that was scheduled.
 *
 * @param duplicate it had been scheduled before, with the same idempotency key: by another call, or
 *     by an earlier try of this one, whose answer was lost
 */
public record Scheduled(TaskId id, boolean duplicate) {}
