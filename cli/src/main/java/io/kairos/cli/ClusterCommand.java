package io.kairos.cli;

import static java.util.Objects.requireNonNull;

import io.kairos.cli.command.MainCommand;
import io.kairos.cli.option.CallOptions;
import io.kairos.cli.option.Destination;
import io.kairos.cli.text.AnswerText;
import io.kairos.cli.text.TextTable;
import io.kairos.client.KairosClient;
import io.kairos.client.cluster.ClusterOverview;
import io.kairos.client.cluster.ClusterOverview.Finding;
import io.kairos.client.cluster.ClusterOverview.Member;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code kairos cluster}: shows all nodes, and what is wrong. */
@Command(
    name = "cluster",
    description = {
      "Shows the nodes, and what is wrong, the most severe first.",
      "Nodes that died are shown for an hour."
    })
final class ClusterCommand implements Callable<Integer> {
  private static final int BYTES_PER_MIB = 1 << 20;

  @ParentCommand private @Nullable MainCommand main;
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    CallOptions calls = requireNonNull(main).calls();
    try (KairosClient client = calls.client(Destination.NODES).build()) {
      ClusterOverview overview = client.cluster();
      calls
          .format(Destination.NODES)
          .print(spec.commandLine().getOut(), overview, () -> text(overview));
      return 0;
    }
  }

  private static String text(ClusterOverview overview) {
    String nodes =
        TextTable.of(overview.nodes())
            .column("NODE", Member::name)
            .column("STATE", node -> node.isDead() ? "dead" : "alive")
            .column("VERSION", node -> node.version().isEmpty() ? null : node.version())
            .column("SEEN", Member::seenAt)
            .column("CLOCK", node -> millis(node.clockOffset()))
            .column("LOAD", node -> node.load() == null ? null : "%.2f".formatted(node.load()))
            .column("HEAP", node -> node.heapBytes() / BYTES_PER_MIB + " MiB")
            .column("DOORS", node -> String.join(",", node.doors()))
            .toString();
    if (overview.alarms().isEmpty()) {
      return nodes + "\n\nnothing is wrong";
    }
    return nodes
        + "\n\n"
        + TextTable.of(overview.alarms())
            .column("SEVERITY", alarm -> AnswerText.of(alarm.severity()))
            .column("SINCE", Finding::since)
            .column("WHAT IS WRONG", Finding::text);
  }

  private static @Nullable String millis(@Nullable Duration length) {
    return length == null ? null : length.toMillis() + " ms";
  }
}
