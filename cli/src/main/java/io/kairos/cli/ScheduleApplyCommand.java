package io.kairos.cli;

import static java.util.Objects.requireNonNull;

import io.kairos.api.v1.Calendar;
import io.kairos.cli.text.OutputOptions;
import io.kairos.cli.text.ScheduleFile;
import io.kairos.client.Applied;
import io.kairos.client.BusinessCalendar;
import io.kairos.client.InvalidRequestException;
import io.kairos.client.KairosClient;
import io.kairos.client.PlannedFire;
import io.kairos.client.ScheduleClient;
import io.kairos.client.ScheduleSpec;
import io.kairos.client.TaskConflictException;
import io.kairos.client.TaskNotFoundException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code kairos schedule apply -f FILE}: what a file says is to hold. */
@Command(
    name = "apply",
    mixinStandardHelpOptions = true,
    description = {
      "Creates or changes the schedules and business calendars of a YAML file, and says which were"
          + " different.",
      "All of it is checked first: when the nodes refuse one, each refusal is printed, and nothing"
          + " is stored.",
      "Schedules that are not in the file stay as they are."
    },
    footer = {
      "",
      "schedules:",
      "  - name: reports/daily",
      "    cron: {expression: 0 9 * * MON-FRI}",
      "    timeZone: Europe/Berlin",
      "    target: {handler: report, text: daily}",
      "    policies: {overlap: BUFFER_ONE, catchUp: {mode: ALL, window: 2h}}"
    })
final class ScheduleApplyCommand implements Callable<Integer> {
  @ParentCommand @Nullable NodeCommand group;
  @Spec CommandSpec spec = CommandSpec.create();

  @Option(
      names = {"-f", "--file"},
      required = true,
      split = ",",
      description = "Files, - for standard input.")
  List<String> files = List.of();

  @Option(
      names = "--dry-run",
      description = "Only says what would be different, and when what is new would fire.")
  boolean dryRun;

  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() throws IOException {
    List<ScheduleFile> read = new ArrayList<>();
    for (String file : files) {
      read.add(ScheduleFile.read(file, InputFile.text(file)));
    }
    try (KairosClient client = requireNonNull(group).connect()) {
      ScheduleClient schedules = client.schedules();
      List<Applied> expected = dryRun(schedules, read);
      if (dryRun) {
        show(expected);
        return 0;
      }
      for (ScheduleFile file : read) {
        file.calendars().forEach(one -> schedules.putCalendar(one.getName(), one.getRules()));
      }
      List<Applied> applied = new ArrayList<>();
      read.forEach(
          file -> file.schedules().forEach(entry -> applied.add(schedules.apply(entry.spec()))));
      show(applied);
    }
    return 0;
  }

  /** All refusals at once, or what applying would do. */
  private static List<Applied> dryRun(ScheduleClient schedules, List<ScheduleFile> files) {
    List<Applied> expected = new ArrayList<>();
    List<String> refusals = new ArrayList<>();
    List<BusinessCalendar> calendars = new ArrayList<>();
    for (ScheduleFile file : files) {
      for (Calendar calendar : file.calendars()) {
        try {
          calendars.add(schedules.checkCalendar(calendar.getName(), calendar.getRules()));
        } catch (InvalidRequestException e) {
          refusals.add("calendar " + calendar.getName() + ": " + CliMain.words(e));
        }
      }
    }
    for (ScheduleFile file : files) {
      for (ScheduleFile.Entry entry : file.schedules()) {
        try {
          expected.add(schedules.dryRun(entry.spec(), named(entry.spec(), calendars)));
        } catch (InvalidRequestException | TaskNotFoundException | TaskConflictException e) {
          refusals.add(entry.place() + ": " + CliMain.words(e));
        }
      }
    }
    if (!refusals.isEmpty()) {
      throw new IllegalArgumentException(String.join(System.lineSeparator(), refusals));
    }
    return expected;
  }

  /** Calendars of the files, as they are going to be. */
  private static List<BusinessCalendar> named(ScheduleSpec spec, List<BusinessCalendar> calendars) {
    return calendars.stream()
        .filter(calendar ->
            spec.wire().getCalendarsList().stream()
                .anyMatch(use -> use.getName().equals(calendar.name())))
        .toList();
  }

  private void show(List<Applied> done) {
    PrintWriter out = spec.commandLine().getOut();
    output.print(
        out,
        done,
        () -> done.stream().map(this::words).collect(Collectors.joining(System.lineSeparator())));
  }

  private String words(Applied applied) {
    StringBuilder text = new StringBuilder(ScheduleText.applied(applied));
    if (dryRun && applied.outcome() != Applied.Outcome.UNCHANGED) {
      for (PlannedFire fire : applied.schedule().nextFires()) {
        text.append(System.lineSeparator()).append("  next ").append(ScheduleText.planned(fire));
      }
    }
    return text.toString();
  }
}
