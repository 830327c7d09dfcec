package io.kairos.client.task;

/**
 * The result of scheduling a task.
 *
 * @param id id of the task, or of the earlier task that it duplicates
 * @param duplicate true when the task had been scheduled before with the same idempotency key, by
 *     another call or by an earlier attempt of this call whose answer was lost
 */
public record ScheduledTask(TaskId id, boolean duplicate) {}
