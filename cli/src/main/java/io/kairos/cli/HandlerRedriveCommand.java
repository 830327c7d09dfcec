package io.kairos.cli;

import io.kairos.cli.command.PartCommand;
import io.kairos.client.KairosClient;
import io.kairos.client.Redrive;
import io.kairos.client.task.TaskId;
import io.kairos.client.task.TaskState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code kairos handler redrive ...} and {@code kairos dlq redrive ...}: puts failed tasks back.
 */
@Command(
    name = "redrive",
    description = {
      "Puts failed tasks back: the named tasks, or all that match, the oldest first.",
      "Prints the number of tasks put back."
    })
final class HandlerRedriveCommand extends PartCommand {
  private static final int MOST_PER_CALL = 1_000;
  private static final long NANOS = 1_000_000_000;

  @Parameters(paramLabel = "ID", arity = "0..*", description = "Ids of tasks, at most 1,000.")
  List<String> ids = List.of();

  @Option(names = "--handler", description = "Only tasks of this handler.")
  @Nullable String handler;

  @Option(names = "--state", description = "failed or dead; both when left out.")
  @Nullable TaskState state;

  @Option(names = "--before", description = "Only tasks that ended before this time.")
  @Nullable Instant before;

  @Option(names = "--since", description = "Only tasks that ended at or after this time.")
  @Nullable Instant since;

  @Option(names = "--collection", description = "Only tasks of this collection.")
  @Nullable String collection;

  @Option(names = "--error-class", description = "Only tasks whose last failure has this class.")
  @Nullable String errorClass;

  @Option(
      names = "--fingerprint",
      description = "Only tasks whose last failure has this fingerprint.")
  @Nullable String fingerprint;

  @Option(names = "--error", description = "Only tasks whose last error contains this text.")
  @Nullable String error;

  @Option(names = "--all", description = "Tasks of all handlers.")
  boolean all;

  @Option(
      names = "--limit",
      defaultValue = "" + Integer.MAX_VALUE,
      description = "Maximum number of tasks.")
  int limit;

  @Option(
      names = "--rate",
      description = "Number of tasks that become due per second; all at once when left out.")
  double rate;

  @Option(names = "--dry-run", description = "Counts the tasks that match, and puts none back.")
  boolean isDryRun;

  @Override
  public Integer call() {
    if (ids.isEmpty() && !all && handler == null) {
      throw wrongUsage("Name tasks, or say which by --handler or --all.");
    }
    Redrive which = ids.isEmpty() ? filter() : Redrive.of(ids.stream().map(TaskId::of).toList());
    if (isDryRun) {
      return group()
          .show(
              client -> Map.of("matching", count(client, which.dryRun())),
              done -> done.get("matching") + " would be put back");
    }
    return group()
        .show(
            client -> Map.of("putBack", redrive(client, which)),
            done -> done.get("putBack") + " put back");
  }

  private Redrive filter() {
    Redrive which = Redrive.all();
    if (handler != null) {
      which = which.handler(handler);
    }
    if (state != null) {
      which = which.state(state);
    }
    if (before != null) {
      which = which.endedBefore(before);
    }
    if (since != null) {
      which = which.endedFrom(since);
    }
    if (collection != null) {
      which = which.collection(collection);
    }
    if (errorClass != null) {
      which = which.errorClass(errorClass);
    }
    if (fingerprint != null) {
      which = which.errorFingerprint(fingerprint);
    }
    return error == null ? which : which.error(error);
  }

  private static long count(KairosClient client, Redrive which) {
    Redrive.Result answer = client.handlers().redrive(which);
    long count = answer.count();
    for (TaskId next = answer.next(); next != null; next = answer.next()) {
      answer = client.handlers().redrive(which.after(next));
      count += answer.count();
    }
    return count;
  }

  /** Puts tasks back in calls of a thousand, each due after the one before, and no task twice. */
  private long redrive(KairosClient client, Redrive which) {
    Instant start = Instant.now();
    Redrive next = which;
    long done = 0;
    while (true) {
      Redrive call = next.limit((int) Math.min(MOST_PER_CALL, limit - done));
      if (rate > 0) {
        call = call.perSecond(rate, start.plusNanos((long) (done / rate * NANOS)));
      }
      Redrive.Result result = client.handlers().redrive(call);
      done += result.ids().size();
      TaskId last = result.next();
      if (last == null || done >= limit) {
        return done;
      }
      next = next.after(last);
    }
  }
}
