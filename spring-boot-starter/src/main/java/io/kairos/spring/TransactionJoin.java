package io.kairos.spring;

import io.kairos.client.TaskRequest;
import io.kairos.client.task.TaskId;
import java.util.List;
import java.util.Optional;

/** Schedules tasks in the transaction of the caller, if there is one. */
@FunctionalInterface
interface TransactionJoin {
  /** Joins no transaction. */
  TransactionJoin NONE = tasks -> Optional.empty();

  /** Returns the ids of the tasks, all or none scheduled; empty without a transaction. */
  Optional<List<TaskId>> schedule(List<TaskRequest> tasks);
}
