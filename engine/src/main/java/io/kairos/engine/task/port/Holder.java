package io.kairos.engine.task.port;

/** Who holds a task: a node while it is enqueued, a worker while it is performed. */
public record Holder(String name, long fence) {}
