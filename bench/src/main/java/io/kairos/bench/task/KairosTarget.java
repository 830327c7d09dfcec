package io.kairos.bench.task;

import io.kairos.client.KairosClient;
import io.kairos.client.TaskRequest;
import java.time.Instant;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * Kairos over gRPC: one call for a list of tasks, a single call for a list of one.
 *
 * @param begin says whom a task is for
 * @param further what else is to be said of each task
 */
public record KairosTarget(
    KairosClient client,
    Supplier<TaskRequest.Builder> begin,
    BiConsumer<Job, TaskRequest.Builder> further)
    implements TaskTarget {
  /** Tasks for a handler, of which nothing else is said. */
  public static KairosTarget of(KairosClient client, String handler) {
    return new KairosTarget(client, () -> TaskRequest.to(handler), (_, _) -> {});
  }

  /** Tasks that are pushed to a pool, of which nothing else is said. */
  public static KairosTarget ofPool(KairosClient client, String pool) {
    return new KairosTarget(client, () -> TaskRequest.toPool(pool, "/"), (_, _) -> {});
  }

  KairosTarget withKeys(KeyPlan keys) {
    return keys.none()
        ? this
        : with((job, request) -> request.key("key-" + keys.keyOf(job.sequence())));
  }

  public KairosTarget with(BiConsumer<Job, TaskRequest.Builder> more) {
    return new KairosTarget(client, begin, further.andThen(more));
  }

  @Override
  public void schedule(List<Job> jobs) {
    if (jobs.size() == 1) {
      client.schedule(request(jobs.getFirst()));
    } else {
      client.schedule(jobs.stream().map(this::request).toList());
    }
  }

  private TaskRequest request(Job job) {
    TaskRequest.Builder request =
        begin.get().payload(job.payload()).runAt(instant(job.dueMicros()));
    further.accept(job, request);
    return request.build();
  }

  static Instant instant(long micros) {
    return Instant.ofEpochSecond(micros / 1_000_000, micros % 1_000_000 * 1_000);
  }
}
