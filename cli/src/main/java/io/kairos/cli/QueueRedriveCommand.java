package io.kairos.cli;

import static java.util.Objects.requireNonNull;

import io.kairos.cli.text.OutputOptions;
import io.kairos.client.KairosClient;
import io.kairos.client.Redrive;
import io.kairos.client.TaskId;
import io.kairos.client.TaskState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code kairos queue redrive ...} and {@code kairos dlq redrive ...}: puts failed tasks back. */
@Command(
    name = "redrive",
    mixinStandardHelpOptions = true,
    description = {
      "Has failed tasks tried again: those that are named, or all that match, the oldest first.",
      "Prints their number."
    })
final class QueueRedriveCommand implements Callable<Integer> {
  private static final int MOST_PER_CALL = 1_000;
  private static final long NANOS = 1_000_000_000;

  @ParentCommand @Nullable NodeCommand group;
  @Mixin OutputOptions output = new OutputOptions();
  @Spec CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "ID", arity = "0..*", description = "Tasks, at most 1,000.")
  List<String> ids = List.of();

  @Option(names = "--handler", description = "Those of this handler.")
  @Nullable String handler;

  @Option(names = "--state", description = "failed or dead; both when left out.")
  @Nullable TaskState state;

  @Option(names = "--before", description = "Those that ended before this time.")
  @Nullable Instant before;

  @Option(names = "--error", description = "Those whose last failure has this text in it.")
  @Nullable String error;

  @Option(names = "--all", description = "Those of all handlers.")
  boolean all;

  @Option(
      names = "--limit",
      defaultValue = "" + Integer.MAX_VALUE,
      description = "At most this many.")
  int limit;

  @Option(names = "--rate", description = "How many become due in a second; all at once.")
  double rate;

  @Override
  public Integer call() {
    if (ids.isEmpty() && !all && handler == null) {
      throw new ParameterException(
          spec.commandLine(), "Name tasks, or say which by --handler or --all.");
    }
    Redrive which = ids.isEmpty() ? filter() : Redrive.of(ids.stream().map(TaskId::of).toList());
    try (KairosClient client = requireNonNull(group).connect()) {
      long done = redrive(client, which);
      output.print(spec.commandLine().getOut(), Map.of("putBack", done), () -> done + " put back");
    }
    return 0;
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
    return error == null ? which : which.error(error);
  }

  /** In calls of a thousand, each due after the one before; never the same task twice. */
  private long redrive(KairosClient client, Redrive which) {
    Instant start = Instant.now();
    Redrive next = which;
    long done = 0;
    while (true) {
      Redrive call = next.limit((int) Math.min(MOST_PER_CALL, limit - done));
      if (rate > 0) {
        call = call.perSecond(rate, start.plusNanos((long) (done / rate * NANOS)));
      }
      Redrive.Result result = client.queues().redrive(call);
      done += result.ids().size();
      TaskId last = result.next();
      if (last == null || done >= limit) {
        return done;
      }
      next = next.after(last);
    }
  }
}
