package io.kairos.cli;

import io.kairos.api.text.TerminalText;
import io.kairos.cli.command.NodeCommand;
import io.kairos.cli.imports.JobPages;
import io.kairos.cli.imports.JobReading;
import io.kairos.cli.imports.OriginTable;
import io.kairos.cli.option.JdbcOptions;
import io.kairos.cli.text.RefusalText;
import io.kairos.cli.text.TextTable;
import io.kairos.client.KairosClient;
import io.kairos.client.TaskRequest;
import io.kairos.client.error.InvalidRequestException;
import io.kairos.client.error.TaskConflictException;
import io.kairos.client.task.ScheduledTask;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Option;

/** Schedules the jobs that wait in a table as tasks, and counts them by handler. */
final class ImportJobs {
  private static final int REFUSED = 1;
  private static final int MOST_JOBS = 100;
  private static final int MOST_BYTES = 1 << 20;

  @Option(
      names = "--dry-run",
      description = "Only reads the jobs and counts them; no node is called.")
  boolean dryRun;

  /**
   * Imports jobs in the order of their table. What was imported before is found by its id there.
   *
   * @return the exit code
   */
  int perform(NodeCommand group, JdbcOptions jdbc, String prefix, OriginTable table)
      throws IOException, SQLException {
    try (KairosClient client = group.connect()) {
      Run run = new Run(group, client);
      boolean ended = false;
      try {
        jdbc.read(connection -> JobPages.read(connection, prefix, table, run::take));
        run.send();
        ended = true;
      } finally {
        run.print(ended);
      }
      return run.refused == 0 ? 0 : REFUSED;
    }
  }

  /** The jobs of one handler. */
  private static final class Count {
    private long jobs;
    private long due;
    private long before;
  }

  private final class Run {
    private final NodeCommand group;
    private final KairosClient client;
    private final Instant now = Instant.now();
    private final List<JobReading.Taken> batch = new ArrayList<>();
    private final Map<String, Count> handlers = new TreeMap<>();

    /** How many jobs each note is about. */
    private final Map<String, Long> notes = new TreeMap<>();

    private int bytes;
    private long refused;

    private Run(NodeCommand group, KairosClient client) {
      this.group = group;
      this.client = client;
    }

    private void take(JobReading reading) {
      switch (reading) {
        case JobReading.Taken job -> {
          if (batch.size() == MOST_JOBS || bytes + job.bytes() > MOST_BYTES) {
            send();
          }
          batch.add(job);
          bytes += job.bytes();
        }
        case JobReading.Left(String reason) -> notes.merge("left out: " + reason, 1L, Long::sum);
        case JobReading.Refused(String place, String reason) -> refuse(place, reason);
      }
    }

    private void refuse(String place, String reason) {
      refused++;
      tell(place + ": not imported: " + reason);
    }

    /** Sends what is waiting: together, or one by one to find out which is refused. */
    private void send() {
      List<JobReading.Taken> sent = List.copyOf(batch);
      batch.clear();
      bytes = 0;
      if (dryRun) {
        sent.forEach(job -> count(job, false));
      } else if (!sent.isEmpty() && !sendTogether(sent)) {
        sent.forEach(this::sendAlone);
      }
    }

    private boolean sendTogether(List<JobReading.Taken> sent) {
      try {
        List<TaskRequest> tasks = sent.stream().map(JobReading.Taken::task).toList();
        List<ScheduledTask> scheduled = client.accept(tasks);
        for (int i = 0; i < sent.size(); i++) {
          count(sent.get(i), scheduled.get(i).duplicate());
        }
        return true;
      } catch (InvalidRequestException | TaskConflictException e) {
        return false; // for one of them; nothing was done
      }
    }

    private void sendAlone(JobReading.Taken job) {
      try {
        count(job, client.accept(job.task()).duplicate());
      } catch (InvalidRequestException | TaskConflictException e) {
        refuse(job.place(), RefusalText.of(e));
      }
    }

    private void count(JobReading.Taken job, boolean before) {
      Count count = handlers.computeIfAbsent(job.task().target(), name -> new Count());
      count.jobs++;
      count.due += job.due().isAfter(now) ? 0 : 1;
      count.before += before ? 1 : 0;
      job.notes().forEach(note -> notes.merge("note: " + note, 1L, Long::sum));
    }

    private void print(boolean ended) {
      if (!handlers.isEmpty()) {
        tell(
            TextTable.of(handlers.entrySet())
                .column("HANDLER", Map.Entry::getKey)
                .column("JOBS", handler -> handler.getValue().jobs)
                .column("DUE NOW", handler -> handler.getValue().due)
                .toString());
      }
      notes.forEach((note, jobs) -> tell("%s (%,d)".formatted(note, jobs)));
      long jobs = handlers.values().stream().mapToLong(count -> count.jobs).sum();
      long before = handlers.values().stream().mapToLong(count -> count.before).sum();
      tell(
          dryRun
              ? "%,d can be imported, %,d not".formatted(jobs, refused)
              : "%,d imported, %,d imported before, %,d not"
                  .formatted(jobs - before, before, refused));
      if (!ended) {
        tell("stopped before the end: run it again, which imports nothing twice");
      }
    }

    private void tell(String text) {
      group.out().println(TerminalText.lines(text));
    }
  }
}
