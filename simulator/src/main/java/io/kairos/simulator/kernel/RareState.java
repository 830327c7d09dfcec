package io.kairos.simulator.kernel;

import org.jspecify.annotations.Nullable;

/**
 * Important states that a simulation could easily miss. A run of many seeds counts them, and fails
 * when it has never reached one.
 */
public enum RareState {
  // Of all subjects with nodes
  /** A call was reported as failed and had taken effect. */
  UNKNOWN_COMMIT_THAT_DID_COMMIT,
  /** A statement took effect after its caller had been told that it failed. */
  STATEMENT_AFTER_ITS_FAILURE,
  /** A statement took effect after its node had died. */
  STATEMENT_OF_A_DEAD_NODE,
  LIVE_NODE_LAPSED,
  CLOCK_OUT_OF_BOUNDS,
  STORE_CLOCK_JUMPED_FORWARD,
  STORE_CLOCK_JUMPED_BACK,
  STOPPED_GRACEFULLY,

  // Of the delay queue
  /** A message changed hands while its former holder's send was on its way. */
  TAKEOVER_IN_FLIGHT(SimulationSubject.DELAY_QUEUE),
  /** A delete came for a message that was not there any more under its pair. */
  LATE_DELETE(SimulationSubject.DELAY_QUEUE),
  /** A delete with an old pair met a newer message with the same id. */
  LATE_DELETE_OF_A_REUSED_ID(SimulationSubject.DELAY_QUEUE),
  /** A record was written and its sender never learned it. */
  LOST_ACK(SimulationSubject.DELAY_QUEUE),
  /** A send's record was written after the sender had been told that it failed. */
  WRITE_AFTER_ITS_FAILURE(SimulationSubject.DELAY_QUEUE),
  INTAKE_SUPERSEDED(SimulationSubject.DELAY_QUEUE),
  INTAKE_COMMIT_UNKNOWN(SimulationSubject.DELAY_QUEUE),
  DUPLICATE_IGNORED(SimulationSubject.DELAY_QUEUE),
  PUBLISHED_DIRECTLY(SimulationSubject.DELAY_QUEUE),
  PUBLISHED_TWICE(SimulationSubject.DELAY_QUEUE),
  RESET_BY_BACKSTOP(SimulationSubject.DELAY_QUEUE),
  DEFERRED(SimulationSubject.DELAY_QUEUE),
  REFUSED_BY_BROKER(SimulationSubject.DELAY_QUEUE),
  CANCELLED_BY_STORE(SimulationSubject.DELAY_QUEUE),
  CANCELLED_BY_HOLDER(SimulationSubject.DELAY_QUEUE),
  RESCHEDULED_BY_STORE(SimulationSubject.DELAY_QUEUE),
  RESCHEDULED_BY_HOLDER(SimulationSubject.DELAY_QUEUE),
  CANCEL_TOO_LATE(SimulationSubject.DELAY_QUEUE),
  AMENDMENT_TOO_LATE_AFTER_TAKEOVER(SimulationSubject.DELAY_QUEUE),
  AMENDMENT_OF_UNKNOWN_ID(SimulationSubject.DELAY_QUEUE),
  OUTCOME_ADOPTED(SimulationSubject.DELAY_QUEUE),
  ID_REUSED_AFTER_FIRING(SimulationSubject.DELAY_QUEUE),
  PARTITIONS_ADDED(SimulationSubject.DELAY_QUEUE),
  PARTITIONS_MOVED(SimulationSubject.DELAY_QUEUE),

  // A node died between two steps, before or after the call took effect.
  DIED_BEFORE_STORING(SimulationSubject.DELAY_QUEUE),
  DIED_AFTER_STORING(SimulationSubject.DELAY_QUEUE),
  DIED_BEFORE_CLAIMING(SimulationSubject.DELAY_QUEUE),
  DIED_AFTER_CLAIMING(SimulationSubject.DELAY_QUEUE),
  DIED_BEFORE_PUBLISHING(SimulationSubject.DELAY_QUEUE),
  DIED_AFTER_PUBLISHING(SimulationSubject.DELAY_QUEUE),
  DIED_BEFORE_DELETING(SimulationSubject.DELAY_QUEUE),
  DIED_AFTER_DELETING(SimulationSubject.DELAY_QUEUE),

  // Of tasks
  /** The caller was not told, and the tasks are there. */
  UNKNOWN_INSERT_THAT_DID_COMMIT(SimulationSubject.TASKS),
  /** A claim took effect and the node was not told: nobody performs the task until it lapses. */
  UNKNOWN_CLAIM_THAT_DID_COMMIT(SimulationSubject.TASKS),
  /** A node tried to claim a task in its memory that another node had taken over. */
  CLAIM_LOST(SimulationSubject.TASKS),
  /** A worker was given tasks and the answer got lost. */
  HAND_OUT_LOST(SimulationSubject.TASKS),
  LATE_RESULT_REFUSED(SimulationSubject.TASKS),
  LATE_HEARTBEAT_REFUSED(SimulationSubject.TASKS),
  /** A result was reported again, because the first answer got lost. */
  RESULT_REPEATED(SimulationSubject.TASKS),
  /** A lease lapsed while its worker was alive: paused, cut off or too slow. */
  REAPED_WHILE_THE_WORKER_LIVES(SimulationSubject.TASKS),
  REAPED_FROM_A_DEAD_WORKER(SimulationSubject.TASKS),
  /** A worker stopped an execution because it no longer knew of its lease. */
  WORKER_STOPPED_ITSELF(SimulationSubject.TASKS),
  /** A handler ignored that it was to stop, and its worker halted, as it was asked to. */
  WORKER_HALTED(SimulationSubject.TASKS),
  /** A handler ignored that it was to stop, and its worker went on beside it. */
  HANDLER_ABANDONED(SimulationSubject.TASKS),
  /** A task was begun anew while a handler that had lost its lease was still performing it. */
  BEGUN_BESIDE_AN_ABANDONED_HANDLER(SimulationSubject.TASKS),
  /** The store's clock was set back, and a lease would have lasted for as long. */
  LEASE_SHORTENED(SimulationSubject.TASKS),
  WORKER_PAUSED_BEYOND_ITS_LEASE(SimulationSubject.TASKS),
  /** A task was begun anew while a paused worker was still in the middle of it. */
  BEGUN_ELSEWHERE_DURING_A_PAUSE(SimulationSubject.TASKS),
  WORKER_DRAINED(SimulationSubject.TASKS),
  /** Tasks in the memory of a departed node were given back. */
  RELEASED_FROM_A_DEPARTED_NODE(SimulationSubject.TASKS),
  /** Tasks that no worker asked for any more were given back. */
  RELEASED_UNWANTED(SimulationSubject.TASKS),
  /** The enqueue timeout took a task out of a node's memory. */
  ENQUEUE_TIMED_OUT(SimulationSubject.TASKS),
  GIVEN_BACK_NOT_BEGUN(SimulationSubject.TASKS),
  SNOOZED(SimulationSubject.TASKS),
  RETRIED_AFTER_FAILURE(SimulationSubject.TASKS),
  ATTEMPTS_USED_UP(SimulationSubject.TASKS),
  ATTEMPTS_USED_UP_BY_LAPSES(SimulationSubject.TASKS),
  CANCELLED_WAITING(SimulationSubject.TASKS),
  CANCELLED_IN_MEMORY(SimulationSubject.TASKS),
  CANCELLED_WHILE_PERFORMED(SimulationSubject.TASKS),
  CANCELLED_TOO_LATE(SimulationSubject.TASKS),
  RESCHEDULED_WAITING(SimulationSubject.TASKS),
  RESCHEDULED_IN_MEMORY(SimulationSubject.TASKS),
  RESCHEDULED_TOO_LATE(SimulationSubject.TASKS),
  REFUSED_BY_A_STOPPING_NODE(SimulationSubject.TASKS),
  FORGOTTEN_BY_RETENTION(SimulationSubject.TASKS),
  /** A task began while others of its ordering key waited for it. */
  KEY_WITH_A_QUEUE_BEHIND_IT(SimulationSubject.TASKS),
  /** A task was taken into memory, and there was an earlier one of its key by then. */
  CLAIM_REFUSED_BY_ITS_KEY(SimulationSubject.TASKS),
  WOKEN_BEHIND_ITS_KEY(SimulationSubject.TASKS),
  NEXT_OF_ITS_KEY_ENQUEUED(SimulationSubject.TASKS),
  CLAIM_REFUSED_BY_A_PAUSE(SimulationSubject.TASKS),
  /** A limit kept a task that a worker waited for. */
  CLAIM_HELD_BACK(SimulationSubject.TASKS),
  CLAIM_REFUSED_BY_A_LIMIT(SimulationSubject.TASKS),
  WOKEN_BEFORE_A_LIMIT(SimulationSubject.TASKS),
  /** A call put a task into a node's memory and the answer got lost; the node found it. */
  STRAY_GIVEN_BACK(SimulationSubject.TASKS),
  /** The first answer got lost, and the call was made again. */
  REPEATED_CALL_FOUND_ITS_TASK(SimulationSubject.TASKS),
  DUPLICATE_KEPT(SimulationSubject.TASKS),
  DUPLICATE_REFUSED(SimulationSubject.TASKS),
  REPLACED_WAITING(SimulationSubject.TASKS),
  REPLACED_IN_MEMORY(SimulationSubject.TASKS),
  /** The task to be replaced was being performed, had ended, or has an ordering key. */
  REPLACEMENT_REFUSED(SimulationSubject.TASKS),
  IDEMPOTENCY_KEY_USED_AGAIN(SimulationSubject.TASKS),
  EXPIRED_WAITING(SimulationSubject.TASKS),
  EXPIRED_IN_MEMORY(SimulationSubject.TASKS),
  READIED_BY_THE_LAST_OF_SEVERAL(SimulationSubject.TASKS),
  /** A task began after a predecessor that had failed or was cancelled, as it was asked to. */
  WENT_ON_AFTER_A_FAILURE(SimulationSubject.TASKS),
  FAILED_WITH_ITS_PREDECESSOR(SimulationSubject.TASKS),
  CANCELLED_WITH_ITS_PREDECESSOR(SimulationSubject.TASKS),
  /** A task was accepted when all that it is to wait for had ended. */
  ENDED_BEFORE_ITS_SUCCESSOR_CAME(SimulationSubject.TASKS),

  // Of tasks that wait for each other, of which these simulations have little else
  /** A task failed because one was removed from the history that it still waited for. */
  FAILED_WITH_A_FORGOTTEN_PREDECESSOR(SimulationSubject.GRAPHS),
  /** A task was to wait for one that had been removed from the history. */
  PREDECESSOR_NOT_KNOWN_ANY_MORE(SimulationSubject.GRAPHS),
  /** The end of a predecessor was stored and its node was not told; the successor began. */
  READIED_BY_AN_UNKNOWN_COMMIT(SimulationSubject.GRAPHS),
  /** More was ready than one transaction may say, and a step said it later. */
  READIED_AFTER_AN_OVERFLOW(SimulationSubject.GRAPHS),
  /** A successor came into the memory of the node that readied it. */
  SUCCESSOR_ENQUEUED(SimulationSubject.GRAPHS),

  /** A batch with tasks was closed, and all of them ended. */
  BATCH_ENDED(SimulationSubject.TASKS),
  /** A task began when the batch that it waited for had ended. */
  READIED_BY_A_BATCH(SimulationSubject.TASKS),
  /** A task was to join a batch that was closed before. */
  REFUSED_BY_A_CLOSED_BATCH(SimulationSubject.TASKS),
  CANCELLED_WITH_ITS_BATCH(SimulationSubject.TASKS),

  // Of schedules
  /** Decisions were kept and the node that made them was not told. */
  DECIDED_AND_NOT_TOLD(SimulationSubject.SCHEDULES),
  /** A fire time that had been missed was made up for. */
  MADE_UP_FOR(SimulationSubject.SCHEDULES),
  /** Something was due when a schedule was edited, paused, resumed or deleted. */
  DECIDED_BY_A_CHANGE(SimulationSubject.SCHEDULES),
  SKIPPED_OVERLAP(SimulationSubject.SCHEDULES),
  SKIPPED_BUFFER_FULL(SimulationSubject.SCHEDULES),
  SKIPPED_SUPERSEDED(SimulationSubject.SCHEDULES),
  SKIPPED_CATCH_UP_NONE(SimulationSubject.SCHEDULES),
  SKIPPED_OUTSIDE_WINDOW(SimulationSubject.SCHEDULES),
  SKIPPED_CAP(SimulationSubject.SCHEDULES),
  SKIPPED_PAUSED(SimulationSubject.SCHEDULES),
  SKIPPED_CALENDAR(SimulationSubject.SCHEDULES),
  SKIPPED_DST_GAP(SimulationSubject.SCHEDULES),
  SKIPPED_DST_OVERLAP(SimulationSubject.SCHEDULES),
  WOKEN_BY_ITS_CALENDAR(SimulationSubject.SCHEDULES),
  WOKEN_BY_OTHER_RULES_OF_ZONES(SimulationSubject.SCHEDULES),
  /** A calendar that had no more days got new ones. */
  BEGUN_AGAIN_BY_ITS_CALENDAR(SimulationSubject.SCHEDULES),
  PAUSED_BY_FAILURE(SimulationSubject.SCHEDULES),
  RUN_IN_TURN_BEGAN(SimulationSubject.SCHEDULES),
  ENDED_BY_MAX_RUNS(SimulationSubject.SCHEDULES),
  CANCELLED_BY_ITS_SCHEDULE(SimulationSubject.SCHEDULES),
  /** A run began in the memory of the node that made it. */
  RUN_INTO_MEMORY(SimulationSubject.SCHEDULES),
  BACKFILLED(SimulationSubject.SCHEDULES),
  /** A request that had run was made again, and found what it had come to. */
  REQUEST_REPEATED(SimulationSubject.SCHEDULES),
  /** A replicated cron decided on one of its own schedules. */
  DECIDED_BY_AGREED_TIME(SimulationSubject.SCHEDULES),
  AGREED_TIME_REFUSED(SimulationSubject.SCHEDULES),
  /** A node that had nothing to compare the store's clock with fired ahead of time. */
  FIRED_AHEAD_BY_A_FRESH_NODE(SimulationSubject.SCHEDULES),

  // Of replicas
  SNAPSHOT_TO_A_RUNNING_REPLICA(SimulationSubject.REPLICAS),
  LEADER_CRASHED(SimulationSubject.REPLICAS),
  ALL_DOWN(SimulationSubject.REPLICAS),
  WIPED(SimulationSubject.REPLICAS),
  SAME_REQUEST_ORDERED_TWICE(SimulationSubject.REPLICAS),
  ROUND_BEGUN_OUT_OF_TURN(SimulationSubject.REPLICAS),
  TIME_STOOD_STILL(SimulationSubject.REPLICAS),
  WRONG_CLOCK(SimulationSubject.REPLICAS),
  FLOODED(SimulationSubject.REPLICAS),
  TICK_OF_A_PAST_ROUND(SimulationSubject.REPLICAS),
  OUTSIDE_HEARS_NOTHING(SimulationSubject.REPLICAS),
  ANSWER_LOST(SimulationSubject.REPLICAS),
  EFFECT_ASKED_FOR_BY_SEVERAL(SimulationSubject.REPLICAS);

  private final @Nullable SimulationSubject only;

  RareState() {
    this.only = null;
  }

  RareState(SimulationSubject only) {
    this.only = only;
  }

  boolean isOf(SimulationSubject subject) {
    return only == null ? subject != SimulationSubject.REPLICAS : only == subject;
  }
}
