package io.kairos.examples;

import io.kairos.client.KairosClient;
import io.kairos.client.ResultTaskType;
import io.kairos.client.ScheduleSpec;
import io.kairos.client.TaskType;
import io.kairos.client.jackson3.JacksonCodec;
import io.kairos.client.task.RetryPolicy;
import io.kairos.client.task.TaskId;
import io.kairos.inprocess.Kairos;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/** Resizes pictures later, and tidies up each night, without a server. */
public final class InProcess implements AutoCloseable {
  record Resize(String picture, int width) {}

  record Resized(String url) {}

  record Tidy(int days) {}

  static final ResultTaskType<Resize, Resized> RESIZE =
      TaskType.of("resize", JacksonCodec.of(Resize.class))
          .defaults(task -> task.retryPolicy(RetryPolicy.attempts(3)))
          .returning(JacksonCodec.of(Resized.class));

  static final TaskType<Tidy> TIDY = TaskType.of("tidy", JacksonCodec.of(Tidy.class));

  private final Kairos kairos;
  private final KairosClient client;

  InProcess(DataSource dataSource) {
    kairos =
        Kairos.inProcess(dataSource)
            .handle(RESIZE, (resize, context) -> resized(resize))
            .handle(TIDY, (tidy, context) -> System.out.println("tidied " + tidy))
            .start();
    client = kairos.client();
    client
        .schedules()
        .apply(
            ScheduleSpec.named("tidy")
                .cron("0 2 * * *")
                .task(TIDY.task(new Tidy(30)).build())
                .build());
  }

  TaskId schedule(Resize resize, Duration delay) {
    return client.schedule(RESIZE.task(resize).delay(delay).build());
  }

  Optional<Resized> await(TaskId task) {
    return client.await(RESIZE, task, Duration.ofSeconds(30));
  }

  private static Resized resized(Resize resize) {
    return new Resized(
        "https://pictures.example.com/%d/%s".formatted(resize.width(), resize.picture()));
  }

  @Override
  public void close() {
    kairos.close();
  }
}
