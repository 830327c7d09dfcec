package io.kairos.cli;

import io.kairos.api.text.TerminalText;
import io.kairos.cli.command.NodeCommand;
import io.kairos.cli.imports.ForeignSchedule;
import io.kairos.cli.imports.ImportSource;
import io.kairos.cli.imports.SkippedSchedule;
import io.kairos.cli.text.AnswerText;
import io.kairos.cli.text.RefusalText;
import io.kairos.cli.text.ScheduleText;
import io.kairos.cli.text.TextTable;
import io.kairos.client.AppliedSchedule;
import io.kairos.client.KairosClient;
import io.kairos.client.ScheduleClient;
import io.kairos.client.ScheduleStatus;
import io.kairos.client.error.KairosException;
import io.kairos.client.error.NodesUnavailableException;
import io.kairos.client.schedule.PlannedFire;
import io.kairos.client.schedule.Preview;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Compares the schedules that were read with the previews of a node, and stores them. */
final class ImportRun {
  private static final int REFUSED = 1;
  private static final int MOST_COMPARED = 1_000;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command = CommandSpec.create();

  @Option(
      names = "--dry-run",
      description = "Only shows the next fire times of each schedule in both systems.")
  boolean dryRun;

  @Option(
      names = "--count",
      defaultValue = "5",
      description = "Number of fire times to compare, 1 to 1,000 (default ${DEFAULT-VALUE}).")
  int count;

  @Option(
      names = "--accept-differences",
      description = "Also stores schedules whose fire times differ, or cannot be compared.")
  boolean acceptDifferences;

  /** How many schedules were, or would be, created and so on. */
  private final Map<AppliedSchedule.Outcome, Integer> outcomes =
      new EnumMap<>(AppliedSchedule.Outcome.class);

  /** Returns a source to be read; the patterns are those of the names of schedules and handlers. */
  ImportSource source(String schedules, String handlers) {
    if (count < 1 || count > MOST_COMPARED) {
      throw new ParameterException(command.commandLine(), "--count: must be 1 to 1,000");
    }
    return new ImportSource(schedules, handlers, Instant.now(), count);
  }

  /**
   * Imports schedules one by one.
   *
   * @return the exit code
   */
  int perform(NodeCommand group, ImportSource read) {
    Consumer<Object> out = text -> group.out().println(TerminalText.lines(text.toString()));
    int refused = 0;
    try (KairosClient client = group.connect()) {
      for (ForeignSchedule one : read.found()) {
        try {
          refused += take(client.schedules(), out, one, read.now()) ? 0 : 1;
        } catch (NodesUnavailableException e) {
          throw e;
        } catch (KairosException e) {
          out.accept(one.place() + "  " + one.original());
          out.accept("  not imported: " + RefusalText.of(e));
          refused++;
        }
      }
    }
    for (SkippedSchedule one : read.passed()) {
      out.accept(one.place() + "  " + one.original());
      out.accept("  not imported: " + one.reason());
    }
    int left = refused + read.passed().size();
    if (dryRun) {
      outcomes.forEach((outcome, schedules) ->
          out.accept("would be " + AnswerText.of(outcome) + ": " + schedules));
    }
    out.accept(
        "%d %s, %d not"
            .formatted(
                read.found().size() - refused, dryRun ? "can be imported" : "imported", left));
    return left == 0 ? 0 : REFUSED;
  }

  private boolean take(
      ScheduleClient schedules, Consumer<Object> out, ForeignSchedule one, Instant now) {
    Preview preview = schedules.preview(one.spec(), now, count);
    out.accept(one.place() + "  " + one.original() + "  -> " + one.spec().name());
    out.accept("  " + preview.description());
    one.remarks().forEach(remark -> out.accept("  note: " + remark));
    boolean same = compare(out, one, preview.fires());
    if (!same && !acceptDifferences) {
      String fires = one.known() == ForeignSchedule.Known.NOTHING ? "may fire" : "fires";
      out.accept(
          "  not imported: it %s at other times here; --accept-differences stores it"
              .formatted(fires));
      return false;
    }
    AppliedSchedule applied = dryRun ? schedules.dryRun(one.spec()) : schedules.apply(one.spec());
    outcomes.merge(applied.outcome(), 1, Integer::sum);
    out.accept("  " + ScheduleText.applied(applied, dryRun).replace("\n", "\n  "));
    if (one.paused() && dryRun) {
      out.accept("  would be paused, as it is there");
    } else if (one.paused() && applied.schedule().state() == ScheduleStatus.State.ACTIVE) {
      return pause(schedules, out, one.spec().name());
    }
    return true;
  }

  /** Pauses a stored schedule. A failure counts as not imported, because the schedule fires. */
  private static boolean pause(ScheduleClient schedules, Consumer<Object> out, String name) {
    try {
      schedules.pause(name, "paused when it was imported");
      out.accept("  paused, as it is there");
      return true;
    } catch (KairosException e) {
      out.accept("  stored but NOT paused: " + RefusalText.of(e));
      return false;
    }
  }

  private record Compared(String there, String here, String verdict) {}

  /**
   * Compares fire times, as many as both systems give; skipped fire times of the node do not count.
   */
  private static boolean compare(
      Consumer<Object> out, ForeignSchedule one, List<PlannedFire> planned) {
    List<Instant> theirs = one.fires();
    List<Instant> ours =
        planned.stream().filter(fire -> fire.skipped() == null).map(PlannedFire::fireTime).toList();
    List<Compared> rows = new ArrayList<>();
    boolean same = true;
    for (int i = 0; i < Math.max(theirs.size(), ours.size()); i++) {
      String there = i < theirs.size() ? theirs.get(i).toString() : "-";
      String here = i < ours.size() ? ours.get(i).toString() : "-";
      boolean told = i < theirs.size() || one.known() == ForeignSchedule.Known.ALL;
      boolean differs = told && !there.equals(here);
      same &= !differs;
      rows.add(new Compared("  " + there, here, differs ? "differs" : ""));
    }
    out.accept(
        TextTable.of(rows)
            .column("  THERE", Compared::there)
            .column("HERE", Compared::here)
            .column("", Compared::verdict));
    if (one.known() == ForeignSchedule.Known.NOTHING) {
      out.accept("  not compared: when it fires there cannot be computed");
      return false;
    }
    return same;
  }
}
