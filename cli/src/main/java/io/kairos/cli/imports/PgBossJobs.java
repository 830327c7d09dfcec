package io.kairos.cli.imports;

import io.kairos.client.task.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The jobs of pg-boss, of versions that write the names of columns with and without underscores:
 * the queue names the handler, and data becomes the payload.
 *
 * @param handlers pattern of the names of handlers, with {@code queue}
 * @param now jobs whose retention has ended by then are refused
 */
public record PgBossJobs(String handlers, Instant now) implements OriginTable {
  private static final String NO_ID = "00000000-0000-0000-0000-000000000000";
  private static final int DEFAULT_PRIORITY = 50;
  private static final int DEFAULT_RETRIES = 2;

  /** pg-boss doubles a delay up to this often. */
  private static final int MOST_DOUBLINGS = 16;

  private static final Duration LONGEST_WAIT = Duration.ofDays(365);
  private static final Pattern INTERVAL = Pattern.compile("(\\d+):(\\d\\d):(\\d\\d)");

  public PgBossJobs {
    NamePattern.requireOnly(handlers, "queue");
  }

  @Override
  public String statement() {
    return "pgboss_jobs";
  }

  @Override
  public List<String> start() {
    return List.of("", NO_ID);
  }

  @Override
  public String place(List<String> key) {
    return key.getFirst() + " " + key.getLast();
  }

  @Override
  public JobReading reading(JobRow row) {
    JsonFields job = row.json().underPlainNames();
    refuse(job);
    String handler = new NamePattern(handlers).handler(Map.of("queue", row.key().getFirst()));
    String id = "pgboss/" + row.key().getLast();
    TakenJob taken = new TakenJob(place(row.key()), handler, id, job.time("startafter"));
    row.data().ifPresent(taken::payload);
    long priority = (long) DEFAULT_PRIORITY + job.number("priority", 0);
    int bounded = Math.clamp(priority, 0, 100);
    taken.task().priority(bounded).retryPolicy(retries(job));
    timeout(job).ifPresent(taken.task()::executionTimeout);
    boolean isOrdered = job.text("policy", "").equals("key_strict_fifo");
    boolean isSingleton = job.has("singletonkey");
    if (isOrdered && isSingleton) {
      taken.task().key(job.text("singletonkey"));
    }
    return taken
        .note(bounded != priority, "a priority beyond -50 to 50 has become the nearest one")
        .note(
            isSingleton && !isOrdered,
            "singletonKey is not taken over: a job sent there later is not seen here")
        .note(
            job.has("deadletter"),
            "deadLetter is not taken over: tasks that have failed are listed by kairos dlq")
        .note(job.has("groupid"), "group is not taken over")
        .taken();
  }

  private void refuse(JsonFields job) {
    if (job.text("state").equals("active")) {
      throw new IllegalArgumentException(PERFORMED);
    }
    if (job.has("blocked")) {
      throw new IllegalArgumentException("is blocked: it waits for other jobs of a flow");
    }
    if (job.has("keepuntil") && job.time("keepuntil").isBefore(now)) {
      throw new IllegalArgumentException(
          "its retention has ended at " + job.time("keepuntil") + ": pg-boss deletes it");
    }
  }

  private static RetryPolicy retries(JsonFields job) {
    long left = (long) job.number("retrylimit", DEFAULT_RETRIES) - job.number("retrycount", 0);
    RetryPolicy attempts = TakenJob.attempts(left);
    Duration delay = Duration.ofSeconds(job.number("retrydelay", 0));
    if (!job.has("retrybackoff")) {
      return attempts.backoff(delay, 1, delay);
    }
    Duration first = delay.isPositive() ? delay : Duration.ofSeconds(1);
    Duration longest =
        job.has("retrydelaymax")
            ? Duration.ofSeconds(job.number("retrydelaymax", 0))
            : first.multipliedBy(1 << MOST_DOUBLINGS);
    Duration most = longest.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : longest;
    return attempts.backoff(first.compareTo(most) > 0 ? most : first, 2, most);
  }

  /** Reads seconds, or the interval of versions before 11. */
  private static Optional<Duration> timeout(JsonFields job) {
    if (job.has("expireseconds")) {
      return Optional.of(Duration.ofSeconds(job.number("expireseconds", 0)));
    }
    if (!job.has("expirein")) {
      return Optional.empty();
    }
    Matcher interval = INTERVAL.matcher(job.text("expirein"));
    if (!interval.matches()) {
      throw new IllegalArgumentException(
          "has an expirein of '%s', which is not hours, minutes and seconds"
              .formatted(job.text("expirein")));
    }
    return Optional.of(Duration.parse(interval.replaceFirst("PT$1H$2M$3S")));
  }
}
