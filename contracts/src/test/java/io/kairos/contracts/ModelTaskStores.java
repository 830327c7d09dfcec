package io.kairos.contracts;

import io.kairos.engine.task.port.TaskStore;
import io.kairos.model.task.ModelTaskStore;
import java.time.Duration;
import java.time.Instant;

/** A fresh {@link ModelTaskStore} on a clock that stands still until a test moves it. */
final class ModelTaskStores implements TaskStores {
  private Instant now = Instant.parse("2026-01-01T12:00:00Z");
  private final TaskStore store = new ModelTaskStore(() -> now);

  @Override
  public TaskStore tasks() {
    return store;
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
