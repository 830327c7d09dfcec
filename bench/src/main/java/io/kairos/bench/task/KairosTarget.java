package io.kairos.bench.task;

import io.kairos.client.KairosClient;
import io.kairos.client.TaskRequest;
import java.time.Instant;
import java.util.List;

/** Kairos over gRPC: one call for a list of tasks, a single call for a list of one. */
record KairosTarget(KairosClient client) implements Target {
  @Override
  public void schedule(List<Job> jobs) {
    if (jobs.size() == 1) {
      client.schedule(request(jobs.getFirst()));
    } else {
      client.schedule(jobs.stream().map(KairosTarget::request).toList());
    }
  }

  private static TaskRequest request(Job job) {
    return TaskRequest.to(TaskWorkerMain.HANDLER)
        .payload(job.payload())
        .runAt(instant(job.dueMicros()))
        .build();
  }

  static Instant instant(long micros) {
    return Instant.ofEpochSecond(micros / 1_000_000, micros % 1_000_000 * 1_000);
  }
}
