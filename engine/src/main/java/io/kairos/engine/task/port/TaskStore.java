package io.kairos.engine.task.port;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.QueueId;
import io.kairos.domain.task.QueueName;
import io.kairos.domain.task.TaskHandler;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where tasks wait and what is known of those that ended: ATF's task store, entity and scheduling
 * index in one row. Every method is one atomic step and is durable when it returns; any may throw
 * {@link io.kairos.engine.node.StoreUnavailable}, and then may have taken effect. Thread-safe. All
 * triggers are judged by the store's clock (law 4); due times are compared with it as well, so a
 * task is never enqueued earlier than its due time less {@code ahead} by that clock.
 */
public interface TaskStore extends HandlerStore, KeyStore, QueueStore {
  /**
   * How many queues there may be. They are never removed while a node runs, as nodes keep their
   * numbers; every node reads all of them, and whoever may schedule tasks may make them up.
   */
  int MOST_QUEUES = 10_000;

  /**
   * The numbers of these queues, which are made when they are new.
   *
   * @return without those that somebody else's transaction is just making and takes his time for,
   *     and without new ones when there are {@link #MOST_QUEUES}
   */
  Map<QueueName, QueueId> queues(Collection<QueueName> names);

  /** Every queue that there ever was. */
  Map<QueueId, QueueName> queues();

  /**
   * Stores new tasks. The requests share one transaction where they can, but each is judged by
   * itself: one that is refused leaves nothing behind and does not concern its neighbours. Tasks
   * that begin on their queue are in the memory of this node with fence 1; their trigger is the due
   * time, or now if that is past, plus the enqueue timeout. The others wait with fence 0. Ids are
   * new: with one that a live task has already, the call fails as unavailable and nothing is
   * stored.
   *
   * @return what became of each, in order
   */
  List<InsertResult> insert(NodeId node, List<InsertRequest> requests, Duration enqueueTimeout);

  /** Empty when the handler may have any number. */
  Optional<Quota> quota(TaskHandler handler);

  /**
   * Counts the unfinished tasks of handlers with a quota anew: tasks that are stored by an
   * application's own transaction, or while a quota is being set, are not counted until then.
   */
  void recountQuotas();

  /**
   * Forgets idempotency keys whose time is over.
   *
   * @return how many, at most {@code limit}
   */
  int pruneIdempotencyKeys(int limit);

  /**
   * Puts tasks whose trigger comes within the lead on their queues (DA-14, DA-18), the earliest
   * first. Passes over those that another node is just enqueueing, that are blocked behind others
   * of their key, that are too late to begin, and those behind a closed gate: those of a paused
   * collection are held back from then on.
   */
  List<EnqueuedTask> enqueue(EnqueueRequest request);

  /**
   * Gives enqueued tasks back as waiting, for other nodes; those that are no longer held under
   * their fence stay as they are. A first attempt waits for its due time again, a retry for the
   * moment of its retry or, if that had passed, from the moment when it was enqueued.
   *
   * @param enqueueTimeout with which they were enqueued
   */
  void release(List<FencedTask> enqueued, Duration enqueueTimeout);

  /**
   * Claims enqueued tasks for workers (DA-19). A claimed task has the next fence and one attempt
   * more. Not claimed is what is too late to begin, and what its ordering key does not let begin
   * (PD-18, PD-19): that is blocked until others of its key have ended, or waits until the key's
   * rate allows it.
   *
   * @param claims no task under the same fence twice
   * @return what became of them; of the claims of a limited queue the first are claimed for which
   *     there is room. What is behind a closed gate is not claimed and leaves its queue
   */
  Claims claim(List<Claim> claims, Duration lease);

  /**
   * Begins leases anew, none of which becomes shorter by it.
   *
   * @return what became of each, in order
   */
  List<Beat> heartbeat(List<FencedTask> processing, Duration lease);

  /** Attempts that are under way with these fences, to decide what a failure means. */
  List<Attempt> attempts(Collection<FencedTask> processing);

  /**
   * Ends attempts. A task that has ended leaves the live tables for the history, and the next of
   * its ordering key is no longer blocked.
   *
   * @param onto where the next of keys that keep their order are enqueued in the same step, so that
   *     a chain does not wait for the store consumer; null when they are not to be
   * @return those that were settled; the others were not held under their fence, or their lease has
   *     not lapsed although the settlement says so
   */
  Settled settle(List<Settlement> settlements, @Nullable EnqueueRequest onto);

  /** The same, and enqueues nothing. */
  default Settled settle(List<Settlement> settlements) {
    return settle(settlements, null);
  }

  /**
   * Held tasks whose trigger has passed (DA-17 b, c, d), the longest passed first. Passes over
   * those that are just being changed.
   */
  List<Attempt> lapsed(int limit);

  /**
   * Ends tasks that have not begun by their start deadline as failed, the longest overdue first.
   * Passes over those that are just being changed.
   *
   * @return how many, at most {@code limit}
   */
  int expire(int limit);

  /**
   * Gives back what these nodes have in memory, as {@link #release} does: they have departed.
   *
   * @param enqueueTimeout with which they were enqueued
   * @return how many, at most {@code limit}
   */
  int releaseHeldBy(Set<NodeId> departed, Duration enqueueTimeout, int limit);

  /**
   * What this node has on its queues as far as the store knows, the first to be given up first; at
   * most {@code limit}.
   */
  List<FencedTask> enqueuedBy(NodeId node, int limit);

  /** Who holds these tasks; without those that nobody holds or that are not among the live ones. */
  Map<TaskId, Holder> holders(Collection<TaskId> ids);

  /** Of one. */
  default Optional<Holder> holder(TaskId id) {
    return Optional.ofNullable(holders(List.of(id)).get(id));
  }

  /** Cancels a task that waits; asks for it when a worker performs it. */
  CancelResult cancel(TaskId id);

  /**
   * Gives a task that is not being performed another due time and no holder.
   *
   * @return false when it is being performed, has ended, or is unknown, or when it would not be due
   *     by its start deadline
   */
  boolean reschedule(TaskId id, long dueMicros);

  Optional<TaskView> find(TaskId id);

  TaskPage list(ListQuery query);

  /**
   * Removes tasks that ended in this state longer ago than this, the longest ago first and at most
   * {@code limit}.
   *
   * @param ended a finished state
   * @return how many
   */
  int prune(TaskState ended, Duration retention, int limit);
}
