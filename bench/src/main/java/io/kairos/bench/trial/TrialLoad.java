package io.kairos.bench.trial;

import io.kairos.bench.measure.ResourceMeter;
import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.RunVerdict;
import java.sql.SQLException;
import java.util.function.LongConsumer;

/**
 * A load that a {@link TrialRunner} measures. The trial's thread calls its methods in the order in
 * which they are declared.
 */
public interface TrialLoad {
  /** Adds rows that describe the load. */
  void describe(FigureList figures);

  /** Starts the load. */
  TrialTimes start() throws SQLException;

  /** Returns the meter of the processes of the run; called after {@link #start}. */
  ResourceMeter meter() throws SQLException;

  /** Returns the counts so far. */
  Counts counts();

  /** True when the measured part is over before its time. */
  default boolean hasEnded() {
    return false;
  }

  /**
   * Waits until a moment of the run.
   *
   * @param time waits for a load that has nothing else to do
   */
  default void pass(long untilMicros, LongConsumer time) throws SQLException {
    time.accept(untilMicros);
  }

  /** Ends the load, waits for messages or tasks under way, and counts. */
  LoadAccounts settle() throws SQLException, InterruptedException;

  /**
   * Returns how much was done in the measured part.
   *
   * @param marked difference of the counts at its beginning and end
   */
  default Done done(Done marked, LoadAccounts accounts) {
    return marked;
  }

  /** Adds the figures and judgements of this kind of load to those of every trial. */
  void judge(Done done, LoadAccounts accounts, FigureList figures, RunVerdict verdict)
      throws SQLException;

  /** Messages or tasks that were accepted and that are done since the start. */
  record Counts(long accepted, long done) {}

  /** A count and the seconds that it took. */
  record Done(long count, double seconds) {
    public double perSecond() {
      return count / seconds;
    }
  }
}
