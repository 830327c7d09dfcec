package io.kairos.cli.imports;

import java.util.List;

/**
 * The jobs of JobRunr that are scheduled or enqueued. Class, method and parameters become the
 * payload, as those of a {@link JobRunrTable recurring job}.
 *
 * @param handlers pattern of the names of handlers, with {@code class}, {@code method} and {@code
 *     signature}
 */
public record JobRunrJobs(String handlers) implements OriginTable {
  public JobRunrJobs {
    NamePattern.requireOnly(handlers, "class", "method", "signature");
  }

  @Override
  public String statement() {
    return "jobrunr_jobs";
  }

  @Override
  public List<String> start() {
    return List.of(" "); // for Oracle, an empty text is null, which no row comes after
  }

  @Override
  public String place(List<String> key) {
    return "job " + key.getFirst().strip();
  }

  @Override
  public JobReading reading(JobRow row) {
    JsonFields job = row.json();
    List<JsonFields> history = job.list("jobHistory");
    if (history.isEmpty()) {
      throw new IllegalArgumentException("has no jobHistory");
    }
    JsonFields now = history.getLast();
    int failures = (int) history.stream().filter(JobRunrJobs::isFailed).count();
    boolean isScheduled =
        switch (now.text("state")) {
          case "SCHEDULED" -> true;
          case "ENQUEUED" -> false;
          case "PROCESSING" -> throw new IllegalArgumentException(PERFORMED);
          case "AWAITING" ->
              throw new IllegalArgumentException(
                  "is carbon-aware, which has no counterpart here, or waits for another job");
          default -> throw new IllegalArgumentException("is in the state " + now.text("state"));
        };
    if (isScheduled && failures == 0 && now.has("recurringJobId")) {
      return new JobReading.Left(
          "made ahead by recurring jobs, whose schedules fire here: see kairos import jobrunr");
    }
    String id = row.key().getFirst().strip();
    JobRunrDetails details = JobRunrDetails.of(job);
    String handler = new NamePattern(handlers).handler(details.values());
    TakenJob taken =
        new TakenJob(
                place(row.key()),
                handler,
                "jobrunr/" + id,
                now.time(isScheduled ? "scheduledAt" : "createdAt"))
            .payload(details.payload());
    if (job.has("amountOfRetries")) {
      long left = (long) job.number("amountOfRetries", 0) - failures;
      taken.task().retryPolicy(TakenJob.attempts(left));
    }
    return taken
        .note(job.has("labels"), "labels are not taken over")
        .note(
            details.payload().contains("org.jobrunr.jobs.context.JobContext"),
            "a parameter is JobRunr's JobContext: the handler has a TaskContext instead")
        .taken();
  }

  private static boolean isFailed(JsonFields state) {
    return state.text("state", "").equals("FAILED");
  }
}
