package io.kairos.bench.dashboard;

import io.kairos.bench.measure.ResourceMeter;
import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.report.RunVerdict;
import io.kairos.bench.rig.BenchNodeProcess;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.rig.RigCommand;
import io.kairos.bench.trial.TrialReport;
import java.net.URI;
import java.sql.SQLException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code bench dashboard}: measures how soon the dashboard shows what it shows of a full store.
 * Runs on the main thread.
 */
@Command(
    name = "dashboard",
    mixinStandardHelpOptions = true,
    description = {
      "Fills a store by SQL, vacuums and analyses it, starts a node, makes the calls of each screen of the dashboard",
      "again and again, and loads its first screen in Chromium with an empty cache.",
      "What open dashboards cost others: bench tasks --dashboards 10.",
      "Exit code 0: every call's p95 is at most 500 ms, the first screen's at most 1.5 s, with at most 200 KB; 1: not; 3: void."
    })
public final class DashboardBenchCommand extends RigCommand {
  private static final int MOST_SCHEDULES = 100_000;

  @Option(names = "--waiting", defaultValue = "1000000", description = "Tasks that wait.")
  long waiting;

  @Option(names = "--ended", defaultValue = "1000000", description = "Tasks that have ended.")
  long ended;

  @Option(
      names = "--schedules",
      defaultValue = "1000",
      description = "Daily schedules; of a hundred tasks one is a run of theirs.")
  int schedules;

  @Option(
      names = "--messages",
      defaultValue = "100000",
      description = "Messages that wait in the delay queue.")
  long messages;

  @Option(
      names = "--audit-entries",
      defaultValue = "100000",
      description = "Entries of the audit log.")
  long auditEntries;

  @Option(
      names = "--warmup",
      defaultValue = "5",
      description = "Rounds of all calls before the measured ones.")
  int warmup;

  @Option(names = "--calls", defaultValue = "40", description = "Measured rounds of all calls.")
  int calls;

  @Option(
      names = "--loads",
      defaultValue = "20",
      description = "Loads of the first screen in Chromium; 0 for none.")
  int loads;

  @Override
  protected int run() throws SQLException, InterruptedException {
    require(waiting >= 1_000 && ended >= 1_000, "--waiting and --ended must be at least 1000");
    require(
        schedules >= 100 && schedules <= MOST_SCHEDULES,
        "--schedules must be from 100 to " + MOST_SCHEDULES);
    require(messages >= 0, "--messages must not be negative");
    require(auditEntries >= 1, "--audit-entries must be at least 1");
    require(warmup >= 0 && calls >= 1 && loads >= 0, "--calls must be at least 1");
    require(
        loads == 0 || BrowserDriver.isInstalled(),
        "--loads needs Debian's packages chromium and chromium-driver; --loads 0 goes without");
    return onRig("result", this::measure);
  }

  private TrialReport measure(BenchRig rig) throws SQLException {
    long began = System.nanoTime();
    TaskFill tasks = new TaskFill(waiting, ended, schedules, node.valueBytes);
    FilledStore store = new StoreFill(tasks, messages, auditEntries).run(rig, progress);
    FigureList figures =
        new FigureList()
            .row("store")
            .count("waiting", "tasks that wait", waiting)
            .count("ended", "that have ended", ended)
            .count("schedules", "schedules", schedules)
            .count("messages", "messages", messages)
            .count("auditEntries", "audit entries", auditEntries)
            .add("fillSeconds", "filled in", Unit.SECONDS, (System.nanoTime() - began) / 1e9);
    RunVerdict verdict = new RunVerdict();
    BenchNodeProcess process = rig.startNode();
    String origin = "http://" + process.address();
    if (loads > 0) {
      // Before the calls, as people see it who come first.
      try (BrowserDriver browser = BrowserDriver.start(rig.folder().folder())) {
        FirstLoads first = new FirstLoads(browser, origin, progress);
        first.run(loads);
        first.report(figures, verdict);
      }
    }
    try (ScreenClient client = new ScreenClient(URI.create(origin))) {
      CallRounds rounds = new CallRounds(ScreenCalls.of(store), client);
      rounds.warmUp(warmup);
      ResourceMeter meter = rig.meter(rig.connect(), "task", "node", "postgres");
      ResourceMeter.Reading from = meter.read();
      rounds.run(calls);
      ResourceMeter.Reading until = meter.read();
      rounds.report(figures, verdict);
      meter.report(from, until, rounds.made(), figures);
    }
    return new TrialReport(figures, verdict);
  }
}
