package io.kairos.engine.task.port;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.OrderingKeyId;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.graph.EdgeEffect;
import io.kairos.domain.task.limit.LimitName;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.engine.node.LeaseClock;
import io.kairos.engine.task.port.operator.AdmissionQuota;
import io.kairos.engine.task.port.operator.HandlerBacklog;
import io.kairos.engine.task.port.operator.TaskView;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The part of the {@link TaskStore} that a node's steps use: intake, queues, leases, ends of
 * attempts, and upkeep.
 */
public interface TaskStepStore extends QueueNumberStore {
  /** Most successors that the transaction tells which ends tasks, for all of these together. */
  int MOST_READY_AT_ONCE = 1_000;

  /** Most handlers of which it is known when workers last asked for their tasks. */
  int MOST_ASKED = 10_000;

  /**
   * Stores new tasks. The requests share one transaction where possible, but each is independent: a
   * refused request leaves nothing behind and does not affect the others. Tasks stored as enqueued
   * have fence 1; their trigger is the due time, or now if that has passed, plus the enqueue
   * timeout. The other tasks wait with fence 0. Ids must be new: if a live task has one of the ids,
   * the call fails as unavailable and nothing is stored.
   *
   * <p>A task with predecessors that have not ended as its edges ask is stored as awaiting. It
   * takes no part in the order of its ordering key until it is ready. A predecessor that has ended
   * without success affects it as if it had ended just after the call, see {@link #followEnds}. An
   * edge to a duplicate is dropped, and one from a duplicate comes from the task that had been
   * stored before.
   *
   * @return one result per request, in order
   */
  List<InsertResult> insert(NodeId node, List<InsertRequest> requests, Duration enqueueTimeout);

  /** The handler's quota; empty when it may have any number of tasks. */
  Optional<AdmissionQuota> quota(TaskHandler handler);

  /**
   * Recounts the unfinished tasks of handlers with a quota. Tasks that an application's own
   * transaction stores, or that are stored while a quota is being set, are counted only here.
   */
  void recountQuotas();

  /**
   * Deletes expired idempotency keys.
   *
   * @return the number of deleted keys, at most {@code limit}
   */
  int pruneIdempotencyKeys(int limit);

  /**
   * Enqueues tasks whose trigger comes within {@link EnqueueRequest#ahead}, the earliest first.
   * Skips tasks that another node is enqueueing, blocked tasks, tasks past their start deadline,
   * and paused tasks; tasks of a paused collection become paused.
   */
  List<EnqueuedTask> enqueue(EnqueueRequest request);

  /**
   * Enqueues tasks of a queue that has fairness keys, as {@link #enqueue} does: of each key that
   * has such tasks the earliest, one at least and of the rest as many as its weight says, which is
   * that of its earliest task. Looks at {@link FairEnqueueRequest#maxKeys} keys. Tasks without a
   * key that were stored before the queue had keys are found only when they are among the earliest
   * of the queue.
   */
  FairEnqueueResult enqueueFairly(FairEnqueueRequest request);

  /**
   * Returns enqueued tasks to waiting, for other nodes. Tasks that are no longer held under their
   * fence stay as they are. A first attempt waits for its due time again. A retry waits for its
   * retry time, or, if that had passed when it was enqueued, for the time of its enqueueing.
   *
   * @param enqueueTimeout the timeout with which they were enqueued
   */
  void release(List<FencedTask> enqueued, Duration enqueueTimeout);

  /**
   * Claims enqueued tasks for workers. A claimed task has the next fence and one attempt more.
   * Tasks past their start deadline by the store's clock are not claimed and wait again, because
   * the clock may be wrong. Tasks whose ordering key does not let them begin are not claimed
   * either: they are blocked until other tasks of the key have ended, or wait until the key's rate
   * allows them. Tasks whose limits by key have no room are not claimed: they stand in line, and no
   * step looks for them until the end of another task, a token or an operator makes room. Paused
   * tasks are not claimed and leave their queue. The first claims of a limited queue are granted as
   * far as there is room.
   *
   * @param claims must not name a task and fence twice
   */
  ClaimResult claim(List<TaskClaim> claims, Duration lease);

  /**
   * What tasks have waited for, by their ids: of each task as many predecessors as the query says,
   * and the values that fit, the smallest first.
   */
  Map<TaskId, Predecessors> predecessors(List<PredecessorQuery> queries);

  /**
   * How much longer than its execution timeout an attempt may take: the ways to the worker and
   * back, because the worker counts from the moment at which it begins.
   */
  Duration TIMEOUT_GRACE = Duration.ofSeconds(1);

  /**
   * Renews leases; no lease becomes shorter, and of several renewals of a task the longest holds,
   * and the last progress. Progress is of the attempt, and gone after it. An attempt that has taken
   * longer than its execution timeout, both by the store's clock and by the time that the caller
   * believes, is lost.
   *
   * @param believedMicros see {@link LeaseClock}
   * @return one finding per renewal, in order
   */
  List<HeartbeatFinding> heartbeat(List<LeaseRenewal> renewals, long believedMicros);

  /** Renews leases by one length; judges by the store's clock alone. */
  default List<HeartbeatFinding> heartbeat(List<FencedTask> processing, Duration lease) {
    return heartbeat(
        processing.stream().map(task -> new LeaseRenewal(task, lease)).toList(), Long.MAX_VALUE);
  }

  /** The attempts under way with these fences, for deciding between retry and end. */
  List<HeldAttempt> attempts(Collection<FencedTask> processing);

  /**
   * Ends attempts. A task that has ended moves from the live tables to the history, and the next
   * task of its ordering key is no longer blocked. A settlement is not applied if the task is not
   * held under its fence, or not by the worker of the settlement. Successors that waited for just
   * these ends are ready, up to {@link #MOST_READY_AT_ONCE}; {@link #followEnds} does the rest.
   * After its execution timeout, both by the store's clock and by the time that the caller
   * believes, an attempt can only fail for now or be cancelled.
   *
   * @param onto the node and room for enqueueing the next tasks of ordering keys and successors
   *     that are ready in this call, so that they need not wait for the store consumer; null to
   *     enqueue none
   * @param believedMicros see {@link LeaseClock}
   */
  SettlementResult settle(
      List<Settlement> settlements, @Nullable EnqueueRequest onto, long believedMicros);

  /** Ends attempts and enqueues nothing; judges by the store's clock alone. */
  default SettlementResult settle(List<Settlement> settlements) {
    return settle(settlements, null, Long.MAX_VALUE);
  }

  /**
   * Held tasks whose trigger has passed both by the store's clock and by the time that the caller
   * believes, the earliest trigger first. Skips tasks that another transaction is changing.
   *
   * @param believedMicros see {@link LeaseClock}
   */
  List<HeldAttempt> lapsed(long believedMicros, int limit);

  /**
   * Takes lapsed tasks from their holders. As {@link #settle}, but a settlement is applied only if
   * the trigger has still passed by both clocks: a heartbeat may have come in between.
   */
  SettlementResult reap(List<Settlement> settlements, long believedMicros);

  /**
   * Renews leases of workers that end later than {@code beyond} from now, as from now: only a clock
   * that was set back leaves such. Skips tasks of pools, whose endpoints ask for leases of any
   * length, and tasks that another transaction is changing. Such a clock also keeps the store from
   * telling nodes of tasks that applications store by SQL, which this ends.
   *
   * @param beyond longer than any worker's lease
   * @return the number of shortened leases, at most {@code limit}
   */
  int shortenLeases(Duration beyond, Duration lease, int limit);

  /**
   * Ends tasks that have not begun by their start deadline as failed, the earliest deadline first.
   * The deadline has passed both by the store's clock and by the time that the caller believes.
   * Skips tasks that another transaction is changing.
   *
   * @param believedMicros see {@link LeaseClock}
   * @return the number of ended tasks, at most {@code limit}
   */
  int expire(long believedMicros, int limit);

  /**
   * Returns the enqueued tasks of departed nodes to waiting, as {@link #release} does.
   *
   * @param enqueueTimeout the timeout with which they were enqueued
   * @return the number of returned tasks, at most {@code limit}
   */
  int releaseHeldBy(Set<NodeId> departed, Duration enqueueTimeout, int limit);

  /**
   * The tasks that are stored as enqueued by this node, those first whose enqueue timeout comes
   * first; at most {@code limit}.
   */
  List<FencedTask> enqueuedBy(NodeId node, int limit);

  /**
   * Those of these tasks that have ended, as {@link TaskView} without payload, for callers who wait
   * for that.
   *
   * @param maxBytes the least bytes of values and failures, uncompressed, at which no further task
   *     is returned; the first is returned whatever it has
   */
  List<TaskView> ended(Collection<TaskId> ids, long maxBytes);

  /** The holders of these tasks; tasks without a holder and tasks that are not live are absent. */
  Map<TaskId, TaskHolder> holders(Collection<TaskId> ids);

  /** The holder of one task; empty as in {@link #holders}. */
  default Optional<TaskHolder> holder(TaskId id) {
    return Optional.ofNullable(holders(List.of(id)).get(id));
  }

  /**
   * Deletes tasks that ended in this state longer ago than {@code retention}, the oldest first,
   * except those whose successors have not all been told.
   *
   * @param ended a finished state
   * @return the number of deleted tasks, at most {@code limit}
   */
  int prune(TaskState ended, Duration retention, int limit);

  /**
   * Carries out what ends of tasks mean for their successors, by {@link EdgeEffect}, where the call
   * that ended them has not: successors become ready, fail or are cancelled, and their own
   * successors follow in a later call. Skips tasks that another transaction is changing. When an
   * end cannot be followed, others are nevertheless.
   *
   * @param after the ends behind this one are followed; empty to begin with the first end
   * @param limit most ended tasks, and most successors of each
   * @param onto the node and room for enqueueing successors that are ready in this call; null to
   *     enqueue none
   */
  FollowedEnds followEnds(Optional<TaskId> after, int limit, @Nullable EnqueueRequest onto);

  /** Follows ends and enqueues nothing. */
  default FollowedEnds followEnds(Optional<TaskId> after, int limit) {
    return followEnds(after, limit, null);
  }

  /**
   * Follows the first ends, and throws a failure afterwards.
   *
   * @return the number of ends that were followed, and of successors that became ready late
   */
  default int followEnds(int limit) {
    FollowedEnds followed = followEnds(Optional.empty(), limit);
    followed.throwFailure();
    return followed.found();
  }

  /**
   * Visits the {@code limit} edges that follow {@code after}. Deletes edges whose successor has
   * been removed from the history, and has {@link #followEnds} look at ends that no successor was
   * told of: of predecessors that were removed, or that a peer followed while a successor was put
   * back.
   *
   * @param after empty to begin with the first edge
   */
  SweptEdges sweepEdges(Optional<SweptEdges.Position> after, int limit);

  /**
   * Visits the {@code limit} ordering keys that follow {@code after}. Deletes keys that no task
   * refers to and that are not blocked. Unblocks tasks of the other keys that could begin, a state
   * that only a manual change of the database can leave behind.
   *
   * @param after empty to begin with the first key
   */
  SweptKeys sweepKeys(Optional<OrderingKeyId> after, int limit);

  /**
   * Applies pauses to tasks in one bounded round: ends tasks to be dropped, returns tasks whose
   * pause has ended to waiting, and deletes ended pauses. Skips tasks that another transaction is
   * changing.
   *
   * @param limit most tasks of each pause
   * @return the number of changed tasks
   */
  int applyPauses(int limit);

  /**
   * Counts tasks whose time passed so long ago and that no worker has: those that wait, and those
   * on the queues of nodes that have not been begun.
   *
   * @param most bound on the count of each of the two
   */
  int stale(Duration overdue, int most);

  /**
   * Returns what each handler with a queue has not done, first the handlers whose oldest due task
   * is the oldest, then the others by name.
   *
   * @param limit most handlers
   */
  List<HandlerBacklog> backlogs(int limit);

  /**
   * Wakes tasks that stand in line before limits by key as far as the limits have room, those of
   * names after {@code after}. Takes those out of the lines that were woken and have not come, or
   * cannot come as they are paused, put off or have ended; when one has not begun in time, its
   * queue is not served, or something else keeps its tasks, and its others give way as well. They
   * are due tasks then, which stand in line again when a claim of them is refused. Skips tasks that
   * another transaction is changing. A failure to do so is in the answer, so that the next round
   * goes on behind the names of this one.
   *
   * @param after null to begin with the first name
   * @param unserved queues whose tasks give way, as was found in the last seconds
   * @param limit most tasks, and most names
   */
  SweptLimits sweepLimits(@Nullable LimitName after, Set<QueueId> unserved, int limit);

  /**
   * Recounts the running tasks of limited queues and of limits by key, and corrects the stored
   * counts.
   */
  void recountLimits();

  /** Records that workers have just asked for tasks of these handlers. */
  void asked(Collection<TaskHandler> handlers);

  /**
   * Forgets handlers for which no worker has asked for so long, and those asked for the longest ago
   * when there are more than {@link #MOST_ASKED}.
   */
  void forgetAsked(Duration retention);
}
