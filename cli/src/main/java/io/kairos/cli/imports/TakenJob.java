package io.kairos.cli.imports;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.client.Idempotency;
import io.kairos.client.TaskRequest;
import io.kairos.client.task.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Builds the task that a job becomes. Not thread-safe. */
final class TakenJob {
  /** A job that is imported again within this time is the same task, even when that has ended. */
  private static final Duration REMEMBERED = Duration.ofDays(365);

  private static final int MOST_ATTEMPTS = 1_000_000;

  private final String place;
  private final TaskRequest.Builder task;
  private final Instant due;
  private final List<String> notes = new ArrayList<>();
  private int bytes;

  /**
   * @param id names the job among all that are ever imported to the handler
   */
  TakenJob(String place, String handler, String id, Instant due) {
    this.place = place;
    this.due = due;
    task = TaskRequest.to(handler).runAt(due).idempotency(Idempotency.key(id).forTime(REMEMBERED));
  }

  TaskRequest.Builder task() {
    return task;
  }

  /** Has it tried once, and again so often; as often as a task may be at the most. */
  static RetryPolicy attempts(long retries) {
    return RetryPolicy.attempts(Math.clamp(retries + 1, 1, MOST_ATTEMPTS));
  }

  TakenJob payload(String text) {
    byte[] payload = text.getBytes(UTF_8);
    bytes = payload.length;
    task.payload(payload);
    return this;
  }

  /** Notes what is not taken over. */
  TakenJob note(boolean isTrue, String what) {
    if (isTrue) {
      notes.add(what);
    }
    return this;
  }

  JobReading.Taken taken() {
    return new JobReading.Taken(place, task.build(), due, bytes, notes);
  }
}
