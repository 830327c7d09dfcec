package io.kairos.bench.replica;

import static java.util.Objects.requireNonNullElse;

import io.kairos.bench.report.FigureList;
import io.kairos.bench.rig.BenchCommand;
import io.kairos.bench.rig.PlaceOptions;
import io.kairos.bench.rig.RunSetup;
import io.kairos.bench.rig.WorkFolder;
import io.kairos.bench.trial.TrialReport;
import io.kairos.consensus.RatisConfig;
import io.kairos.engine.cron.entry.EntryBook;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.sql.SQLException;
import java.time.Duration;
import org.apache.ratis.server.RaftServer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench replica}: measures replicated cron and its logs. Runs on the main thread. */
@Command(
    name = "replica",
    mixinStandardHelpOptions = true,
    description = {
      "Measures replicas of a cron, each a process of its own on this machine, and breaks them:",
      "  --leader-kill N  from the kill -9 of the leader to the next tick that is executed",
      "  --wipe N         a replica without its directory, until it is equal with N entries",
      "  --liars          requests a second of four replicas of which one may lie, against three of Ratis",
      "  --pace           from a request to its execution, on four replicas of which one may lie",
      "  --restart N      each of four such replicas killed in turn under load, N kills",
      "  --all            all of these, and the ratio",
      "Without these: requests a second with a cron, against a bare counter on the same log (the ratio).",
      "Exit code 0: all bounds are held; 1: some are not. Requests that are lost, and states that are not equal, are errors."
    })
public final class ReplicaBenchCommand extends BenchCommand {
  private static final Duration FAST_TICK = Duration.ofMillis(100);
  private static final Duration TICK = Duration.ofSeconds(1);
  private static final Duration PACE_OF_ALL = Duration.ofSeconds(60);
  private static final int KILLS_OF_ALL = 10;

  @Mixin PlaceOptions place = new PlaceOptions();

  @Option(names = "--leader-kill", paramLabel = "<kills>", description = "So many kills.")
  @Nullable Integer leaderKill;

  @Option(names = "--wipe", paramLabel = "<entries>", description = "With so many entries.")
  @Nullable Integer wipe;

  @Option(names = "--liars", description = "The ratio of the log of liars to Ratis.")
  boolean liars;

  @Option(
      names = "--pace",
      arity = "0..1",
      fallbackValue = "60s",
      description = "For so long (default 60s).")
  @Nullable Duration pace;

  @Option(names = "--restart", paramLabel = "<kills>", description = "So many kills.")
  @Nullable Integer restart;

  @Option(
      names = "--all",
      description =
          "Everything; unless said otherwise with "
              + KILLS_OF_ALL
              + " kills, and wipes with "
              + EntryBook.MOST_ENTRIES
              + " entries.")
  boolean all;

  @Option(
      names = "--tick",
      description = "How often the table ticks (default 1s; with --leader-kill 100ms).")
  @Nullable Duration tick;

  @Option(
      names = "--clients",
      description =
          "Of the ratio: clients of each replica, each with one request under way (default 64; with --liars 512).")
  @Nullable Integer clients;

  @Option(
      names = "--pairs",
      defaultValue = "7",
      description = "Of the ratio: pairs of measured parts.")
  int pairs;

  @Option(
      names = "--warmup",
      defaultValue = "10s",
      description = "Of the ratio: how long each side is loaded before the first measured part.")
  Duration warmup = Duration.ZERO;

  @Option(
      names = "--measure",
      defaultValue = "15s",
      description = "Of the ratio: each measured part, two of a pair.")
  Duration measure = Duration.ZERO;

  @Option(
      names = "--times",
      defaultValue = "3",
      description = "Of --wipe: how often a replica is wiped.")
  int times;

  @Override
  protected int run() throws SQLException, InterruptedException {
    requirePositive("--leader-kill", leaderKill);
    requirePositive("--wipe", wipe);
    require(
        wipe == null || wipe <= EntryBook.MOST_ENTRIES,
        "--wipe must be at most " + EntryBook.MOST_ENTRIES);
    requirePositive("--restart", restart);
    requirePositive("--clients", clients);
    requirePositive("--pairs", pairs);
    requirePositive("--times", times);
    try (WorkFolder folder = place.folder()) {
      show("setup", setup(folder));
      return run(folder);
    }
  }

  private void requirePositive(String option, @Nullable Integer value) {
    require(value == null || value >= 1, option + " must be at least 1");
  }

  private int run(WorkFolder folder) throws SQLException, InterruptedException {
    int exitCode = 0;
    if (leaderKill != null || all) {
      LeaderKillRun run = new LeaderKillRun(folder, progress, tick(FAST_TICK));
      int kills = requireNonNullElse(leaderKill, KILLS_OF_ALL);
      exitCode = Math.max(exitCode, show("leaderKill", run.run(kills)));
    }
    if (wipe != null || all) {
      int held = requireNonNullElse(wipe, EntryBook.MOST_ENTRIES);
      WipeRun run = new WipeRun(folder, progress, tick(TICK), held);
      exitCode = Math.max(exitCode, show("wipe", run.run(times)));
    }
    if (pace != null || all) {
      PaceRun run = new PaceRun(folder, progress, requireNonNullElse(pace, PACE_OF_ALL));
      exitCode = Math.max(exitCode, show("pace", run.run()));
    }
    if (restart != null || all) {
      int kills = requireNonNullElse(restart, KILLS_OF_ALL);
      exitCode = Math.max(exitCode, show("restart", new RestartRun(folder, progress).run(kills)));
    }
    if (liars || all) {
      exitCode = Math.max(exitCode, show("liars", ratio(folder, RatioRun.Sides.LIARS)));
    }
    if (all || (leaderKill == null && wipe == null && pace == null && restart == null && !liars)) {
      exitCode = Math.max(exitCode, show("ratio", ratio(folder, RatioRun.Sides.CRON)));
    }
    return exitCode;
  }

  private TrialReport ratio(WorkFolder folder, RatioRun.Sides sides)
      throws SQLException, InterruptedException {
    RatioRun.Settings settings =
        new RatioRun.Settings(
            requireNonNullElse(clients, sides.clients()), pairs, tick(TICK), warmup, measure);
    return RatioRun.run(folder, progress, settings, sides);
  }

  private Duration tick(Duration unlessSaid) {
    return tick == null ? unlessSaid : tick;
  }

  private static FigureList setup(WorkFolder folder) {
    RatisConfig.Limits limits = RatisConfig.Limits.DEFAULT;
    return RunSetup.machine()
        .fact("ratis", RunSetup.versionOf(RaftServer.class))
        .fact(
            "replicas",
            "each a JVM of its own on this machine, -Xmx768m; those of Ratis without TLS, those of which one may lie with")
        .fact(
            "durable",
            "a request is answered when it is executed: on Ratis when a majority has flushed the log to its disk (fsync); where one may lie, when two thirds have flushed events on it")
        .fact(
            "cron",
            "an entry book as a replica has it: counts of each entry, journal, outbox; each entry runs a module that counts, with an argument of %d bytes"
                .formatted(CountingModule.ARGUMENT_BYTES))
        .fact("disk", disk(folder))
        .fact("state kept every", limits.snapshotEvery() + " entries of the log")
        .fact(
            "election after",
            "%d to %d ms"
                .formatted(limits.electionAfter().toMillis(), limits.electionWithin().toMillis()));
  }

  private static String disk(WorkFolder folder) {
    try {
      return Files.getFileStore(folder.folder()).type() + " at " + folder.folder();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot tell the file system of " + folder.folder(), e);
    }
  }
}
