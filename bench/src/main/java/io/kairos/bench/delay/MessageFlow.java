package io.kairos.bench.delay;

import io.kairos.bench.load.LoadDueTimes;
import io.kairos.bench.load.LoadPayload;
import io.kairos.bench.load.LoadPlan;
import io.kairos.bench.load.MessageGenerator;
import io.kairos.bench.measure.StoredMessages;
import io.kairos.bench.observe.ArrivalLedger;
import io.kairos.bench.observe.ArrivalLog;
import io.kairos.bench.observe.OutputObserver;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.rig.RouteTopics;
import io.kairos.bench.trial.LoadAccounts;
import io.kairos.bench.trial.TrialTimes;
import java.sql.SQLException;
import java.time.Duration;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Messages of one run on their way from a generator to an observer, with a ledger of them. Each run
 * has a number, so leftovers of one cannot count for another. It ends with its rig. Used by one
 * thread.
 */
public final class MessageFlow {
  private static final Duration SEND_PATIENCE = Duration.ofMinutes(30);

  /** Silence after which the rest is lost: hold time, lapse and statement timeout passed twice. */
  private static final Duration QUIET = Duration.ofSeconds(30);

  /** Time to wait for second copies: the backstop comes after the hold time. */
  private static final Duration LINGER = Duration.ofSeconds(8);

  private final ArrivalLedger ledger;
  private final OutputObserver observer;
  private final MessageGenerator generator;
  private final BenchRig rig;
  private final RouteTopics topics;

  /**
   * The messages of a flow.
   *
   * @param count messages after which the load ends by itself
   * @param perSecond {@link LoadPlan#FLOOD} for as fast as the broker takes them
   */
  public record Load(long count, double perSecond, int valueBytes, LoadDueTimes dueTimes) {
    /** A load with delays between two bounds. */
    public static Load delayed(
        long count, double perSecond, int valueBytes, Duration least, Duration most) {
      return new Load(
          count,
          perSecond,
          valueBytes,
          LoadDueTimes.after(least, most, new SplittableRandom().nextLong()));
    }

    /** A load sent as fast as possible, all due within some time from a moment on. */
    public static Load flood(long count, int valueBytes, long dueMicros, Duration within) {
      return new Load(
          count,
          LoadPlan.FLOOD,
          valueBytes,
          LoadDueTimes.within(dueMicros, within, new SplittableRandom().nextLong()));
    }
  }

  /**
   * Begins to send and to observe.
   *
   * @param arrivals is told of every message as well; null for nobody
   */
  public MessageFlow(
      BenchRig rig, RouteTopics topics, Load load, TrialTimes times, @Nullable ArrivalLog arrivals)
      throws SQLException {
    LoadPayload payload = LoadPayload.ofNewRun(load.valueBytes());
    ledger = new ArrivalLedger(times.start(), times.measuredFrom(), times.measuredUntil());
    this.rig = rig;
    this.topics = topics;
    observer =
        rig.keep(
            OutputObserver.start(
                rig.bootstrapServers(),
                topics.output(),
                payload,
                ledger,
                arrivals == null ? (_, _, _, _) -> {} : arrivals::arrived));
    LoadDueTimes dueTimes =
        arrivals == null ? load.dueTimes() : arrivals.expecting(load.dueTimes());
    generator =
        rig.keep(
            MessageGenerator.start(
                rig.bootstrapServers(),
                new LoadPlan(topics.input(), payload, dueTimes, load.count(), load.perSecond()),
                times.start()));
  }

  public ArrivalLedger ledger() {
    return ledger;
  }

  /** The stored messages, over a new connection, which an outage has not broken. */
  private StoredMessages stored() throws SQLException {
    return new StoredMessages(rig.connect(), topics.route());
  }

  /** Number of messages that the broker has acknowledged. */
  public long accepted() {
    return generator.acknowledged();
  }

  /** Observes partitions that the output has got since. */
  public void partitionsAdded(int total) {
    observer.partitionsAdded(total);
  }

  /** Waits until all messages of the load are in the input topic. */
  public void awaitSent() {
    generator.await(SEND_PATIENCE);
  }

  /**
   * Waits until a node has taken everything in.
   *
   * @return messages per second from now on
   */
  public double awaitTakenIn() throws SQLException {
    StoredMessages stored = stored();
    long began = System.nanoTime();
    long before = stored.takenIn();
    if (!stored.awaitTakenIn(generator.sent(), SEND_PATIENCE)) {
      throw new IllegalStateException(
          "only " + stored.takenIn() + " of " + generator.sent() + " messages were taken in");
    }
    return (generator.sent() - before) / ((System.nanoTime() - began) / 1e9);
  }

  /** Sends no more, however much of the load is left. */
  public void stop() {
    generator.stop();
  }

  /** Waits until all is sent and has arrived or is lost, and counts. */
  public LoadAccounts settle() throws SQLException {
    return settle(0);
  }

  /**
   * Waits and counts in the same way.
   *
   * @param notBeforeMicros until then silence means nothing
   */
  public LoadAccounts settle(long notBeforeMicros) throws SQLException {
    awaitSent();
    long uncertain = generator.refused().size();
    observer.awaitDistinct(
        generator.sent() - uncertain, Math.max(generator.lastDueMicros(), notBeforeMicros), QUIET);
    observer.linger(LINGER);
    return new LoadAccounts(
        generator.sent(),
        generator.acknowledged(),
        uncertain,
        generator.worstLag(),
        ledger,
        ledger.missing(generator.sent(), generator.refused()),
        stored().dueBefore(generator.lastDueMicros() + 1),
        0);
  }
}
