package io.kairos.cli;

import io.kairos.cli.command.AnswerCommand;
import io.kairos.cli.option.ConfirmOptions;
import io.kairos.cli.option.InputFile;
import io.kairos.cli.option.WatchOptions;
import io.kairos.cli.text.TextTable;
import io.kairos.client.schedule.BusinessCalendar;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code kairos calendar ...}: holidays and working hours that schedules share. */
@Command(
    name = "calendar",
    addMethodSubcommands = false,
    description = "Stores, shows and deletes business calendars, used by the option --calendar.",
    footer = {"", "docs/schedules.md describes the lines of a calendar."})
final class CalendarCommand extends AnswerCommand {
  @Command(name = "put", description = "Creates or replaces a calendar from a file.")
  int put(
      @Parameters(paramLabel = "NAME") String name,
      @Parameters(
              paramLabel = "FILE",
              description = "File with the lines of the calendar, - for standard input.")
          String file)
      throws IOException {
    String rules = InputFile.text(file);
    return show(
        client -> client.schedules().putCalendar(name, rules),
        stored -> stored.name() + ": generation " + stored.generation());
  }

  @Command(name = "get", description = "Shows a calendar.")
  int get(@Parameters(paramLabel = "NAME") String name) {
    return show(
        client -> client.schedules().calendar(name), calendar -> calendar.rules().stripTrailing());
  }

  @Command(name = "list", description = "Lists calendars by name.")
  int list(@Mixin WatchOptions watch) {
    return show(watch, client -> client.schedules().calendars(), CalendarCommand::table);
  }

  private static TextTable<BusinessCalendar> table(List<BusinessCalendar> calendars) {
    return TextTable.of(calendars)
        .column("NAME", BusinessCalendar::name)
        .column("GENERATION", BusinessCalendar::generation);
  }

  @Command(
      name = "delete",
      description = "Deletes a calendar. Exit code 1 while a schedule uses it.")
  int delete(@Parameters(paramLabel = "NAME") String name, @Mixin ConfirmOptions confirmation) {
    confirm(confirmation, "Delete the calendar %s?".formatted(name));
    return tell(client -> client.schedules().deleteCalendar(name), name + ": deleted");
  }
}
