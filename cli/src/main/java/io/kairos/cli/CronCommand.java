package io.kairos.cli;

import com.google.protobuf.ByteString;
import io.kairos.api.text.DurationText;
import io.kairos.api.v1.CallModuleRequest;
import io.kairos.api.v1.CallModuleResponse;
import io.kairos.api.v1.CronEntry;
import io.kairos.api.v1.CronFire;
import io.kairos.api.v1.CronTable;
import io.kairos.cli.text.OutputOptions;
import io.kairos.client.CronClient;
import io.kairos.client.KairosClient;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kairos cron ...}: the tables of a replicated cron, and its replicas. */
@Command(
    name = "cron",
    mixinStandardHelpOptions = true,
    description = "Shows the replicas of a replicated cron, shows and changes its tables.",
    footer = {
      "",
      "Put an entry, see what comes of it:",
      "  kairos cron put --component 1 --position 10 --every 10s --task mail",
      "  kairos cron entries",
      "  kairos cron fires --component 1",
      "  kairos cron status"
    },
    subcommands = {CronStatusCommand.class, CronPutCommand.class})
final class CronCommand extends NodeCommand {
  CronCommand() {
    super(
        "Say what to do: status, tables, table, entries, show, put, remove, fires or call.",
        new ReplicaOptions());
  }

  private int ask(Consumer<CronClient> calls) {
    try (KairosClient client = connect()) {
      calls.accept(client.cron());
    }
    return 0;
  }

  @Command(
      name = "tables",
      mixinStandardHelpOptions = true,
      description = "Lists the tables: how often they are evaluated, and what they have.")
  int tables(@Mixin OutputOptions output) {
    return ask(cron -> {
      List<CronTable> tables = cron.tables();
      output.print(out(), tables, () -> CronText.tables(tables));
    });
  }

  /** What becomes of a table: exactly one. */
  static final class TableChange {
    @Option(
        names = "--tick",
        converter = DurationWord.class,
        description = "Evaluates it that often, 1ms to 24h; 0s for not at all.")
    @Nullable Duration tick;

    @Option(names = "--remove", description = "Removes it with all its entries.")
    boolean remove;
  }

  @Command(
      name = "table",
      mixinStandardHelpOptions = true,
      description = "Sets how often a table is evaluated, or removes it.")
  int table(
      @Option(names = "--component", required = true, paramLabel = "C") long component,
      @ArgGroup(multiplicity = "1") TableChange change) {
    return ask(cron -> {
      if (change.tick == null) {
        long sequence = cron.removeTable(component);
        out().println("component %d: removed, at sequence %d".formatted(component, sequence));
      } else {
        long sequence = cron.putTable(component, change.tick);
        out()
            .println(
                "component %d: ticks every %s, at sequence %d"
                    .formatted(component, DurationText.of(change.tick), sequence));
      }
    });
  }

  @Command(
      name = "entries",
      mixinStandardHelpOptions = true,
      description = "Lists entries by component and position, with when they act next.")
  int entries(
      @Option(names = "--component", paramLabel = "C", description = "Only those of this one.")
          @Nullable Long component,
      @Option(
              names = "--limit",
              defaultValue = "100",
              description = "At most this many (default ${DEFAULT-VALUE}).")
          int limit,
      @Mixin OutputOptions output) {
    return ask(cron -> {
      List<CronEntry> entries = cron.entries(component, limit);
      output.print(out(), entries, () -> CronText.entries(entries));
    });
  }

  @Command(
      name = "show",
      mixinStandardHelpOptions = true,
      description = "Shows an entry, what has come of it and how it failed.")
  int show(@Mixin CronPlaceOptions place, @Mixin OutputOptions output) {
    return ask(cron -> {
      CronEntry entry = cron.entry(place.component, place.position);
      output.print(out(), entry, () -> CronText.describe(entry));
    });
  }

  /** Which entries go: exactly one. */
  static final class Removal {
    @Option(names = "--position", paramLabel = "P", description = "The one at this position.")
    @Nullable Integer position;

    @Option(names = "--all", description = "All of the table, which stays.")
    boolean all;
  }

  @Command(
      name = "remove",
      mixinStandardHelpOptions = true,
      description = "Removes an entry of a table, or all of them.")
  int remove(
      @Option(names = "--component", required = true, paramLabel = "C") long component,
      @ArgGroup(multiplicity = "1") Removal removal) {
    return ask(cron -> {
      if (removal.position == null) {
        int count = cron.removeAll(component);
        out().println("component %d: %d removed".formatted(component, count));
      } else {
        long sequence = cron.remove(component, removal.position);
        out()
            .println(
                "position %d of component %d: removed, at sequence %d"
                    .formatted(removal.position, component, sequence));
      }
    });
  }

  @Command(
      name = "fires",
      mixinStandardHelpOptions = true,
      description = "Lists what has fired last in a table, newest first.")
  int fires(
      @Option(names = "--component", required = true, paramLabel = "C") long component,
      @Option(
              names = "--limit",
              defaultValue = "20",
              description = "At most this many, up to 1,000 (default ${DEFAULT-VALUE}).")
          int limit,
      @Mixin OutputOptions output) {
    return ask(cron -> {
      List<CronFire> fires = cron.fires(component, limit);
      output.print(out(), fires, () -> CronText.fires(fires));
    });
  }

  /** Who calls: both or none. */
  static final class Numbered {
    @Option(
        names = "--client",
        required = true,
        paramLabel = "N",
        description = "A number from 0 on that nobody else uses.")
    long client;

    @Option(
        names = "--request",
        required = true,
        paramLabel = "N",
        description = "Of the request, rising: the same number is executed once.")
    long request;
  }

  @Command(
      name = "call",
      mixinStandardHelpOptions = true,
      description = {
        "Has a module of the replicas execute a request, and prints its reply as UTF-8.",
        "With --client and --request it can be repeated, and is executed once."
      })
  int call(
      @Parameters(paramLabel = "MODULE") String module,
      @ArgGroup @Nullable PayloadOptions payload,
      @ArgGroup(exclusive = false) @Nullable Numbered numbered,
      @Mixin OutputOptions output)
      throws IOException {
    CallModuleRequest.Builder request =
        CallModuleRequest.newBuilder()
            .setModule(module)
            .setBody(ByteString.copyFrom(PayloadOptions.bytes(payload)));
    if (numbered != null) {
      request.setClient(numbered.client).setRequest(numbered.request);
    }
    return ask(cron -> {
      CallModuleResponse answer = cron.call(request.build());
      output.print(out(), answer, () -> answer.getReply().toStringUtf8());
    });
  }
}
