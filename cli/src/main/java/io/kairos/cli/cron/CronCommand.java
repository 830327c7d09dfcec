package io.kairos.cli.cron;

import io.kairos.api.v1.CallModuleResponse;
import io.kairos.api.v1.CronEntry;
import io.kairos.api.v1.CronTable;
import io.kairos.cli.command.AnswerCommand;
import io.kairos.cli.option.ConfirmOptions;
import io.kairos.cli.option.Destination;
import io.kairos.cli.option.PayloadOptions;
import io.kairos.cli.option.WatchOptions;
import io.kairos.cli.text.AnswerText;
import io.kairos.cli.text.ApiMessages;
import io.kairos.client.CronClient;
import io.kairos.client.CronReply;
import io.kairos.domain.time.DurationText;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kairos cron ...}: the tables of a replicated cron, and its replicas. */
@Command(
    name = "cron",
    addMethodSubcommands = false,
    description = "Shows the replicas of a replicated cron, shows and changes its tables.",
    footer = {
      "",
      "Put an entry, and watch its fires:",
      "  kairos cron put --component 1 --position 10 --every 10s --task mail",
      "  kairos cron entries",
      "  kairos cron fires --component 1",
      "  kairos cron status"
    },
    subcommands = {CronStatusCommand.class, CronPutCommand.class})
public final class CronCommand extends AnswerCommand {
  CronCommand() {
    super(Destination.REPLICAS);
  }

  @Command(
      name = "tables",
      description = "Lists the tables with their intervals and numbers of entries.")
  int tables(@Mixin WatchOptions watch) {
    return show(
        watch,
        client -> client.cron().tables().stream().map(CronCommand::message).toList(),
        CronText::tables);
  }

  /** The change of a table: exactly one option. */
  static final class TableChange {
    @Option(
        names = "--tick",
        description = "Interval at which it is evaluated, 1ms to 24h; 0s for never.")
    @Nullable Duration tick;

    @Option(names = "--remove", description = "Removes it with all its entries.")
    boolean remove;
  }

  @Command(name = "table", description = "Sets how often a table is evaluated, or removes it.")
  int table(
      @Option(names = "--component", required = true, paramLabel = "C") long component,
      @ArgGroup(multiplicity = "1") TableChange change,
      @Mixin ConfirmOptions confirmation) {
    if (change.remove) {
      confirm(confirmation, "Remove table %d with all its entries?".formatted(component));
    }
    return tell(client -> {
      Duration tick = change.tick;
      if (tick == null) {
        return "component %d: removed, at sequence %d"
            .formatted(component, client.cron().removeTable(component));
      }
      return "component %d: ticks every %s, at sequence %d"
          .formatted(component, DurationText.of(tick), client.cron().putTable(component, tick));
    });
  }

  @Command(
      name = "entries",
      description = "Lists entries by component and position, with their next fires.")
  int entries(
      @Option(
              names = "--component",
              paramLabel = "C",
              description = "Only entries of this component.")
          @Nullable Long component,
      @Option(names = "--limit", defaultValue = "100", description = AnswerText.LIMIT) int limit,
      @Mixin WatchOptions watch) {
    return show(
        watch,
        client -> {
          CronClient cron = client.cron();
          return (component == null ? cron.entries(limit) : cron.entries(component, limit))
              .stream().map(CronCommand::message).toList();
        },
        CronText::entries);
  }

  @Command(name = "show", description = "Shows an entry with its fires and its last failure.")
  int show(@Mixin CronPlaceOptions place) {
    return show(
        client -> message(client.cron().entry(place.component, place.position)),
        CronText::describe);
  }

  private static CronTable message(io.kairos.client.CronTable table) {
    return ApiMessages.read(CronTable.getDefaultInstance(), table.message());
  }

  private static CronEntry message(io.kairos.client.CronEntry entry) {
    return ApiMessages.read(CronEntry.getDefaultInstance(), entry.message());
  }

  /** The entries to remove: exactly one option. */
  static final class Removal {
    @Option(names = "--position", paramLabel = "P", description = "The entry at this position.")
    @Nullable Integer position;

    @Option(names = "--all", description = "All entries; the table stays.")
    boolean all;
  }

  @Command(name = "remove", description = "Removes an entry of a table, or all of them.")
  int remove(
      @Option(names = "--component", required = true, paramLabel = "C") long component,
      @ArgGroup(multiplicity = "1") Removal removal,
      @Mixin ConfirmOptions confirmation) {
    Integer position = removal.position;
    confirm(
        confirmation,
        "Remove %s of component %d?"
            .formatted(position == null ? "all entries" : "position " + position, component));
    return tell(client -> {
      if (position == null) {
        return "component %d: %d removed".formatted(component, client.cron().removeAll(component));
      }
      return "position %d of component %d: removed, at sequence %d"
          .formatted(position, component, client.cron().remove(component, position));
    });
  }

  @Command(name = "fires", description = "Lists the latest fires of a table, newest first.")
  int fires(
      @Option(names = "--component", required = true, paramLabel = "C") long component,
      @Option(
              names = "--limit",
              defaultValue = "20",
              description = "Maximum number of fires, up to 1,000 (default ${DEFAULT-VALUE}).")
          int limit,
      @Mixin WatchOptions watch) {
    return show(watch, client -> client.cron().fires(component, limit), CronText::fires);
  }

  /** The caller and its request: both options or none. */
  static final class Numbered {
    @Option(
        names = "--client",
        required = true,
        paramLabel = "N",
        description = "Number of the caller, from 0, that no other caller uses.")
    long client;

    @Option(
        names = "--request",
        required = true,
        paramLabel = "N",
        description = "Number of the request, rising; each number is executed once.")
    long request;
  }

  @Command(
      name = "call",
      description = {
        "Executes a request by a module of the replicas, and prints the reply as UTF-8.",
        "With --client and --request the call is idempotent: repeats are executed once."
      })
  int call(
      @Parameters(paramLabel = "MODULE") String module,
      @ArgGroup @Nullable PayloadOptions payload,
      @ArgGroup(exclusive = false) @Nullable Numbered numbered)
      throws IOException {
    byte[] body = PayloadOptions.bytes(payload);
    return show(
        client -> {
          CronClient cron = client.cron();
          CronReply reply =
              numbered == null
                  ? cron.call(module, body)
                  : cron.call(module, body, numbered.client, numbered.request);
          return ApiMessages.read(CallModuleResponse.getDefaultInstance(), reply.message());
        },
        answer -> answer.getReply().toStringUtf8());
  }
}
