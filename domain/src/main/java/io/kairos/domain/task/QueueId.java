package io.kairos.domain.task;

/** The number of a queue: the same on every node and for ever. */
public record QueueId(int value) {}
