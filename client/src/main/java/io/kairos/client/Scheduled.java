package io.kairos.client;

/**
 * A task that stands for one that was scheduled.
 *
 * @param duplicate it had been scheduled before, with the same idempotency key
 */
public record Scheduled(TaskId id, boolean duplicate) {}
