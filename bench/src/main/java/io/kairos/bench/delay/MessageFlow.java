package io.kairos.bench.delay;

import io.kairos.bench.load.BenchWait;
import io.kairos.bench.load.LoadPayload;
import io.kairos.bench.load.LoadPlan;
import io.kairos.bench.load.MessageGenerator;
import io.kairos.bench.measure.BenchSql;
import io.kairos.bench.observe.ArrivalLedger;
import io.kairos.bench.observe.ArrivalLog;
import io.kairos.bench.observe.OutputObserver;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.trial.LoadAccounts;
import io.kairos.bench.trial.TrialTimes;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Messages of one run on their way from a generator to an observer, with a ledger of them. Each run
 * has a number, so leftovers of one cannot count for another. It ends with its rig. Used by one
 * thread.
 */
public final class MessageFlow {
  /** Table of the stored messages. */
  static final String TABLE = "delayed_message";

  private static final Duration SEND_PATIENCE = Duration.ofMinutes(30);
  private static final Duration LOOK_EVERY = Duration.ofMillis(50);

  /** Silence after which the rest is lost: hold time, lapse and statement timeout passed twice. */
  private static final Duration QUIET = Duration.ofSeconds(30);

  /** Time to wait for second copies: the backstop comes after the hold time. */
  private static final Duration LINGER = Duration.ofSeconds(8);

  private static final String TAKEN_IN = "select coalesce(sum(next_offset), 0) from input_position";

  /** Scans the table. */
  private static final String DUE_UNTIL =
      "select count(*) from delayed_message where deadline <= ?";

  private final ArrivalLedger ledger;
  private final OutputObserver observer;
  private final MessageGenerator generator;
  private final BenchRig rig;

  /**
   * Begins to send and to observe.
   *
   * @param arrivals is told of every message as well; null for nobody
   */
  public MessageFlow(
      BenchRig rig,
      LoadPlan plan,
      int valueBytes,
      TrialTimes times,
      @Nullable ArrivalLog arrivals) {
    LoadPayload payload = LoadPayload.ofNewRun(valueBytes);
    ledger = new ArrivalLedger(times.start(), times.measuredFrom(), times.measuredUntil());
    this.rig = rig;
    observer =
        rig.keep(
            OutputObserver.start(rig.bootstrapServers(), rig.output(), payload, ledger, arrivals));
    generator =
        rig.keep(
            MessageGenerator.start(
                rig.bootstrapServers(),
                rig.input(),
                payload,
                arrivals == null ? plan : arrivals.expecting(plan),
                times.start()));
  }

  /**
   * Begins to send messages as fast as possible that are all due within some time from a moment on.
   */
  public static MessageFlow flood(
      BenchRig rig, long count, int valueBytes, long due, Duration within, ArrivalLog arrivals) {
    LoadPlan plan = LoadPlan.flood(count, due, within);
    return new MessageFlow(rig, plan, valueBytes, TrialTimes.wholeFromNow(), arrivals);
  }

  public ArrivalLedger ledger() {
    return ledger;
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
    Connection connection = rig.connect();
    long began = System.nanoTime();
    long before = BenchSql.number(connection, TAKEN_IN);
    if (!BenchWait.until(
        () -> BenchSql.number(connection, TAKEN_IN) >= generator.sent(),
        SEND_PATIENCE,
        LOOK_EVERY)) {
      throw new IllegalStateException(
          "only %d of %d messages were taken in"
              .formatted(BenchSql.number(connection, TAKEN_IN), generator.sent()));
    }
    return (generator.sent() - before) / ((System.nanoTime() - began) / 1e9);
  }

  /** Sends no more, however much of the load is left. */
  public void stop() {
    generator.stop();
  }

  /**
   * Waits until all is sent and has arrived or is lost, and counts.
   *
   * @param notBeforeMicros until then silence means nothing; 0 for the last due time
   */
  public LoadAccounts settle(long notBeforeMicros) throws SQLException {
    awaitSent();
    Set<Long> refused = generator.refused();
    observer.awaitDistinct(
        generator.sent() - refused.size(),
        Math.max(generator.lastDueMicros(), notBeforeMicros),
        QUIET);
    observer.linger(LINGER);
    // Over a new connection, which an outage has not broken.
    long left = BenchSql.number(rig.connect(), DUE_UNTIL, generator.lastDueMicros());
    return new LoadAccounts(
        generator.sent(),
        generator.acknowledged(),
        refused.size(),
        generator.worstLag(),
        ledger,
        ledger.missing(generator.sent(), refused),
        left,
        0);
  }
}
