package io.kairos.examples.images;

import io.kairos.client.task.TaskId;
import io.kairos.spring.KairosTask;
import io.kairos.spring.KairosTasks;

/** Schedules tasks. */
@KairosTasks
public interface Images {
  @KairosTask(name = "resize-image", delay = "5m")
  TaskId resize(Resize resize);
}
