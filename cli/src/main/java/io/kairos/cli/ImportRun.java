package io.kairos.cli;

import io.kairos.cli.imports.Found;
import io.kairos.cli.imports.Passed;
import io.kairos.cli.imports.Reading;
import io.kairos.cli.text.Table;
import io.kairos.client.Applied;
import io.kairos.client.KairosClient;
import io.kairos.client.KairosException;
import io.kairos.client.NodesUnavailableException;
import io.kairos.client.PlannedFire;
import io.kairos.client.Preview;
import io.kairos.client.ScheduleClient;
import io.kairos.client.ScheduleStatus;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Option;

/** Shows what was read beside what a node makes of it, and stores it. */
final class ImportRun {
  private static final int REFUSED = 1;

  @Option(
      names = "--dry-run",
      description = "Only shows, for each, its next fire times there and here.")
  boolean dryRun;

  @Option(
      names = "--count",
      defaultValue = "5",
      description = "How many fire times are compared, up to 1,000 (default ${DEFAULT-VALUE}).")
  int count;

  @Option(
      names = "--accept-differences",
      description = "Stores also what fires at other times here than there, or may do so.")
  boolean acceptDifferences;

  /**
   * One by one.
   *
   * @return the exit code
   */
  int perform(NodeCommand group, Reading read, Instant now) {
    PrintWriter out = group.out();
    int refused = 0;
    try (KairosClient client = group.connect()) {
      for (Found one : read.found()) {
        try {
          refused += take(client.schedules(), out, one, now) ? 0 : 1;
        } catch (NodesUnavailableException e) {
          throw e;
        } catch (KairosException e) {
          out.println(one.place() + "  " + one.original());
          out.println("  not imported: " + CliMain.words(e));
          refused++;
        }
      }
    }
    for (Passed one : read.passed()) {
      out.println(one.place() + "  " + one.original());
      out.println("  not imported: " + one.reason());
    }
    int left = refused + read.passed().size();
    out.println(
        "%d %s, %d not"
            .formatted(
                read.found().size() - refused, dryRun ? "can be imported" : "imported", left));
    return left == 0 ? 0 : REFUSED;
  }

  private boolean take(ScheduleClient schedules, PrintWriter out, Found one, Instant now) {
    Preview preview = schedules.preview(one.spec(), now, count);
    out.println(one.place() + "  " + one.original() + "  -> " + one.spec().name());
    out.println("  " + preview.description());
    one.remarks().forEach(remark -> out.println("  note: " + remark));
    boolean same = compare(out, one, preview.fires());
    if (!same && !acceptDifferences) {
      String fires = one.known() == Found.Known.NOTHING ? "may fire" : "fires";
      out.println(
          "  not imported: it %s at other times here; --accept-differences stores it"
              .formatted(fires));
      return false;
    }
    Applied applied = dryRun ? schedules.dryRun(one.spec()) : schedules.apply(one.spec());
    out.println("  " + ScheduleText.applied(applied).replace("\n", "\n  "));
    if (one.paused() && dryRun) {
      out.println("  would be paused, as it is there");
    } else if (one.paused() && applied.schedule().state() == ScheduleStatus.State.ACTIVE) {
      return pause(schedules, out, one.spec().name());
    }
    return true;
  }

  /** What is stored and cannot be paused fires: that must not look like a success. */
  private static boolean pause(ScheduleClient schedules, PrintWriter out, String name) {
    try {
      schedules.pause(name, "paused when it was imported");
      out.println("  paused, as it is there");
      return true;
    } catch (KairosException e) {
      out.println("  stored but NOT paused: " + CliMain.words(e));
      return false;
    }
  }

  /** As many as both tell; the node's may be left out by a calendar. */
  private static boolean compare(PrintWriter out, Found one, List<PlannedFire> planned) {
    List<Instant> theirs = one.fires();
    List<Instant> ours =
        planned.stream().filter(fire -> fire.skipped() == null).map(PlannedFire::fireTime).toList();
    Table table = new Table("  THERE", "HERE", "");
    boolean same = true;
    for (int i = 0; i < Math.max(theirs.size(), ours.size()); i++) {
      String there = i < theirs.size() ? theirs.get(i).toString() : "-";
      String here = i < ours.size() ? ours.get(i).toString() : "-";
      boolean told = i < theirs.size() || one.known() == Found.Known.ALL;
      boolean differs = told && !there.equals(here);
      same &= !differs;
      table.row("  " + there, here, differs ? "differs" : "");
    }
    out.println(table);
    if (one.known() == Found.Known.NOTHING) {
      out.println("  not compared: when it fires there cannot be computed");
      return false;
    }
    return same;
  }
}
