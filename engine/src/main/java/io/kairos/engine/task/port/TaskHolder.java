package io.kairos.engine.task.port;

/** The holder of a task: a node while the task is enqueued, a worker while it is performed. */
public record TaskHolder(String name, long fence) {}
