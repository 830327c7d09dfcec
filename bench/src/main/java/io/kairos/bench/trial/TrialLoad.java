package io.kairos.bench.trial;

import io.kairos.bench.measure.ResourceMeter;
import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.RunVerdict;
import java.sql.SQLException;

/**
 * What a {@link TrialRunner} measures. Its methods are called by the trial's thread, in the order
 * in which they stand here.
 */
public interface TrialLoad {
  /** Says what is going to be measured, in rows of the table. */
  void describe(FigureList figures);

  /** Lets the load begin. */
  TrialTimes start() throws SQLException;

  /** What uses up the resources of the run; asked after the start. */
  ResourceMeter meter() throws SQLException;

  /** How far it is by now. */
  Counts counts();

  /** True when the measured part is over before its time. */
  default boolean hasEnded() {
    return false;
  }

  /** Lets time pass until a moment of the run. */
  default void pass(long untilMicros, PassingTime time) throws SQLException {
    time.pass(untilMicros, this);
  }

  /** Ends the load, waits for what is under way, and counts. */
  LoadAccounts settle() throws SQLException, InterruptedException;

  /**
   * What counts as done in the measured part, and in what time.
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

  /** So many in so many seconds. */
  record Done(long count, double seconds) {
    public double perSecond() {
      return count / seconds;
    }
  }

  /** How time passes where the load has nothing else to do. */
  interface PassingTime {
    /** Returns at that moment, or when the load has ended. */
    void pass(long untilMicros, TrialLoad load) throws SQLException;
  }
}
