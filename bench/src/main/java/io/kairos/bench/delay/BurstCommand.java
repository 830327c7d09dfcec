package io.kairos.bench.delay;

import io.kairos.bench.load.LoadClock;
import io.kairos.bench.measure.GcLog;
import io.kairos.bench.measure.ResourceMeter;
import io.kairos.bench.observe.ArrivalLog;
import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.report.RunVerdict;
import io.kairos.bench.report.ShownNumbers;
import io.kairos.bench.rig.BenchNodeProcess;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.rig.RigCommand;
import io.kairos.bench.trial.LoadAccounts;
import io.kairos.bench.trial.TrialReport;
import io.kairos.bench.trial.TrialTimes;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code bench burst}: very many messages due in the same second, and the two halves of the work
 * apart. The input topic is filled while no node runs; then a node takes everything in, which is
 * ingest alone; then all come due and nothing else happens, which is ready and fire alone.
 */
@Command(
    name = "burst",
    mixinStandardHelpOptions = true,
    description = {
      "Stores messages that all come due in one second, far enough ahead that all of them wait, and drains them.",
      "Shows ingest alone and ready + fire alone. Exit code 0: all came, once, none early, in due"
          + " order and in time; 1: not so; 3: void, something was lost."
    })
public final class BurstCommand extends RigCommand {
  /** The shipped horizon; messages due later are stored as waiting whatever the memory. */
  private static final Duration DEFAULT_HORIZON = Duration.ofSeconds(30);

  private static final Duration WITHIN = Duration.ofSeconds(1);
  private static final Duration LONGEST_DRAIN = Duration.ofSeconds(90);
  private static final Duration START = Duration.ofSeconds(30);
  private static final long SLOWEST_PER_SECOND = 8_000;

  @Option(names = "--count", defaultValue = "1000000", description = "Messages.")
  long count;

  /** How long before the due time a flood must begin so that all of it is stored in time. */
  public static Duration timeToStore(long count) {
    return START.plusSeconds(count / SLOWEST_PER_SECOND);
  }

  @Override
  protected int run() throws SQLException, InterruptedException {
    return onRig("result", this::burst);
  }

  private TrialReport burst(BenchRig rig) throws SQLException {
    long due = LoadClock.micros() + TrialTimes.micros(DEFAULT_HORIZON.plus(timeToStore(count)));
    rig.createTopics(node.partitions);
    ArrivalLog arrivals = new ArrivalLog();
    MessageFlow flow = MessageFlow.flood(rig, count, node.valueBytes, due, WITHIN, arrivals);
    flow.awaitSent();
    progress.say(ShownNumbers.count(count) + " messages are in the input topic");
    BenchNodeProcess process = rig.startNode("-Xmx512m");
    double ingestPerSecond = flow.awaitTakenIn();
    boolean allWaited = LoadClock.micros() + TrialTimes.micros(DEFAULT_HORIZON) < due;
    progress.say("all are stored; due in " + (due - LoadClock.micros()) / 1_000_000 + " s");
    LoadAccounts accounts = flow.settle(0);
    double drained = (accounts.ledger().count().lastFirstAtMicros() - due) / 1e6;
    ArrivalLog.Disorder disorder = arrivals.disorder();
    FigureList figures =
        new FigureList()
            .row("burst")
            .count("count", "messages", count)
            .add("withinMillis", "all due within", Unit.MILLIS, WITHIN.toMillis())
            .row("ingest alone")
            .add("ingestPerSecond", "", Unit.PER_SECOND, ingestPerSecond)
            .row("ready and fire alone")
            .add("firedPerSecond", "", Unit.PER_SECOND, count / drained)
            .add("drainSeconds", "drained in", Unit.SECONDS, drained)
            .row("out of due order by places")
            .count("placesOutOfOrderP999", "p99.9", disorder.p999())
            .count("placesOutOfOrderMax", "max", disorder.max());
    accounts.report(figures);
    NodeCounters.report(NodeCounters.sum(rig.nodes()), figures);
    ResourceMeter.peakMemory(process.pid(), figures);
    figures.note(GcLog.read(process.gcLog(), Instant.EPOCH, Instant.now()).toString());
    RunVerdict verdict =
        accounts
            .judge(new RunVerdict())
            .expect(allWaited, "not all were stored before the horizon opened")
            .expect(accounts.duplicates() == 0, "duplicates")
            .expect(disorder.isKept(count), "not in due order")
            .expect(
                drained <= LONGEST_DRAIN.toSeconds(),
                "not within " + ShownNumbers.duration(LONGEST_DRAIN));
    return new TrialReport(figures, verdict);
  }
}
