package io.kairos.domain.task.queue;

/** The number of a queue, equal on every node and for ever. */
public record QueueId(int value) {}
