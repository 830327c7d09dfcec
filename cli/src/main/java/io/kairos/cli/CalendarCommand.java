package io.kairos.cli;

import io.kairos.cli.text.OutputOptions;
import io.kairos.cli.text.Table;
import io.kairos.client.BusinessCalendar;
import io.kairos.client.KairosClient;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code kairos calendar ...}: holidays and working hours that schedules share. */
@Command(
    name = "calendar",
    mixinStandardHelpOptions = true,
    description =
        "Stores business calendars, which schedules name by --calendar; shows and deletes them.",
    footer = {"", "docs/schedules.md says what a calendar's lines may be."})
final class CalendarCommand extends NodeCommand {
  CalendarCommand() {
    super("Say what to do: put, get, list or delete.");
  }

  @Command(
      name = "put",
      mixinStandardHelpOptions = true,
      description = "Stores a calendar from a file, or changes it.")
  int put(
      @Parameters(paramLabel = "NAME") String name,
      @Parameters(paramLabel = "FILE", description = "With its lines, - for standard input.")
          String file,
      @Mixin OutputOptions output)
      throws IOException {
    String rules = InputFile.text(file);
    try (KairosClient client = connect()) {
      BusinessCalendar stored = client.schedules().putCalendar(name, rules);
      output.print(out(), stored, () -> stored.name() + ": generation " + stored.generation());
    }
    return 0;
  }

  @Command(name = "get", mixinStandardHelpOptions = true, description = "Shows a calendar.")
  int get(@Parameters(paramLabel = "NAME") String name, @Mixin OutputOptions output) {
    try (KairosClient client = connect()) {
      BusinessCalendar calendar = client.schedules().calendar(name);
      output.print(out(), calendar, () -> calendar.rules().stripTrailing());
    }
    return 0;
  }

  @Command(name = "list", mixinStandardHelpOptions = true, description = "Lists calendars by name.")
  int list(@Mixin OutputOptions output) {
    try (KairosClient client = connect()) {
      List<BusinessCalendar> calendars = client.schedules().calendars();
      output.print(
          out(),
          calendars,
          () -> {
            Table table = new Table("NAME", "GENERATION");
            calendars.forEach(one -> table.row(one.name(), one.generation()));
            return table;
          });
    }
    return 0;
  }

  @Command(
      name = "delete",
      mixinStandardHelpOptions = true,
      description = "Deletes a calendar. Exit code 1 while a schedule names it.")
  int delete(@Parameters(paramLabel = "NAME") String name) {
    try (KairosClient client = connect()) {
      client.schedules().deleteCalendar(name);
      out().println(name + ": deleted");
    }
    return 0;
  }
}
