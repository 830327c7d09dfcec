package io.kairos.cli.imports;

import io.kairos.client.task.RetryPolicy;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The jobs of River: the kind names the handler, and args become the payload.
 *
 * @param handlers pattern of the names of handlers, with {@code kind} and {@code queue}
 */
public record RiverJobs(String handlers) implements OriginTable {
  private static final int DEFAULT_PRIORITY = 50;
  private static final int PRIORITY_STEP = 10;
  private static final String DEFAULT_QUEUE = "default";

  public RiverJobs {
    NamePattern.requireOnly(handlers, "kind", "queue");
  }

  @Override
  public String statement() {
    return "river_jobs";
  }

  @Override
  public List<String> start() {
    return List.of(Long.toString(Long.MIN_VALUE));
  }

  @Override
  public String place(List<String> key) {
    return "river_job " + key.getFirst();
  }

  @Override
  public JobReading reading(JobRow row) {
    JsonFields job = row.json();
    switch (job.text("state")) {
      case "running" -> throw new IllegalArgumentException(PERFORMED);
      case "pending" ->
          throw new IllegalArgumentException("is pending: it waits for other jobs of a workflow");
      default -> {}
    }
    String queue = job.text("queue");
    Map<String, String> values = new LinkedHashMap<>();
    values.put("kind", job.text("kind"));
    values.put("queue", queue);
    // Ids of two databases may be equal; with the time of the insertion they are not.
    Instant created = job.time("created_at");
    String id = "river/%s@%s".formatted(row.key().getFirst(), created);
    String handler = new NamePattern(handlers).handler(values);
    TakenJob taken = new TakenJob(place(row.key()), handler, id, job.time("scheduled_at"));
    row.data().ifPresent(taken::payload);
    int left = job.number("max_attempts", 1) - job.number("attempt", 0);
    taken
        .task()
        .priority(DEFAULT_PRIORITY - PRIORITY_STEP * (job.number("priority", 1) - 1))
        .retryPolicy(RetryPolicy.attempts(Math.max(1, left)));
    if (!queue.equals(DEFAULT_QUEUE)) {
      taken.task().collection(queue);
    }
    return taken
        .note(
            job.has("unique_key"),
            "unique key is not taken over: a job inserted there later is not seen here")
        .note(job.has("tags"), "tags are not taken over")
        .note(job.has("has_metadata"), "metadata is not taken over")
        .taken();
  }
}
