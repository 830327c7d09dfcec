package io.kairos.cli;

import static java.util.Objects.requireNonNull;

import io.kairos.cli.command.MainCommand;
import io.kairos.cli.option.CallOptions;
import io.kairos.cli.option.Destination;
import io.kairos.cli.text.AnswerText;
import io.kairos.cli.text.TextTable;
import io.kairos.client.KairosClient;
import io.kairos.client.PolledStep;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code kairos poll}: drives a node from outside. */
@Command(
    name = "poll",
    description = {
      "Makes a node do everything that is due: a node with node.loops=external",
      "does so only when it is polled. Of several nodes, one that can act is polled."
    },
    footer = {
      "",
      "Exit code 1 also when a step failed; it tries again by itself, and the node's log"
          + " says more.",
      "docs/operations.md lists the steps and what they count."
    })
final class PollCommand implements Callable<Integer> {
  private static final int A_STEP_FAILED = 1;
  private static final Duration ROUND_TRIP = Duration.ofSeconds(5);

  @ParentCommand private @Nullable MainCommand main;
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--within",
      paramLabel = "DURATION",
      defaultValue = "5s",
      description =
          "Time after which the node answers in any case; unfinished steps go on (default"
              + " ${DEFAULT-VALUE}, at most 60s).")
  private Duration within = Duration.ofSeconds(5);

  @Override
  public Integer call() {
    CallOptions calls = requireNonNull(main).calls();
    try (KairosClient client =
        calls.client(Destination.NODES).callTimeout(within.plus(ROUND_TRIP)).build()) {
      List<PolledStep> steps = client.poll(within);
      calls.format(Destination.NODES).print(spec.commandLine().getOut(), steps, () -> table(steps));
      boolean failed = steps.stream().anyMatch(step -> step.outcome() == PolledStep.Outcome.FAILED);
      return failed ? A_STEP_FAILED : 0;
    }
  }

  private static TextTable<PolledStep> table(List<PolledStep> steps) {
    return TextTable.of(steps)
        .column("STEP", PolledStep::name)
        .column("DONE", PolledStep::done)
        .column("ROUNDS", PolledStep::rounds)
        .column("OUTCOME", step -> AnswerText.of(step.outcome()));
  }
}
