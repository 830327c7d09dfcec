package io.kairos.simulator;

import org.jspecify.annotations.Nullable;

/**
 * States that matter and that a simulation could miss without anybody noticing. A run of many seeds
 * counts them and fails when it never reached one.
 */
public enum RareState {
  // Of both
  /** A call was reported as failed and had taken effect. */
  UNKNOWN_COMMIT_THAT_DID_COMMIT,
  /** A statement took effect after its caller had been told that it failed. */
  STATEMENT_AFTER_ITS_FAILURE,
  /** A statement took effect after its node had died. */
  STATEMENT_OF_A_DEAD_NODE,
  LIVE_NODE_LAPSED,
  CLOCK_OUT_OF_BOUNDS,
  STOPPED_GRACEFULLY,

  // Of the delay queue
  /** A message changed hands while its former holder's send was on its way. */
  TAKEOVER_IN_FLIGHT(Subject.DELAY_QUEUE),
  /** A delete came for a message that was not there any more under its pair. */
  LATE_DELETE(Subject.DELAY_QUEUE),
  /** A delete with an old pair met a newer message with the same id. */
  LATE_DELETE_OF_A_REUSED_ID(Subject.DELAY_QUEUE),
  /** A record was written and its sender never learned it. */
  LOST_ACK(Subject.DELAY_QUEUE),
  /** A send's record was written after the sender had been told that it failed. */
  WRITE_AFTER_ITS_FAILURE(Subject.DELAY_QUEUE),
  INTAKE_SUPERSEDED(Subject.DELAY_QUEUE),
  INTAKE_COMMIT_UNKNOWN(Subject.DELAY_QUEUE),
  DUPLICATE_IGNORED(Subject.DELAY_QUEUE),
  PUBLISHED_DIRECTLY(Subject.DELAY_QUEUE),
  PUBLISHED_TWICE(Subject.DELAY_QUEUE),
  RESET_BY_BACKSTOP(Subject.DELAY_QUEUE),
  DEFERRED(Subject.DELAY_QUEUE),
  REFUSED_BY_BROKER(Subject.DELAY_QUEUE),
  CANCELLED_BY_STORE(Subject.DELAY_QUEUE),
  CANCELLED_BY_HOLDER(Subject.DELAY_QUEUE),
  RESCHEDULED_BY_STORE(Subject.DELAY_QUEUE),
  RESCHEDULED_BY_HOLDER(Subject.DELAY_QUEUE),
  CANCEL_TOO_LATE(Subject.DELAY_QUEUE),
  AMENDMENT_TOO_LATE_AFTER_TAKEOVER(Subject.DELAY_QUEUE),
  AMENDMENT_OF_UNKNOWN_ID(Subject.DELAY_QUEUE),
  OUTCOME_ADOPTED(Subject.DELAY_QUEUE),
  ID_REUSED_AFTER_FIRING(Subject.DELAY_QUEUE),
  PARTITIONS_ADDED(Subject.DELAY_QUEUE),
  PARTITIONS_MOVED(Subject.DELAY_QUEUE),

  // A node died between two steps (CH-24, CH-27), before or after the call took effect.
  DIED_BEFORE_STORING(Subject.DELAY_QUEUE),
  DIED_AFTER_STORING(Subject.DELAY_QUEUE),
  DIED_BEFORE_CLAIMING(Subject.DELAY_QUEUE),
  DIED_AFTER_CLAIMING(Subject.DELAY_QUEUE),
  DIED_BEFORE_PUBLISHING(Subject.DELAY_QUEUE),
  DIED_AFTER_PUBLISHING(Subject.DELAY_QUEUE),
  DIED_BEFORE_DELETING(Subject.DELAY_QUEUE),
  DIED_AFTER_DELETING(Subject.DELAY_QUEUE),

  // Of tasks
  /** The caller was not told, and the tasks are there. */
  UNKNOWN_INSERT_THAT_DID_COMMIT(Subject.TASKS),
  /** A claim took effect and the node was not told: nobody performs the task until it lapses. */
  UNKNOWN_CLAIM_THAT_DID_COMMIT(Subject.TASKS),
  /** What a node had in memory was somebody else's by now. */
  CLAIM_LOST(Subject.TASKS),
  /** A worker was given tasks and the answer got lost. */
  HAND_OUT_LOST(Subject.TASKS),
  LATE_RESULT_REFUSED(Subject.TASKS),
  LATE_HEARTBEAT_REFUSED(Subject.TASKS),
  /** A result was reported again, because the first answer got lost. */
  RESULT_REPEATED(Subject.TASKS),
  /** A lease lapsed while its worker was alive: paused, cut off or too slow. */
  REAPED_WHILE_THE_WORKER_LIVES(Subject.TASKS),
  REAPED_FROM_A_DEAD_WORKER(Subject.TASKS),
  /** A worker stopped an execution because it no longer knew of its lease. */
  WORKER_STOPPED_ITSELF(Subject.TASKS),
  /** A handler ignored that it was to stop, and its worker halted. */
  WORKER_HALTED(Subject.TASKS),
  WORKER_PAUSED_BEYOND_ITS_LEASE(Subject.TASKS),
  /** A task was begun anew while a paused worker was still in the middle of it. */
  BEGUN_ELSEWHERE_DURING_A_PAUSE(Subject.TASKS),
  WORKER_DRAINED(Subject.TASKS),
  /** What a departed node had in memory was given back. */
  RELEASED_FROM_A_DEPARTED_NODE(Subject.TASKS),
  /** What nobody asked for any more was given back. */
  RELEASED_UNWANTED(Subject.TASKS),
  /** The enqueue timeout took a task out of a node's memory. */
  ENQUEUE_TIMED_OUT(Subject.TASKS),
  GIVEN_BACK_NOT_BEGUN(Subject.TASKS),
  RETRIED_AFTER_FAILURE(Subject.TASKS),
  ATTEMPTS_USED_UP(Subject.TASKS),
  ATTEMPTS_USED_UP_BY_LAPSES(Subject.TASKS),
  CANCELLED_WAITING(Subject.TASKS),
  CANCELLED_IN_MEMORY(Subject.TASKS),
  CANCELLED_WHILE_PERFORMED(Subject.TASKS),
  CANCELLED_TOO_LATE(Subject.TASKS),
  RESCHEDULED_WAITING(Subject.TASKS),
  RESCHEDULED_IN_MEMORY(Subject.TASKS),
  RESCHEDULED_TOO_LATE(Subject.TASKS),
  REFUSED_BY_A_STOPPING_NODE(Subject.TASKS),
  FORGOTTEN_BY_RETENTION(Subject.TASKS),
  /** A task began while others of its ordering key waited for it. */
  KEY_WITH_A_QUEUE_BEHIND_IT(Subject.TASKS),
  /** A task was taken into memory, and there was an earlier one of its key by then. */
  CLAIM_REFUSED_BY_ITS_KEY(Subject.TASKS),
  WOKEN_BEHIND_ITS_KEY(Subject.TASKS),
  NEXT_OF_ITS_KEY_ENQUEUED(Subject.TASKS),
  CLAIM_REFUSED_BY_A_PAUSE(Subject.TASKS),
  /** A limit kept a task that a worker waited for. */
  CLAIM_HELD_BACK(Subject.TASKS),
  /** A call put a task into a node's memory and the answer got lost; the node found it. */
  STRAY_GIVEN_BACK(Subject.TASKS),
  /** The first answer got lost, and the call was made again. */
  REPEATED_CALL_FOUND_ITS_TASK(Subject.TASKS),
  DUPLICATE_KEPT(Subject.TASKS),
  DUPLICATE_REFUSED(Subject.TASKS),
  REPLACED_WAITING(Subject.TASKS),
  REPLACED_IN_MEMORY(Subject.TASKS),
  /** It was being performed, had ended, or has an ordering key. */
  REPLACEMENT_REFUSED(Subject.TASKS),
  IDEMPOTENCY_KEY_USED_AGAIN(Subject.TASKS),
  EXPIRED_WAITING(Subject.TASKS),
  EXPIRED_IN_MEMORY(Subject.TASKS),

  // Of schedules
  /** Decisions were kept and the node that made them was not told. */
  DECIDED_AND_NOT_TOLD(Subject.SCHEDULES),
  /** A fire time that had been missed was made up for. */
  MADE_UP_FOR(Subject.SCHEDULES),
  /** Something was due when a schedule was edited, paused, resumed or deleted. */
  DECIDED_BY_A_CHANGE(Subject.SCHEDULES),
  SKIPPED_BY_OVERLAP(Subject.SCHEDULES),
  SKIPPED_BUFFER_FULL(Subject.SCHEDULES),
  SKIPPED_SUPERSEDED(Subject.SCHEDULES),
  SKIPPED_CATCH_UP_NONE(Subject.SCHEDULES),
  SKIPPED_OUTSIDE_WINDOW(Subject.SCHEDULES),
  SKIPPED_CAP(Subject.SCHEDULES),
  SKIPPED_PAUSED(Subject.SCHEDULES),
  SKIPPED_CALENDAR(Subject.SCHEDULES),
  SKIPPED_DST_GAP(Subject.SCHEDULES),
  SKIPPED_DST_OVERLAP(Subject.SCHEDULES),
  WOKEN_BY_ITS_CALENDAR(Subject.SCHEDULES),
  WOKEN_BY_OTHER_RULES_OF_ZONES(Subject.SCHEDULES),
  /** A calendar that had no more days got new ones. */
  BEGUN_AGAIN_BY_ITS_CALENDAR(Subject.SCHEDULES),
  PAUSED_BY_FAILURE(Subject.SCHEDULES),
  ENDED_BY_MAX_RUNS(Subject.SCHEDULES),
  CANCELLED_BY_ITS_SCHEDULE(Subject.SCHEDULES),
  /** A run began in the memory of the node that made it. */
  RUN_INTO_MEMORY(Subject.SCHEDULES),
  BACKFILLED(Subject.SCHEDULES),
  /** A request that had run was made again, and found what it had come to. */
  REQUEST_REPEATED(Subject.SCHEDULES),
  /** By a replicated cron, what is its own. */
  DECIDED_BY_AGREED_TIME(Subject.SCHEDULES),
  AGREED_TIME_REFUSED(Subject.SCHEDULES),
  STORE_CLOCK_JUMPED_FORWARD(Subject.SCHEDULES),
  STORE_CLOCK_JUMPED_BACK(Subject.SCHEDULES),
  /** A node that had nothing to compare the store's clock with fired ahead of time. */
  FIRED_AHEAD_BY_A_FRESH_NODE(Subject.SCHEDULES);

  private final @Nullable Subject only;

  RareState() {
    this.only = null;
  }

  RareState(Subject only) {
    this.only = only;
  }

  boolean isOf(Subject subject) {
    return only == null || only == subject;
  }
}
