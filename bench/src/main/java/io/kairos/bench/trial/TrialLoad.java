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
  /** Says what is going to be measured, in rows of the table. */
  void describe(FigureList figures);

  /** Lets the load begin. */
  TrialTimes start() throws SQLException;

  /** Meter of the processes of the run; asked for after the start. */
  ResourceMeter meter() throws SQLException;

  /** Counts at this moment. */
  Counts counts();

  /** True when the measured part is over before its time. */
  default boolean hasEnded() {
    return false;
  }

  /**
   * Lets time pass until a moment of the run.
   *
   * @param time lets it pass where the load has nothing else to do
   */
  default void pass(long untilMicros, LongConsumer time) throws SQLException {
    time.accept(untilMicros);
  }

  /** Ends the load, waits for what is under way, and counts. */
  LoadAccounts settle() throws SQLException, InterruptedException;

  /**
   * Counts the measured part.
   *
   * @param marked by the counts at its beginning and end
   */
  default Done done(Done marked, LoadAccounts accounts) {
    return marked;
  }

  /** Adds figures and judgements of its own to those of every trial. */
  void judge(Done done, LoadAccounts accounts, FigureList figures, RunVerdict verdict)
      throws SQLException;

  /** Accepted and done since the start. */
  record Counts(long accepted, long done) {}

  /** A count and the seconds that it took. */
  record Done(long count, double seconds) {
    public double perSecond() {
      return count / seconds;
    }
  }
}
