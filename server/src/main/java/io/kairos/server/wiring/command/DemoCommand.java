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
import io.kairos.server.wiring.BrokerChoice;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
  private static final double MILLIS_PER_SECOND = 1_000;
  private static final Pattern HICCUP_P999 =
      Pattern.compile("kairos_host_hiccup_recent_seconds\\{percentile=\"99\\.9\"\\} (\\S+)");

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
    return DemoRun.of(out, this::run);
  }

  private boolean run(DemoRun run) throws InterruptedException {
    run.say("Starting a Postgres, a Kafka and a Kairos node, in a folder that is thrown away ...");
    long startNanos = System.nanoTime();
    ServerConfig config = config(run.folder());
    RouteConfig route = config.routes().getFirst();
    try (RunningNode node = RunningNode.start(config)) {
      if (!node.awaitReady(READY_WITHIN)) {
        throw new StartException("The node did not become ready: " + node.obstacles());
      }
      run.say("Ready after %.1f s.%n", DemoRun.secondsSince(startNanos));
      try (DemoTraffic traffic =
          new DemoTraffic(
              node.places().bootstrapServers(),
              route.input(),
              route.output(),
              InstantSource.system())) {
        warmUp(run, traffic);
        DemoArrivals arrivals = measure(run, traffic, route);
        run.say(
            """

            Lateness = arrival at the consumer minus due time, through a Kafka topic, Postgres (fsync on) and a Kafka topic
            (acks=all) on this machine. Percentiles are of its absolute value; the warm-up is not counted.%s
            """,
            hiccups(node.metrics()));
        run.say("%s", DemoReport.of(arrivals));
        run.say(
            """
            Where to go next:
              ./kairos server         a node to play with: write to kairos.in and read kairos.out on 127.0.0.1:9092
              docs/delay-queue.md     how to send, cancel and reschedule, with programs to copy
              ./kairos bench delay    what this machine can do
            """);
        return arrivals.isFlawless();
      }
    }
  }

  private static ServerConfig config(Path folder) {
    SettingOrigin demo = SettingOrigin.flag("demo");
    List<GivenSetting> given =
        List.of(
            new GivenSetting(NodeConfig.DATA_DIRECTORY, folder.toString(), demo),
            new GivenSetting(BrokerChoice.PORT, "0", demo),
            new GivenSetting(HttpConfig.PORT, "0", demo));
    return ServerConfig.read(SettingSources.of(null, Map.of(), given));
  }

  /** Sends messages that are not measured, until code is compiled and connections are open. */
  private static void warmUp(DemoRun run, DemoTraffic traffic) throws InterruptedException {
    run.say("Warming up with %,d messages ...", WARM_UP_MESSAGES);
    String name = "warm-up";
    DemoArrivals arrivals =
        traffic.send(name, delays(WARM_UP_MESSAGES, WARM_UP_MIN_MILLIS, WARM_UP_MAX_MILLIS));
    long untilNanos =
        System.nanoTime() + GIVE_UP_AFTER_LAST_DUE.plusMillis(WARM_UP_MAX_MILLIS).toNanos();
    while (!arrivals.isComplete() && System.nanoTime() - untilNanos < 0) {
      receive(traffic, name, arrivals);
    }
  }

  private DemoArrivals measure(DemoRun run, DemoTraffic traffic, RouteConfig route)
      throws InterruptedException {
    run.say(
        "Sending %,d messages with delays of 1 to 10 s to %s, reading %s:",
        messages, route.input(), route.output());
    String name = "demo";
    long startNanos = System.nanoTime();
    DemoArrivals arrivals = traffic.send(name, delays(messages, MIN_MILLIS, MAX_MILLIS));
    long untilNanos = System.nanoTime() + GIVE_UP_AFTER_LAST_DUE.plusMillis(MAX_MILLIS).toNanos();
    DemoProgress progress = new DemoProgress(run.out(), isTerminal());
    long shownNanos = startNanos - SHOW_EVERY.toNanos();
    while (!arrivals.isComplete() && System.nanoTime() - untilNanos < 0) {
      receive(traffic, name, arrivals);
      if (System.nanoTime() - shownNanos >= SHOW_EVERY.toNanos()) {
        shownNanos = System.nanoTime();
        progress.show(DemoRun.secondsSince(startNanos), arrivals.arrived(), messages);
      }
    }
    progress.show(DemoRun.secondsSince(startNanos), arrivals.arrived(), messages);
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

  /**
   * A sentence about the host's hiccups, to show it beside the lateness; empty without a reading.
   */
  private static String hiccups(String metrics) {
    Matcher p999 = HICCUP_P999.matcher(metrics);
    return p999.find()
        ? String.format(
            Locale.ROOT,
            "%nIn the same time a thread that asked to wait 1 ms was up to %.1f ms late (p99.9): that is the host's share.",
            Double.parseDouble(String.valueOf(p999.group(1))) * MILLIS_PER_SECOND)
        : "";
  }
}
