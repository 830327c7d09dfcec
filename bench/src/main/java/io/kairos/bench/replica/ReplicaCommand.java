package io.kairos.bench.replica;

import io.kairos.bench.delay.Progress;
import io.kairos.bench.report.OutputOptions;
import io.kairos.bench.report.Setup;
import io.kairos.bench.report.Table;
import io.kairos.bench.rig.PlaceOptions;
import io.kairos.bench.rig.Workplace;
import io.kairos.cli.DurationWord;
import io.kairos.consensus.RatisConfig;
import io.kairos.engine.cron.entry.EntryBook;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.ratis.server.RaftServer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench replica}: replicated cron on Ratis and in the simulator. On the main thread. */
@Command(
    name = "replica",
    mixinStandardHelpOptions = true,
    description = {
      "Measures replicas of a cron, each a process of its own on this machine, and breaks them:",
      "  --ratio          requests a second with a cron, against a bare counter on the same log",
      "  --leader-kill N  from the kill -9 of the leader to the next tick that is executed",
      "  --ticks          ticks in the order a period, on Ratis and in the simulator",
      "  --wipe N         a replica without its directory, until it is equal with N entries",
      "  --evaluate       entries that one core evaluates a second, in this process",
      "  --away           in the simulator: what fires while a replica is away for an hour",
      "  --all            all of these",
      "Exit code 0: all bounds are held; 1: some are not. Requests that are lost, and states that are not equal, are errors."
    })
public final class ReplicaCommand implements Callable<Integer> {
  private static final Duration FAST_TICK = Duration.ofMillis(100);
  private static final Duration TICK = Duration.ofSeconds(1);
  private static final int KILLS_OF_ALL = 10;

  @Spec CommandSpec spec = CommandSpec.create();

  @Option(names = "--ratio", description = "The default, if nothing else is asked for.")
  boolean ratio;

  @Option(names = "--leader-kill", paramLabel = "<kills>", description = "So many kills.")
  @Nullable Integer leaderKill;

  @Option(names = "--ticks", description = "Ticks a period.")
  boolean ticks;

  @Option(names = "--wipe", paramLabel = "<entries>", description = "With so many entries.")
  @Nullable Integer wipe;

  @Option(names = "--evaluate", description = "Entries evaluated a second.")
  boolean evaluate;

  @Option(names = "--away", description = "One replica away.")
  boolean away;

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
      converter = DurationWord.class,
      description = "How often the table ticks (default 1s; with --leader-kill 100ms).")
  @Nullable Duration tick;

  @Option(
      names = "--pairs",
      defaultValue = "7",
      description = "Of --ratio: pairs of measured parts (default ${DEFAULT-VALUE}).")
  int pairs;

  @Option(
      names = "--clients",
      defaultValue = "64",
      description =
          "Of --ratio: clients at each replica, with one request under way each (default ${DEFAULT-VALUE}).")
  int clients;

  @Option(
      names = "--entries",
      defaultValue = "1000",
      description = "Of --ratio: periodic entries, due once a minute (default ${DEFAULT-VALUE}).")
  int entries;

  @Option(
      names = "--warmup",
      defaultValue = "10s",
      converter = DurationWord.class,
      description =
          "Of --ratio, --evaluate: how long each side is loaded before the first measured part (default ${DEFAULT-VALUE}).")
  Duration warmup = Duration.ZERO;

  @Option(
      names = "--measure",
      defaultValue = "15s",
      converter = DurationWord.class,
      description =
          "Of --ratio, --evaluate: each measured part, two of a pair (default ${DEFAULT-VALUE}).")
  Duration measure = Duration.ZERO;

  @Option(
      names = "--periods",
      defaultValue = "60",
      description = "Of --ticks: periods that are counted on Ratis (default ${DEFAULT-VALUE}).")
  int periods;

  @Option(
      names = "--times",
      defaultValue = "3",
      description = "Of --wipe: how often a replica is wiped (default ${DEFAULT-VALUE}).")
  int times;

  @Mixin PlaceOptions place = new PlaceOptions();
  @Mixin OutputOptions output = new OutputOptions();

  private final PrintStream out = System.out;
  private final Progress progress = new Progress(System.err);

  @Override
  public Integer call() {
    requirePositive("--leader-kill", leaderKill);
    requireEntries("--wipe", wipe);
    requirePositive("--pairs", pairs);
    requirePositive("--clients", clients);
    requireEntries("--entries", entries);
    requirePositive("--periods", periods);
    requirePositive("--times", times);
    try (Workplace workplace = place.workplace()) {
      Map<String, Object> setup = setup(workplace);
      Table ground = new Table();
      setup.forEach(ground::row);
      out.println(ground);
      Map<String, Object> data = new LinkedHashMap<>();
      data.put("setup", setup);
      boolean passed = run(workplace, data);
      output.write(() -> data, () -> "");
      return passed ? 0 : 1;
    }
  }

  private void requirePositive(String option, @Nullable Integer value) {
    if (value != null && value < 1) {
      throw new ParameterException(spec.commandLine(), option + " must be at least 1");
    }
  }

  private void requireEntries(String option, @Nullable Integer value) {
    requirePositive(option, value);
    if (value != null && value > EntryBook.MOST_ENTRIES) {
      throw new ParameterException(
          spec.commandLine(), option + " must be at most " + EntryBook.MOST_ENTRIES);
    }
  }

  private void askForAll() {
    leaderKill = leaderKill == null ? Integer.valueOf(KILLS_OF_ALL) : leaderKill;
    wipe = wipe == null ? Integer.valueOf(EntryBook.MOST_ENTRIES) : wipe;
    evaluate = true;
    ticks = true;
    away = true;
    ratio = true;
  }

  private boolean run(Workplace workplace, Map<String, Object> data) {
    if (all) {
      askForAll();
    }
    boolean passed = true;
    if (leaderKill != null) {
      LeaderKillRun run = new LeaderKillRun(workplace, progress, tick(FAST_TICK));
      passed &= show("leaderKill", run.run(leaderKill), data);
    }
    if (wipe != null) {
      WipeRun run = new WipeRun(workplace, progress, tick(TICK), wipe);
      passed &= show("wipe", run.run(times), data);
    }
    if (evaluate) {
      passed &= show("evaluate", new EvaluateRun(progress, warmup, measure).run(), data);
    }
    if (ticks) {
      TicksRun run = new TicksRun(workplace, progress, tick(TICK), periods);
      passed &= show("ticks", run.run(), data);
    }
    if (away) {
      passed &= show("away", AwayRun.run(), data);
    }
    if (ratio || !(leaderKill != null || wipe != null || evaluate || ticks || away)) {
      RatioRun.Settings settings =
          new RatioRun.Settings(pairs, clients, entries, tick(TICK), warmup, measure);
      passed &= show("ratio", new RatioRun(workplace, progress, settings).run(), data);
    }
    return passed;
  }

  private Duration tick(Duration unlessSaid) {
    return tick == null ? unlessSaid : tick;
  }

  private boolean show(String name, Finding finding, Map<String, Object> data) {
    out.println(finding);
    data.put(name, finding.asData());
    return finding.passed();
  }

  private static Map<String, Object> setup(Workplace workplace) {
    RatisConfig.Limits limits = RatisConfig.Limits.DEFAULT;
    Map<String, Object> setup = Setup.facts();
    setup.put("ratis", ratisVersion());
    setup.put("replicas", "each a JVM of its own on this machine, -Xmx768m, no TLS");
    setup.put(
        "durable",
        "a request is answered when a majority has flushed the log to its disk (fsync) and it is executed");
    setup.put(
        "cron",
        "an entry book as a replica has it: counts of each entry, journal, outbox; each entry runs a module that counts, with an argument of %d bytes"
            .formatted(CountingModule.ARGUMENT_BYTES));
    setup.put("disk", disk(workplace));
    setup.put("state kept every", limits.snapshotEvery() + " entries of the log");
    setup.put("election after", limits.electionAfter().toMillis() + " ms, up to twice that");
    return setup;
  }

  private static String ratisVersion() {
    Package ratis = RaftServer.class.getPackage();
    String version = ratis == null ? null : ratis.getImplementationVersion();
    return version == null ? "unknown" : version;
  }

  private static String disk(Workplace workplace) {
    try {
      return Files.getFileStore(workplace.folder()).type() + " at " + workplace.folder();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot tell the file system of " + workplace.folder(), e);
    }
  }
}
