package io.kairos.examples;

import io.kairos.client.KairosClient;
import io.kairos.client.ResultTaskType;
import io.kairos.client.TaskType;
import io.kairos.client.jackson3.JacksonCodec;
import io.kairos.client.task.RetryPolicy;
import io.kairos.client.task.TaskId;
import io.kairos.client.worker.Worker;
import java.time.Duration;
import java.util.Optional;

/** Resizes pictures in five minutes, at most three times, and tells where they are. */
public final class TypedTasks implements AutoCloseable {
  record Resize(String picture, int width) {}

  record Resized(String url) {}

  static final ResultTaskType<Resize, Resized> RESIZE =
      TaskType.of("resize", JacksonCodec.of(Resize.class))
          .defaults(task -> task.priority(70).retryPolicy(RetryPolicy.attempts(3)))
          .defaults((task, resize) -> task.key(resize.picture()))
          .returning(JacksonCodec.of(Resized.class));

  private final KairosClient kairos;
  private final Worker worker;

  TypedTasks(String... nodes) {
    kairos = KairosClient.connect(nodes);
    worker = Worker.connect(nodes);
    worker.handle(RESIZE, (resize, context) -> resized(resize));
    worker.start();
  }

  TaskId schedule(Resize resize) {
    return kairos.schedule(RESIZE.task(resize).delay(Duration.ofMinutes(5)).build());
  }

  /** Empty only for a handler that returns null. */
  Optional<Resized> await(TaskId task) {
    return kairos.await(RESIZE, task, Duration.ofSeconds(30));
  }

  private static Resized resized(Resize resize) {
    return new Resized(
        "https://pictures.example.com/%d/%s".formatted(resize.width(), resize.picture()));
  }

  @Override
  public void close() {
    worker.close();
    kairos.close();
  }
}
