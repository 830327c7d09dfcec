package io.kairos.server.wiring.command;

import io.kairos.edge.access.HttpConfig;
import io.kairos.server.config.GivenSetting;
import io.kairos.server.config.NodeConfig;
import io.kairos.server.config.RouteConfig;
import io.kairos.server.config.SettingOrigin;
import io.kairos.server.config.SettingSources;
import io.kairos.server.demo.DemoArrivals;
import io.kairos.server.demo.DemoProgress;
import io.kairos.server.demo.DemoReport;
import io.kairos.server.demo.DemoTraffic;
import io.kairos.server.observe.LoggingSetup;
import io.kairos.server.wiring.BrokerChoice;
import io.kairos.server.wiring.ExitCode;
import io.kairos.server.wiring.RunningNode;
import io.kairos.server.wiring.ServerConfig;
import io.kairos.server.wiring.StartException;
import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code kairos demo}: sends delayed messages through real engines, in a temporary folder and on
 * free ports. Reads no configuration, so that it can never touch a real broker or database.
 */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description = {
      "Sends delayed messages through a Postgres and a Kafka of its own, and shows how punctual they are.",
      "Leaves nothing behind. Exits with 0 when no message was lost, duplicated or early, else with 1."
    })
final class DemoCommand implements Callable<Integer> {
  private static final Duration READY_WITHIN = Duration.ofSeconds(30);
  private static final Duration GIVE_UP_AFTER_LAST_DUE = Duration.ofSeconds(30);
  private static final Duration LOOK_FOR_DUPLICATES = Duration.ofSeconds(1);
  private static final Duration SHOW_EVERY = Duration.ofMillis(200);
  private static final int WARM_UP_MESSAGES = 1_000;
  private static final int WARM_UP_MIN_MILLIS = 300;
  private static final int WARM_UP_MAX_MILLIS = 2_000;
  private static final int MIN_MILLIS = 1_000;
  private static final int MAX_MILLIS = 10_000;
  private static final double NANOS_PER_SECOND = 1e9;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--messages",
      paramLabel = "COUNT",
      defaultValue = "2000",
      description = "How many messages to send, ${DEFAULT-VALUE} by default.")
  private int messages;

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    if (messages < 1 || messages > 1_000_000) {
      throw new ParameterException(
          spec.commandLine(), "--messages must be from 1 to 1000000, not " + messages);
    }
    try (TemporaryFolder folder = TemporaryFolder.create("kairos-demo-")) {
      Path log = folder.path().resolve("kairos.log");
      LoggingSetup.toFile(log);
      folder.keep(); // until success, because a failure needs the log
      boolean flawless;
      try {
        flawless = run(out, folder.path());
        if (flawless) {
          folder.discard();
        } else {
          out.println("  This should not happen. The log is " + log);
          out.flush();
        }
      } catch (InterruptedException e) {
        folder.discard();
        throw e;
      } catch (RuntimeException e) {
        LoggingSetup.quiet();
        out.println("The log is " + log);
        out.flush();
        throw e;
      }
      return flawless ? ExitCode.OK : ExitCode.FAILED;
    }
  }

  private boolean run(PrintWriter out, Path folder) throws InterruptedException {
    out.println(
        "Starting a Postgres, a Kafka and a Kairos node, in a folder that is thrown away ...");
    out.flush();
    long startNanos = System.nanoTime();
    ServerConfig config = config(folder);
    RouteConfig route = config.routes().getFirst();
    try (RunningNode node = RunningNode.start(config)) {
      if (!node.awaitReady(READY_WITHIN)) {
        throw new StartException("The node did not become ready: " + node.obstacles());
      }
      out.printf(Locale.ROOT, "Ready after %.1f s.%n%n", secondsSince(startNanos));
      out.flush();
      try (DemoTraffic traffic =
          new DemoTraffic(
              node.places().bootstrapServers(),
              route.input(),
              route.output(),
              InstantSource.system())) {
        warmUp(out, traffic);
        DemoArrivals arrivals = measure(out, traffic, route);
        out.println(summary(node));
        out.println(DemoReport.of(arrivals));
        out.println(whereToGoNext());
        return arrivals.isFlawless();
      }
    }
  }

  private static ServerConfig config(Path folder) {
    Map<String, String> own =
        Map.of(
            NodeConfig.DATA_DIRECTORY,
            folder.toString(),
            BrokerChoice.PORT,
            "0",
            HttpConfig.PORT,
            "0");
    List<GivenSetting> given =
        own.entrySet().stream()
            .map(entry ->
                new GivenSetting(entry.getKey(), entry.getValue(), new SettingOrigin.Flag("demo")))
            .toList();
    return ServerConfig.read(SettingSources.of(null, Map.of(), given));
  }

  /** Sends messages that are not measured, until code is compiled and connections are open. */
  private static void warmUp(PrintWriter out, DemoTraffic traffic) throws InterruptedException {
    out.printf(Locale.ROOT, "Warming up with %,d messages ...%n", WARM_UP_MESSAGES);
    out.flush();
    String name = "warm-up";
    DemoArrivals arrivals =
        traffic.send(name, delays(WARM_UP_MESSAGES, WARM_UP_MIN_MILLIS, WARM_UP_MAX_MILLIS));
    long untilNanos =
        System.nanoTime() + GIVE_UP_AFTER_LAST_DUE.plusMillis(WARM_UP_MAX_MILLIS).toNanos();
    while (!arrivals.isComplete() && System.nanoTime() - untilNanos < 0) {
      receive(traffic, name, arrivals);
    }
  }

  private DemoArrivals measure(PrintWriter out, DemoTraffic traffic, RouteConfig route)
      throws InterruptedException {
    out.printf(
        Locale.ROOT,
        "Sending %,d messages with delays of 1 to 10 s to %s, reading %s:%n",
        messages,
        route.input(),
        route.output());
    out.flush();
    String name = "demo";
    long startNanos = System.nanoTime();
    DemoArrivals arrivals = traffic.send(name, delays(messages, MIN_MILLIS, MAX_MILLIS));
    long untilNanos = System.nanoTime() + GIVE_UP_AFTER_LAST_DUE.plusMillis(MAX_MILLIS).toNanos();
    DemoProgress progress = new DemoProgress(out, isTerminal());
    long shownNanos = startNanos - SHOW_EVERY.toNanos();
    while (!arrivals.isComplete() && System.nanoTime() - untilNanos < 0) {
      receive(traffic, name, arrivals);
      if (System.nanoTime() - shownNanos >= SHOW_EVERY.toNanos()) {
        shownNanos = System.nanoTime();
        progress.show(secondsSince(startNanos), arrivals.arrived(), messages);
      }
    }
    progress.show(secondsSince(startNanos), arrivals.arrived(), messages);
    progress.end();
    long duplicatesNanos = System.nanoTime() + LOOK_FOR_DUPLICATES.toNanos();
    while (System.nanoTime() - duplicatesNanos < 0) {
      receive(traffic, name, arrivals);
    }
    return arrivals;
  }

  private static void receive(DemoTraffic traffic, String name, DemoArrivals arrivals)
      throws InterruptedException {
    traffic.receive(name, arrivals, SHOW_EVERY);
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedException();
    }
  }

  // Since JDK 25 System.console() is null again without a terminal.
  @SuppressWarnings("SystemConsoleNull")
  private static boolean isTerminal() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }

  private static long[] delays(int count, int minMillis, int maxMillis) {
    return ThreadLocalRandom.current().longs(count, minMillis, maxMillis + 1L).toArray();
  }

  private static double secondsSince(long startNanos) {
    return (System.nanoTime() - startNanos) / NANOS_PER_SECOND;
  }

  private static String summary(RunningNode node) {
    return """

    Lateness = arrival at the consumer minus due time, through a Kafka topic, Postgres (fsync on) and a Kafka topic
    (acks=all) on this machine. Percentiles are of its absolute value; the warm-up is not counted.%s
    """
        .formatted(HiccupReading.in(node.metrics()));
  }

  private static String whereToGoNext() {
    return """
    Where to go next:
      ./kairos server         a node to play with: write to kairos.in and read kairos.out on 127.0.0.1:9092
      docs/delay-queue.md     how to send, cancel and reschedule, with programs to copy
      ./kairos bench delay    what this machine can do
    """;
  }
}
