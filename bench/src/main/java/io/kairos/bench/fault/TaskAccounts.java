package io.kairos.bench.fault;

import io.kairos.bench.observe.Ledger;
import io.kairos.bench.task.TaskLoad;
import io.kairos.bench.task.TaskStoreCount;

/**
 * What became of every task of a load.
 *
 * @param sent tasks of calls that were made
 * @param uncertain of these: of calls that failed, also after the client's own repeats
 * @param performed what the workers' logs say
 * @param store what came into it meanwhile
 */
record TaskAccounts(
    long sent,
    long accepted,
    long uncertain,
    Ledger.Count performed,
    Ledger.Missing missing,
    TaskStoreCount store) {
  /** Of a load that has ended. */
  static TaskAccounts of(TaskLoad load, Ledger ledger, TaskStoreCount store) {
    return new TaskAccounts(
        load.sent(),
        load.accepted(),
        load.uncertain().size(),
        ledger.count(),
        load.missingFrom(ledger),
        store);
  }
}
