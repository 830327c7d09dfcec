package io.kairos.contracts;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.engine.schedule.port.ScheduleStore;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.model.schedule.ModelScheduleStore;
import io.kairos.model.task.ModelTaskStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** On a clock that stands still until a test moves it. */
final class ModelScheduleStores implements ScheduleStores {
  private Instant now = Instant.parse("2026-01-01T12:00:00Z");
  private final List<DelayedMessage> messages = new ArrayList<>();
  private final ModelTaskStore tasks = new ModelTaskStore(() -> now);
  private final ScheduleStore schedules = new ModelScheduleStore(() -> now, tasks, messages::add);

  @Override
  public ScheduleStore schedules() {
    return schedules;
  }

  @Override
  public TaskStore tasks() {
    return tasks;
  }

  @Override
  public long messages() {
    return messages.size();
  }

  @Override
  public Instant now() {
    return now;
  }

  @Override
  public void letPass(Duration duration) {
    now = now.plus(duration);
  }
}
