package io.kairos.engine.task;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.Outcome;

/** What a worker says of an attempt. */
public record Report(FencedTask task, Outcome outcome) {}
