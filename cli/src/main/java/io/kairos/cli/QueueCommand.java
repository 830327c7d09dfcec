package io.kairos.cli;

import io.kairos.client.HandlerStatus;
import io.kairos.client.KairosClient;
import io.kairos.client.QueueLimit;
import io.kairos.client.Redrive;
import io.kairos.client.StuckKey;
import io.kairos.client.TaskGate;
import io.kairos.client.TaskId;
import io.kairos.client.TaskState;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kairos queue ...}: see how handlers do, pause, drop and limit their tasks, redrive. */
@Command(
    name = "queue",
    mixinStandardHelpOptions = true,
    description =
        "Shows handlers, their queues and keys, pauses and limits them, puts failed tasks back.",
    subcommands = QueueHandlerCommand.class)
final class QueueCommand implements Runnable {
  private static final int MOST_PER_CALL = 1_000;
  private static final long NANOS = 1_000_000_000;

  @Mixin NodeOptions node = new NodeOptions();
  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "Say what to do: list, handler, pause, drop, resume, limits, keys, skip, retry or redrive.");
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "Shows how many tasks of each handler are where, and who has no worker.")
  int list() {
    String row = "%-24s %9s %9s %10s %8s %7s %7s %7s  %s";
    try (KairosClient client = node.connect()) {
      out()
          .println(
              row.formatted(
                  "handler",
                  "waiting",
                  "enqueued",
                  "processing",
                  "blocked",
                  "paused",
                  "dead",
                  "failed",
                  "remarks"));
      for (HandlerStatus handler : client.queues().handlers()) {
        out()
            .println(
                row.formatted(
                        handler.name(),
                        handler.waiting(),
                        handler.enqueued(),
                        handler.processing(),
                        handler.blocked(),
                        handler.paused(),
                        handler.dead(),
                        handler.failed(),
                        remarks(handler))
                    .stripTrailing());
      }
    }
    return 0;
  }

  private static String remarks(HandlerStatus handler) {
    List<String> remarks = new ArrayList<>();
    if (!handler.hasWorker()) {
      remarks.add("no worker");
    }
    handler.gates().forEach(gate -> remarks.add(words(gate)));
    handler.limits().forEach(limit -> remarks.add(words(limit)));
    return String.join("; ", remarks);
  }

  private static String words(TaskGate gate) {
    return (gate.drops() ? "dropping" : "paused")
        + (gate.collection().isEmpty() ? "" : " " + gate.collection())
        + (gate.until() == null ? "" : " until " + gate.until())
        + (gate.note().isEmpty() ? "" : " (" + gate.note() + ")");
  }

  private static String words(QueueLimit limit) {
    List<String> limits = new ArrayList<>();
    if (limit.maxRunning() != null) {
      limits.add("%d of %d running".formatted(limit.running(), limit.maxRunning()));
    }
    if (limit.perSecond() != null) {
      limits.add(
          "%s per second".formatted(limit.perSecond())
              + (limit.burst() == null ? "" : ", burst " + limit.burst()));
    }
    return "priority %d: %s"
        .formatted(limit.priority(), limits.isEmpty() ? "not limited" : String.join(", ", limits));
  }

  /** When a gate lifts itself: at most one of the two. */
  static final class UntilOptions {
    @Option(names = "--until", description = "Lifts itself then, as 2026-12-24T18:00:00Z.")
    @Nullable Instant until;

    @Option(
        names = "--for",
        converter = DurationWord.class,
        description = "Lifts itself after this time, such as 30s, 10m, 1h or P2D.")
    @Nullable Duration length;

    @Nullable Instant end() {
      return length == null ? until : Instant.now().plus(length);
    }
  }

  @Command(
      name = "pause",
      mixinStandardHelpOptions = true,
      description = "Lets no task of a handler begin until it is resumed; what runs goes on.")
  int pause(
      @Parameters(paramLabel = "HANDLER") String handler,
      @Option(names = "--collection", description = "Only tasks of this collection.")
          @Nullable String collection,
      @ArgGroup @Nullable UntilOptions until,
      @Option(names = "--note", description = "Why, for people.", defaultValue = "") String note) {
    return close(TaskGate.pause(handler), collection, until, note);
  }

  @Command(
      name = "drop",
      mixinStandardHelpOptions = true,
      description = {
        "Ends the tasks of a handler that wait, and those that come until it is resumed, as cancelled.",
        "They cannot be put back."
      })
  int drop(
      @Parameters(paramLabel = "HANDLER") String handler,
      @Option(names = "--collection", description = "Only tasks of this collection.")
          @Nullable String collection,
      @ArgGroup @Nullable UntilOptions until,
      @Option(names = "--note", description = "Why; kept with the tasks.", defaultValue = "")
          String note) {
    return close(TaskGate.drop(handler), collection, until, note);
  }

  private int close(
      TaskGate gate, @Nullable String collection, @Nullable UntilOptions until, String note) {
    TaskGate wanted = gate.because(note);
    if (collection != null) {
      wanted = wanted.of(collection);
    }
    Instant end = until == null ? null : until.end();
    if (end != null) {
      wanted = wanted.until(end);
    }
    try (KairosClient client = node.connect()) {
      TaskGate closed = client.queues().close(wanted);
      out().println(closed.handler() + ": " + words(closed));
    }
    return 0;
  }

  @Command(
      name = "resume",
      mixinStandardHelpOptions = true,
      description = "Lets tasks begin again after a pause or drop.")
  int resume(
      @Parameters(paramLabel = "HANDLER") String handler,
      @Option(
              names = "--collection",
              description = "The pause of this collection.",
              defaultValue = "")
          String collection) {
    try (KairosClient client = node.connect()) {
      client.queues().lift(handler, collection);
      out().println(handler + ": resumed");
    }
    return 0;
  }

  @Command(
      name = "limits",
      mixinStandardHelpOptions = true,
      description = {
        "Limits the tasks of a handler at one priority, over all nodes, or shows the limits.",
        "A limit that is not named stays as it is; none lifts it."
      })
  int limits(
      @Parameters(paramLabel = "HANDLER") String handler,
      @Option(
              names = "--priority",
              defaultValue = "50",
              description = "Of the queue (default ${DEFAULT-VALUE}).")
          int priority,
      @Option(names = "--max-running", description = "Most tasks at a time, or none.")
          @Nullable String maxRunning,
      @Option(names = "--rate", description = "Most tasks that begin in a second, or none.")
          @Nullable String rate,
      @Option(
              names = "--burst",
              description = "How many may begin at once after a pause, or none for a second's.")
          @Nullable String burst) {
    List<String> fields = new ArrayList<>();
    QueueLimit limit =
        new QueueLimit(
            handler,
            priority,
            number(maxRunning, "max_running", fields, Integer::valueOf),
            number(rate, "per_second", fields, Double::valueOf),
            number(burst, "burst", fields, Integer::valueOf),
            0);
    try (KairosClient client = node.connect()) {
      if (fields.isEmpty()) {
        client.queues().handler(handler).limits().forEach(one -> out().println(words(one)));
      } else {
        out().println(words(client.queues().change(limit, fields)));
      }
    }
    return 0;
  }

  private interface NumberReader<T> {
    T read(String text);
  }

  private <T> @Nullable T number(
      @Nullable String text, String field, List<String> fields, NumberReader<T> reader) {
    if (text == null) {
      return null;
    }
    fields.add(field);
    if (text.equals("none")) {
      return null;
    }
    try {
      return reader.read(text);
    } catch (NumberFormatException e) {
      throw new ParameterException(
          spec.commandLine(), "'" + text + "' is neither a number nor none", e);
    }
  }

  @Command(
      name = "keys",
      mixinStandardHelpOptions = true,
      description = {
        "Lists ordering keys whose tasks wait because their head fails, those first that are blocked",
        "until the head is skipped or tried again."
      })
  int keys(
      @Option(names = "--handler", description = "Only keys of this handler.", defaultValue = "")
          String handler,
      @Option(
              names = "--limit",
              defaultValue = "100",
              description = "At most this many (default ${DEFAULT-VALUE}).")
          int limit) {
    try (KairosClient client = node.connect()) {
      for (StuckKey key : client.queues().stuckKeys(handler, limit)) {
        out()
            .println(
                "%s  %-24s  %-8s  %6d waiting  %s  %s"
                    .formatted(
                        key.handler(),
                        key.key(),
                        key.isBlocked() ? "blocked" : "retried",
                        key.waiting(),
                        key.head(),
                        key.error().lines().findFirst().orElse(""))
                    .stripTrailing());
      }
    }
    return 0;
  }

  @Command(
      name = "skip",
      mixinStandardHelpOptions = true,
      description = "Lets an ordering key go on without its failing head, which ends as dead.")
  int skip(
      @Parameters(paramLabel = "HANDLER") String handler,
      @Parameters(paramLabel = "KEY") String key) {
    try (KairosClient client = node.connect()) {
      client.queues().skipHead(handler, key);
      out().println(key + ": head skipped");
    }
    return 0;
  }

  @Command(
      name = "retry",
      mixinStandardHelpOptions = true,
      description = "Has the failing head of an ordering key tried again at once.")
  int retry(
      @Parameters(paramLabel = "HANDLER") String handler,
      @Parameters(paramLabel = "KEY") String key) {
    try (KairosClient client = node.connect()) {
      client.queues().retryHead(handler, key);
      out().println(key + ": head is tried again");
    }
    return 0;
  }

  @Command(
      name = "redrive",
      mixinStandardHelpOptions = true,
      description = {
        "Has failed tasks tried again: those that are named, or all that match, the oldest first.",
        "Prints their number."
      })
  int redrive(
      @Parameters(paramLabel = "ID", arity = "0..*", description = "Tasks, at most 1,000.")
          @Nullable List<String> ids,
      @Option(names = "--handler", description = "Those of this handler.") @Nullable String handler,
      @Option(names = "--state", description = "failed or dead; both when left out.")
          @Nullable TaskState state,
      @Option(names = "--before", description = "Those that ended before this time.")
          @Nullable Instant before,
      @Option(names = "--error", description = "Those whose last failure has this text in it.")
          @Nullable String error,
      @Option(names = "--all", description = "Those of all handlers.") boolean all,
      @Option(
              names = "--limit",
              defaultValue = "" + Integer.MAX_VALUE,
              description = "At most this many.")
          int limit,
      @Option(names = "--rate", description = "How many become due in a second; all at once.")
          double rate) {
    List<TaskId> these = ids == null ? List.of() : ids.stream().map(TaskId::of).toList();
    boolean named = !these.isEmpty();
    if (!named && !all && handler == null) {
      throw new ParameterException(
          spec.commandLine(), "Name tasks, or say which by --handler or --all.");
    }
    try (KairosClient client = node.connect()) {
      Redrive which = named ? Redrive.of(these) : filter(handler, state, before, error);
      out().println(redrive(client, which, named, limit, rate) + " put back");
    }
    return 0;
  }

  private static Redrive filter(
      @Nullable String handler,
      @Nullable TaskState state,
      @Nullable Instant before,
      @Nullable String error) {
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
  private static long redrive(
      KairosClient client, Redrive which, boolean named, int limit, double rate) {
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
      if (named || !result.more() || done >= limit) {
        return done;
      }
      next = next.after(result.ids().get(result.ids().size() - 1));
    }
  }
}
