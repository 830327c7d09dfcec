package io.kairos.engine.task.port;

import io.kairos.domain.task.FencedTask;

/** A wish to hand an enqueued task to a worker. */
public record Claim(FencedTask enqueued, String worker) {}
