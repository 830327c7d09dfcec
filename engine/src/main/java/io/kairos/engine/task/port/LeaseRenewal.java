package io.kairos.engine.task.port;

import io.kairos.domain.task.FencedTask;
import java.time.Duration;

/** A lease to be renewed, so that it ends no earlier than this long from now. */
public record LeaseRenewal(FencedTask task, Duration lease) {}
