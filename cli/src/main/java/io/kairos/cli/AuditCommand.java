package io.kairos.cli;

import static io.kairos.cli.option.Conditions.with;

import io.kairos.cli.command.AnswerCommand;
import io.kairos.cli.option.WatchOptions;
import io.kairos.cli.text.AnswerText;
import io.kairos.cli.text.TextTable;
import io.kairos.client.audit.AuditEntry;
import io.kairos.client.audit.AuditQuery;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kairos audit ...}: shows the audit log. */
@Command(
    name = "audit",
    addMethodSubcommands = false,
    description = "Shows who has changed what, and who was refused.")
final class AuditCommand extends AnswerCommand {
  @Command(
      name = "list",
      description = {
        "Lists calls that change something, and refused calls, newest first.",
        "The outcome BEGUN means that the end of the call is not known."
      })
  int list(
      @Option(names = "--caller", description = "Only calls of this caller.", defaultValue = "")
          String caller,
      @Option(
              names = "--action",
              description = "Only calls of this method, such as SetPause.",
              defaultValue = "")
          String action,
      @Option(
              names = "--kind",
              description =
                  "Only calls about this kind of object, such as handler, pool, schedule or task.",
              defaultValue = "")
          String kind,
      @Option(
              names = "--object",
              description = "Only calls about the object with this name or id.",
              defaultValue = "")
          String object,
      @Option(
              names = "--outcome",
              description = "Only calls with this outcome, such as OK or PERMISSION_DENIED.",
              defaultValue = "")
          String outcome,
      @Option(names = "--from", description = "Only calls at or after this time.")
          @Nullable Instant from,
      @Option(names = "--to", description = "Only calls before this time.") @Nullable Instant to,
      @Option(names = "--limit", defaultValue = "20", description = AnswerText.LIMIT) int limit,
      @Mixin WatchOptions watch) {
    AuditQuery calls =
        AuditQuery.all()
            .caller(caller)
            .action(action)
            .kind(kind)
            .object(object)
            .outcome(outcome.toUpperCase(Locale.ROOT))
            .limit(limit);
    AuditQuery query = with(with(calls, from, AuditQuery::from), to, AuditQuery::to);
    return show(watch, client -> client.audit(query), AuditCommand::table);
  }

  private static TextTable<AuditEntry> table(List<AuditEntry> entries) {
    return TextTable.of(entries)
        .column("TIME", AuditEntry::time)
        .column("CALLER", entry -> orDash(entry.caller()))
        .column("ADDRESS", entry -> orDash(entry.address()))
        .column("ACTION", AuditCommand::action)
        .column("OBJECT", AuditCommand::object)
        .column("OUTCOME", AuditEntry::outcome);
  }

  private static @Nullable String orDash(String text) {
    return text.isEmpty() ? null : text;
  }

  private static @Nullable String action(AuditEntry entry) {
    return entry.more() > 0 ? "and %,d more".formatted(entry.more()) : orDash(entry.action());
  }

  private static @Nullable String object(AuditEntry entry) {
    String object = (entry.kind() + " " + entry.object() + " " + entry.detail()).strip();
    return orDash(object);
  }
}
