package io.kairos.cli;

import io.kairos.cli.command.AnswerCommand;
import io.kairos.cli.option.WatchOptions;
import io.kairos.cli.text.AnswerText;
import io.kairos.cli.text.TextTable;
import io.kairos.client.cluster.WorkerStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kairos workers}: lists workers, and drains one. */
@Command(
    name = "workers",
    addMethodSubcommands = false,
    description = {
      "Lists workers that have asked for work in the last day, and drains one.",
      "Those heard of in the last two minutes come first."
    })
final class WorkersCommand extends AnswerCommand {
  @Option(names = "--limit", defaultValue = "100", description = AnswerText.LIMIT)
  private int limit;

  @Mixin private WatchOptions watch = new WatchOptions();

  @Override
  public void run() {
    int _ = show(watch, client -> client.workers(limit), WorkersCommand::table);
  }

  private static TextTable<WorkerStatus> table(List<WorkerStatus> workers) {
    return TextTable.of(workers)
        .column("WORKER", WorkerStatus::id)
        .column("HOST", worker -> orDash(worker.host()))
        .column("VERSION", worker -> orDash(worker.version()))
        .column("SLOTS", WorkersCommand::slots)
        .column("SEEN", WorkerStatus::seenAt)
        .column("LAPSED", WorkerStatus::lapsed)
        .column("STATE", WorkersCommand::state)
        .column("HANDLERS", worker -> String.join(",", worker.handlers()));
  }

  private static @Nullable String orDash(String text) {
    return text.isEmpty() ? null : text;
  }

  private static String slots(WorkerStatus worker) {
    return worker.slots() == 0
        ? worker.running() + " in use"
        : worker.running() + " of " + worker.slots();
  }

  private static @Nullable String state(WorkerStatus worker) {
    return worker.isDraining() ? "drained" : null;
  }

  @Command(
      name = "drain",
      description = {
        "Gives a worker no more tasks. Those that it performs go on.",
        "The drain ends with the worker: when it starts again under a new name, it is given tasks."
      })
  int drain(
      @Parameters(paramLabel = "NAME", description = "Id of the worker.") String worker,
      @Option(names = "--undo", description = "Gives it tasks again.") boolean undo) {
    return show(
        client -> undo ? client.endDrainOfWorker(worker) : client.drainWorker(worker),
        drained ->
            drained.id()
                + (drained.isDraining()
                    ? ": is given no more tasks, %,d running".formatted(drained.running())
                    : ": is given tasks again"));
  }
}
