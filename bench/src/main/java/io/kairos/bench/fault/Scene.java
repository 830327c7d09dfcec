package io.kairos.bench.fault;

import io.kairos.bench.load.DueTimes;
import io.kairos.bench.load.Generator;
import io.kairos.bench.load.LoadPlan;
import io.kairos.bench.load.Payload;
import io.kairos.bench.load.WallClock;
import io.kairos.bench.measure.StoredMessages;
import io.kairos.bench.observe.ArrivalLog;
import io.kairos.bench.observe.Ledger;
import io.kairos.bench.observe.Observer;
import io.kairos.bench.rig.NodeProcess;
import io.kairos.bench.rig.NodeSettings;
import io.kairos.bench.rig.Rig;
import io.kairos.bench.rig.RouteTopics;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Nodes under a steady open load, watched by an observer, for a fault to happen in. Begun and ended
 * by the fault's thread.
 */
public final class Scene implements AutoCloseable {
  /** Longer than any fault takes; the load is stopped when the fault is over. */
  private static final Duration LONGEST = Duration.ofHours(2);

  /**
   * Silence after which the rest is lost: hold time, lapse and statement timeout have passed twice.
   */
  private static final Duration QUIET = Duration.ofSeconds(30);

  /** For second copies: the backstop comes after the hold time. */
  private static final Duration LINGER = Duration.ofSeconds(8);

  static final long PUNCTUAL_FOR_MICROS = 2_000_000;

  private static final Duration LOOK_EVERY = Duration.ofMillis(20);

  private final Rig rig;
  private final RouteTopics topics;
  private final NodeSettings settings;
  private final List<NodeProcess> nodes = new ArrayList<>();
  private final ArrivalLog arrivals = new ArrivalLog();
  private final Ledger ledger;
  private final Observer observer;
  private final Generator generator;

  /**
   * The load of a scene.
   *
   * @param delayMax longest delay; the shortest is a second
   */
  public record Load(double perSecond, Duration delayMax, int valueBytes) {
    private static final Duration DELAY_MIN = Duration.ofSeconds(1);
  }

  private Scene(Rig rig, RouteTopics topics, NodeSettings settings, int nodeCount, Load load) {
    this.rig = rig;
    this.topics = topics;
    this.settings = settings;
    for (int i = 0; i < nodeCount; i++) {
      nodes.add(rig.launchNode(topics, settings));
    }
    nodes.forEach(node -> node.awaitReady(Duration.ofMinutes(1)));
    long run = new SplittableRandom().nextLong() >>> 1;
    Payload payload = new Payload(run, load.valueBytes());
    long startMicros = WallClock.micros();
    ledger = Ledger.ofEverything(startMicros);
    observer =
        Observer.start(rig.bootstrapServers(), topics.output(), payload, ledger, arrivals::add);
    DueTimes dueTimes = DueTimes.after(Load.DELAY_MIN, load.delayMax(), run);
    generator =
        Generator.start(
            rig.bootstrapServers(),
            new LoadPlan(
                topics.input(),
                payload,
                (sequence, scheduledMicros) -> {
                  long due = dueTimes.dueMicros(sequence, scheduledMicros);
                  arrivals.expect(sequence, due);
                  return due;
                },
                (long) (load.perSecond() * LONGEST.toSeconds()),
                load.perSecond()),
            startMicros);
  }

  /** Starts nodes on the topics, waits until they are ready, and lets the load begin. */
  public static Scene begin(
      Rig rig, RouteTopics topics, NodeSettings settings, int nodes, Load load) {
    return new Scene(rig, topics, settings, nodes, load);
  }

  public Rig rig() {
    return rig;
  }

  public RouteTopics topics() {
    return topics;
  }

  public Ledger ledger() {
    return ledger;
  }

  public ArrivalLog arrivals() {
    return arrivals;
  }

  /** Lets input and output have more partitions, and observes the new ones. */
  public void addPartitions(int total) {
    rig.addPartitions(topics, total);
    observer.partitionsAdded(total);
  }

  /** Those that run, in the order of their start. */
  public List<NodeProcess> nodes() {
    return nodes.stream().filter(NodeProcess::isRunning).toList();
  }

  /** Starts one more node and does not wait for it. */
  public NodeProcess addNode() {
    NodeProcess node = rig.launchNode(topics, settings);
    nodes.add(node);
    return node;
  }

  /** Lets the load run on. */
  public void goOn(Duration length) {
    long until = System.nanoTime() + length.toNanos();
    for (long left = length.toNanos(); left > 0; left = until - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  /**
   * Waits until nothing is overdue by more than the limit, for two seconds on end; false when that
   * takes longer.
   */
  public boolean awaitPunctual(Duration limit, Duration atMost) {
    long limitMicros = limit.toNanos() / 1_000;
    long[] punctualSince = {Long.MAX_VALUE};
    return await(
        () -> {
          long now = WallClock.micros();
          boolean punctual = arrivals.overdue(now - limitMicros) == 0;
          punctualSince[0] = punctual ? Math.min(punctualSince[0], now) : Long.MAX_VALUE;
          return punctual && now - punctualSince[0] >= PUNCTUAL_FOR_MICROS;
        },
        atMost);
  }

  /** Waits until a condition holds; false when that takes longer. */
  public boolean await(BooleanSupplier condition, Duration atMost) {
    long until = System.nanoTime() + atMost.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - until > 0) {
        return false;
      }
      goOn(LOOK_EVERY);
    }
    return true;
  }

  /** Ends the load, waits for what is still to come, and counts. */
  public Accounts settle() throws SQLException {
    generator.stop();
    generator.await(Duration.ofMinutes(5));
    observer.awaitDistinct(
        generator.sent() - generator.refused().size(), generator.lastDueMicros(), QUIET);
    observer.linger(LINGER);
    try (Connection connection = rig.connect()) {
      return new Accounts(
          generator.sent(),
          generator.refused().size(),
          ledger.count(),
          ledger.missing(generator.sent(), generator.refused()),
          new StoredMessages(connection, topics.route()).dueBefore(generator.lastDueMicros() + 1));
    }
  }

  /** What became of every message. */
  public record Accounts(
      long sent, long refused, Ledger.Count arrived, Ledger.Missing missing, long leftInStore) {}

  @Override
  public void close() {
    generator.close();
    observer.close();
    nodes.forEach(NodeProcess::close);
  }
}
