package io.kairos.engine.task.edge;

import io.kairos.domain.task.AttemptOutcome;
import io.kairos.domain.task.FencedTask;

/** A worker's report on an attempt. */
public record AttemptReport(FencedTask task, AttemptOutcome outcome) {}
