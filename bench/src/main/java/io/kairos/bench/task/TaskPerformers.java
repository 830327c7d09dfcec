package io.kairos.bench.task;

import io.kairos.bench.observe.ArrivalLedger;
import java.sql.SQLException;

/** The target of a load of tasks, and its performers, who say how tasks ended. */
public interface TaskPerformers {
  TaskTarget target();

  /** Tasks that have ended, about. Any thread. */
  default long done() {
    return 0;
  }

  /** Tasks of the load that are in the store and have not ended. */
  long unfinished() throws SQLException;

  /** Tasks that have ended in another way than with success. */
  long otherwise() throws SQLException;

  /** Ends those who perform; what they have performed is in the ledger then. */
  void stop(ArrivalLedger ledger) throws SQLException;
}
