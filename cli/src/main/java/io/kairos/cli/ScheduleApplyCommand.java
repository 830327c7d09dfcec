package io.kairos.cli;

import io.kairos.api.v1.Calendar;
import io.kairos.cli.command.PartCommand;
import io.kairos.cli.option.InputFile;
import io.kairos.cli.text.ApiMessages;
import io.kairos.cli.text.RefusalText;
import io.kairos.cli.text.ScheduleFile;
import io.kairos.cli.text.ScheduleText;
import io.kairos.client.AppliedSchedule;
import io.kairos.client.KairosClient;
import io.kairos.client.ScheduleClient;
import io.kairos.client.ScheduleSpec;
import io.kairos.client.error.InvalidRequestException;
import io.kairos.client.error.TaskConflictException;
import io.kairos.client.error.TaskNotFoundException;
import io.kairos.client.schedule.BusinessCalendar;
import io.kairos.client.schedule.PlannedFire;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code kairos schedule apply -f FILE}: creates or changes schedules and calendars from files. */
@Command(
    name = "apply",
    description = {
      "Creates or changes the schedules and business calendars of a YAML file, and lists"
          + " the changes.",
      "The nodes validate everything first: when they refuse anything, all refusals are"
          + " printed, and nothing is stored.",
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
final class ScheduleApplyCommand extends PartCommand {

  @Option(
      names = {"-f", "--file"},
      required = true,
      split = ",",
      description = "Files, - for standard input.")
  List<String> files = List.of();

  @Option(
      names = "--dry-run",
      description = "Only lists the changes, and next fire times of new and changed schedules.")
  boolean dryRun;

  @Override
  public Integer call() throws IOException {
    List<ScheduleFile> read = new ArrayList<>();
    for (String file : files) {
      read.add(ScheduleFile.read(file, InputFile.text(file)));
    }
    try (KairosClient client = group().connect()) {
      ScheduleClient schedules = client.schedules();
      List<AppliedSchedule> expected = dryRun(schedules, read);
      if (dryRun) {
        show(expected);
        return 0;
      }
      for (ScheduleFile file : read) {
        file.calendars().forEach(one -> schedules.putCalendar(one.getName(), one.getRules()));
      }
      List<AppliedSchedule> applied = new ArrayList<>();
      read.forEach(
          file -> file.schedules().forEach(entry -> applied.add(schedules.apply(entry.spec()))));
      show(applied);
    }
    return 0;
  }

  /** Returns the changes that applying would make, or throws with all refusals. */
  private static List<AppliedSchedule> dryRun(ScheduleClient schedules, List<ScheduleFile> files) {
    List<AppliedSchedule> expected = new ArrayList<>();
    List<String> refusals = new ArrayList<>();
    List<BusinessCalendar> calendars = new ArrayList<>();
    for (ScheduleFile file : files) {
      for (Calendar calendar : file.calendars()) {
        try {
          calendars.add(schedules.checkCalendar(calendar.getName(), calendar.getRules()));
        } catch (InvalidRequestException e) {
          refusals.add("calendar " + calendar.getName() + ": " + RefusalText.of(e));
        }
      }
    }
    for (ScheduleFile file : files) {
      for (ScheduleFile.Entry entry : file.schedules()) {
        try {
          expected.add(schedules.dryRun(entry.spec(), named(entry.spec(), calendars)));
        } catch (InvalidRequestException | TaskNotFoundException | TaskConflictException e) {
          refusals.add(entry.place() + ": " + RefusalText.of(e));
        }
      }
    }
    if (!refusals.isEmpty()) {
      throw new IllegalArgumentException(String.join(System.lineSeparator(), refusals));
    }
    return expected;
  }

  /** Returns the calendars of the files that a schedule uses. */
  private static List<BusinessCalendar> named(ScheduleSpec spec, List<BusinessCalendar> calendars) {
    return calendars.stream()
        .filter(calendar ->
            ApiMessages.of(spec).getCalendarsList().stream()
                .anyMatch(use -> use.getName().equals(calendar.name())))
        .toList();
  }

  private void show(List<AppliedSchedule> done) {
    group()
        .print(
            done,
            () ->
                done.stream().map(this::words).collect(Collectors.joining(System.lineSeparator())));
  }

  private String words(AppliedSchedule applied) {
    StringBuilder text = new StringBuilder(ScheduleText.applied(applied, dryRun));
    if (dryRun && applied.outcome() != AppliedSchedule.Outcome.UNCHANGED) {
      for (PlannedFire fire : applied.schedule().nextFires()) {
        text.append(System.lineSeparator()).append("  next ").append(ScheduleText.planned(fire));
      }
    }
    return text.toString();
  }
}
