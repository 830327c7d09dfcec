package io.kairos.simulator.task;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.OrderingKeyPolicy;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskIdempotency;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.batch.BatchId;
import io.kairos.domain.task.graph.GraphEdge;
import io.kairos.domain.task.graph.OnFailure;
import io.kairos.domain.task.limit.LimitName;
import io.kairos.domain.task.limit.LimitPattern;
import io.kairos.domain.task.queue.CollectionName;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.task.queue.TaskQueueLimit;
import io.kairos.engine.node.LeaseClock;
import io.kairos.engine.node.LivenessStore;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.task.port.ArrivingTask;
import io.kairos.engine.task.port.ClaimResult;
import io.kairos.engine.task.port.EnqueueRequest;
import io.kairos.engine.task.port.EnqueuedTask;
import io.kairos.engine.task.port.FollowedEnds;
import io.kairos.engine.task.port.HeartbeatFinding;
import io.kairos.engine.task.port.HeldAttempt;
import io.kairos.engine.task.port.InsertRequest;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.LeaseRenewal;
import io.kairos.engine.task.port.NewTask;
import io.kairos.engine.task.port.ReportedBy;
import io.kairos.engine.task.port.Settlement;
import io.kairos.engine.task.port.SettlementResult;
import io.kairos.engine.task.port.SweptLimits;
import io.kairos.engine.task.port.TaskClaim;
import io.kairos.engine.task.port.TaskHolder;
import io.kairos.engine.task.port.TaskReceipt;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.engine.task.port.batch.CountedBatches;
import io.kairos.engine.task.port.operator.KeyLimitChange;
import io.kairos.engine.task.port.operator.ListQuery;
import io.kairos.engine.task.port.operator.TaskPause;
import io.kairos.engine.task.port.operator.TaskView;
import io.kairos.engine.task.setup.TaskPorts;
import io.kairos.model.task.TaskStoreCalls;
import io.kairos.simulator.kernel.BrokenLiveness;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Nodes, workers and stores that are broken on purpose, each in one way in which a task queue has
 * been or could be broken. The checkers know none of them.
 */
// Overriding methods are found by their names and have the parameters of the store's.
@SuppressWarnings({"UnusedMethod", "UnusedVariable", "EffectivelyPrivate"})
public enum TaskMutant implements TaskWiring {
  /** A claim takes whatever the task's fence is by now. */
  CLAIM_WITHOUT_FENCE {
    @Override
    public TaskStore tasks(TaskStore store) {
      return overridden(
          new Broken(store) {
            public ClaimResult claim(List<TaskClaim> claims, Duration lease) {
              Map<FencedTask, FencedTask> asked = new HashMap<>();
              List<TaskClaim> now = new ArrayList<>();
              for (TaskClaim claim : claims) {
                FencedTask current = underItsFenceNow(next, claim.enqueued());
                asked.put(current, claim.enqueued());
                now.add(
                    new TaskClaim(
                        current,
                        claim.queue(),
                        claim.worker(),
                        claim.keyId(),
                        claim.caller(),
                        claim.isLimited()));
              }
              Set<FencedTask> claimed = new HashSet<>();
              next.claim(now, lease)
                  .claimed()
                  .forEach(one -> claimed.add(asked.getOrDefault(one, one)));
              return new ClaimResult(claimed, Map.of());
            }
          });
    }
  },

  /** Tasks whose claim failed are handed out all the same. */
  REFUSED_CLAIM_IGNORED {
    @Override
    public TaskPorts around(TaskPorts ports) {
      return with(
          ports,
          new Broken(ports.tasks()) {
            public ClaimResult claim(List<TaskClaim> claims, Duration lease) {
              next.claim(claims, lease);
              return all(claims);
            }
          });
    }
  },

  /** Work is handed out when the claim has been sent, not when it is known to be done. */
  HANDED_OUT_BEFORE_THE_CLAIM {
    @Override
    public TaskPorts around(TaskPorts ports) {
      return with(
          ports,
          new Broken(ports.tasks()) {
            public ClaimResult claim(List<TaskClaim> claims, Duration lease) {
              try {
                return next.claim(claims, lease);
              } catch (StoreUnavailable e) {
                return all(claims);
              }
            }
          });
    }
  },

  /** A heartbeat extends whoever holds the task by now. */
  HEARTBEAT_WITHOUT_FENCE {
    @Override
    public TaskStore tasks(TaskStore store) {
      return overridden(
          new Broken(store) {
            public List<HeartbeatFinding> heartbeat(
                List<LeaseRenewal> renewals, long believedMicros) {
              return next.heartbeat(
                  renewals.stream()
                      .map(one -> new LeaseRenewal(underItsFenceNow(next, one.task()), one.lease()))
                      .toList(),
                  believedMicros);
            }
          });
    }
  },

  /** A result ends whatever attempt is under way by now. */
  SETTLED_WITHOUT_FENCE {
    @Override
    public TaskStore tasks(TaskStore store) {
      return overridden(
          new Broken(store) {
            public SettlementResult settle(
                List<Settlement> settlements, EnqueueRequest onto, long believedMicros) {
              Set<FencedTask> settled = new HashSet<>();
              for (Settlement settlement : settlements) {
                if (settlement instanceof Settlement.Finish finish) {
                  FencedTask now = underItsFenceNow(next, finish.task());
                  Settlement unfenced =
                      new Settlement.Finish(
                          now,
                          finish.state(),
                          finish.error(),
                          finish.errorClass(),
                          finish.stack(),
                          finish.result(),
                          ReportedBy.ANY);
                  if (next.settle(List.of(unfenced)).tasks().contains(now)) {
                    settled.add(finish.task());
                  }
                } else {
                  settled.addAll(next.settle(List.of(settlement)).tasks());
                }
              }
              return new SettlementResult(settled, Set.of());
            }
          });
    }
  },

  /** Tasks that a node gives back are taken even from the memory of another node. */
  RELEASED_WITHOUT_FENCE {
    @Override
    public TaskStore tasks(TaskStore store) {
      return overridden(
          new Broken(store) {
            public void release(List<FencedTask> enqueued, Duration timeout) {
              next.release(
                  enqueued.stream().map(one -> underItsFenceNow(next, one)).toList(), timeout);
            }
          });
    }
  },

  /** Leases end before a worker has missed three heartbeats. */
  LEASE_TOO_SHORT {
    @Override
    public TaskStore tasks(TaskStore store) {
      return overridden(
          new Broken(store) {
            public ClaimResult claim(List<TaskClaim> claims, Duration lease) {
              return next.claim(claims, lease.dividedBy(3));
            }

            public List<HeartbeatFinding> heartbeat(
                List<LeaseRenewal> renewals, long believedMicros) {
              return next.heartbeat(
                  renewals.stream()
                      .map(one -> new LeaseRenewal(one.task(), one.lease().dividedBy(3)))
                      .toList(),
                  believedMicros);
            }
          });
    }
  },

  /** A worker that has lost its leases performs on. */
  WORKER_GOES_ON {
    @Override
    public boolean workersStopThemselves() {
      return false;
    }
  },

  /** A worker whose handlers ask for a halt goes on beside one that ignores that it is to stop. */
  HALT_FORGOTTEN {
    @Override
    public boolean workersHalt() {
      return false;
    }
  },

  /** The reaper does not look again whether the lease has lapsed when it takes the task. */
  REAPED_WITHOUT_A_LAPSE {
    @Override
    public TaskStore tasks(TaskStore store) {
      return overridden(
          new Broken(store) {
            private final Set<FencedTask> claimed = new LinkedHashSet<>();

            public ClaimResult claim(List<TaskClaim> claims, Duration lease) {
              ClaimResult done = next.claim(claims, lease);
              done.claimed().forEach(one -> claimed.add(one.next()));
              return done;
            }

            public List<HeldAttempt> lapsed(long believedMicros, int limit) {
              return next.attempts(claimed);
            }

            public SettlementResult reap(List<Settlement> settlements, long believedMicros) {
              return next.settle(settlements);
            }
          });
    }
  },

  /** Leases are judged by the store's clock as it is, which may have jumped forward. */
  STORE_CLOCK_BELIEVED {
    @Override
    public TaskPorts around(TaskPorts ports) {
      return with(ports, ports.tasks(), _ -> OptionalLong.of(Long.MAX_VALUE));
    }
  },

  /** Start deadlines are judged by the store's clock as it is, which may have jumped forward. */
  EXPIRED_BY_THE_STORE_CLOCK {
    @Override
    public TaskStore tasks(TaskStore store) {
      return overridden(
          new Broken(store) {
            public int expire(long believedMicros, int limit) {
              return next.expire(Long.MAX_VALUE, limit);
            }
          });
    }
  },

  /** Execution timeouts are judged by the store's clock as it is, which may have jumped forward. */
  OVER_TIME_BY_THE_STORE_CLOCK {
    @Override
    public TaskStore tasks(TaskStore store) {
      return overridden(
          new Broken(store) {
            public List<HeartbeatFinding> heartbeat(
                List<LeaseRenewal> renewals, long believedMicros) {
              return next.heartbeat(renewals, Long.MAX_VALUE);
            }

            public SettlementResult settle(
                List<Settlement> settlements, EnqueueRequest onto, long believedMicros) {
              return next.settle(settlements, onto, Long.MAX_VALUE);
            }
          });
    }
  },

  /** Nobody looks for holders that are not heard of. */
  NOTHING_REAPED {
    @Override
    public TaskPorts around(TaskPorts ports) {
      return with(
          ports,
          new Broken(ports.tasks()) {
            public List<HeldAttempt> lapsed(long believedMicros, int limit) {
              return List.of();
            }
          });
    }
  },

  /** Tasks in the memory of living nodes are given to others. */
  RELEASED_FROM_THE_LIVING {
    @Override
    public LivenessStore liveness(LivenessStore store) {
      return BrokenLiveness.everybodyHasDeparted(store);
    }
  },

  /** A caller is told yes although the store has not answered. */
  YES_BEFORE_DURABLE {
    @Override
    public TaskPorts around(TaskPorts ports) {
      return with(
          ports,
          new Broken(ports.tasks()) {
            public List<InsertResult> insert(
                NodeId node, List<InsertRequest> requests, Duration timeout) {
              try {
                return next.insert(node, requests, timeout);
              } catch (StoreUnavailable e) {
                return requests.stream().map(TaskMutant::asIfStored).toList();
              }
            }
          });
    }
  },

  /** An attempt whose worker has vanished does not count. */
  KILLED_ATTEMPTS_NOT_COUNTED {
    @Override
    public TaskStore tasks(TaskStore store) {
      return overridden(
          new Broken(store) {
            public List<HeldAttempt> lapsed(long believedMicros, int limit) {
              return next.lapsed(believedMicros, limit).stream()
                  .map(one ->
                      new HeldAttempt(
                          one.task(),
                          one.state(),
                          0,
                          one.retryPolicy(),
                          one.holder(),
                          one.isOverTime()))
                  .toList();
            }
          });
    }
  },

  /** A task that is put off uses up an attempt. */
  SNOOZE_COUNTED {
    @Override
    public TaskStore tasks(TaskStore store) {
      return overridden(
          new Broken(store) {
            public SettlementResult settle(
                List<Settlement> settlements, EnqueueRequest onto, long believedMicros) {
              return next.settle(
                  settlements.stream()
                      .map(one ->
                          one instanceof Settlement.Snooze(var task, var delay, var by)
                              ? new Settlement.Retry(task, delay, "put off", "", by)
                              : one)
                      .toList(),
                  onto,
                  believedMicros);
            }
          });
    }
  },

  /** The value that a worker has reported is not kept. */
  VALUE_LOST {
    @Override
    public TaskStore tasks(TaskStore store) {
      return overridden(
          new Broken(store) {
            public SettlementResult settle(
                List<Settlement> settlements, EnqueueRequest onto, long believedMicros) {
              return next.settle(
                  settlements.stream()
                      .map(one ->
                          one instanceof Settlement.Finish finish && !finish.result().isNone()
                              ? new Settlement.Finish(
                                  finish.task(), finish.state(), "", "", finish.by())
                              : one)
                      .toList(),
                  onto,
                  believedMicros);
            }
          });
    }
  },

  /** Tasks are stored without what they are to wait for. */
  NOTHING_AWAITED {
    @Override
    public TaskStore tasks(TaskStore store) {
      return edges(store, _ -> List.of());
    }
  },

  /** A task waits for the first of its predecessors only. */
  FIRST_PREDECESSOR_ONLY {
    @Override
    public TaskStore tasks(TaskStore store) {
      return edges(
          store,
          all -> {
            Set<TaskId> seen = new HashSet<>();
            return all.stream().filter(edge -> seen.add(edge.successor())).toList();
          });
    }
  },

  /** A failure counts as a success. */
  FAILURE_IGNORED_BY_SUCCESSORS {
    @Override
    public TaskStore tasks(TaskStore store) {
      return edges(
          store,
          all ->
              all.stream()
                  .map(edge ->
                      new GraphEdge(edge.predecessor(), edge.successor(), OnFailure.CONTINUE))
                  .toList());
    }
  },

  /** One task in three does not join its batch. */
  SOME_NOT_IN_THEIR_BATCH {
    @Override
    public TaskStore tasks(TaskStore store) {
      return overridden(
          new Broken(store) {
            public List<InsertResult> insert(
                NodeId node, List<InsertRequest> requests, Duration timeout) {
              return next.insert(node, each(requests, TaskMutant::perhapsWithoutBatch), timeout);
            }
          });
    }
  },

  /** Batches are never ended. */
  BATCHES_NOT_COUNTED {
    @Override
    public TaskStore tasks(TaskStore store) {
      return overridden(
          new Broken(store) {
            public CountedBatches countBatches(int limit) {
              return new CountedBatches(0, 0, false);
            }
          });
    }
  },

  /** A batch that is closed is taken for one that has ended. */
  CLOSED_BATCH_NOT_AWAITED {
    @Override
    public TaskStore tasks(TaskStore store) {
      return edges(
          store,
          all ->
              all.stream()
                  .filter(edge ->
                      store
                          .findBatch(new BatchId(edge.predecessor().value()))
                          .filter(batch -> batch.closedAt() != null)
                          .isEmpty())
                  .toList());
    }
  },

  /** Nobody tells successors of failures. */
  ENDS_NOT_FOLLOWED {
    @Override
    public TaskStore tasks(TaskStore store) {
      return overridden(
          new Broken(store) {
            public FollowedEnds followEnds(Optional<TaskId> after, int limit, EnqueueRequest onto) {
              return new FollowedEnds(null, 0, null);
            }
          });
    }
  },

  /** A failed attempt is repeated at once. */
  BACKOFF_FORGOTTEN {
    @Override
    public TaskStore tasks(TaskStore store) {
      return overridden(
          new Broken(store) {
            public SettlementResult settle(
                List<Settlement> settlements, EnqueueRequest onto, long believedMicros) {
              return next.settle(
                  settlements.stream()
                      .map(one ->
                          one
                                  instanceof
                                  Settlement.Retry(
                                      var task,
                                      var _,
                                      var error,
                                      var kind,
                                      var _,
                                      var by)
                              ? new Settlement.Retry(task, Duration.ZERO, error, kind, by)
                              : one)
                      .toList(),
                  onto,
                  believedMicros);
            }
          });
    }
  },

  /** A node hands tasks out a second before they are due. */
  CLOCK_NOT_COMPARED {
    @Override
    public TaskPorts around(TaskPorts ports) {
      return new TaskPorts(
          ports.tasks(),
          ports.liveness(),
          ports.life(),
          ports.leaseClock(),
          () -> ports.clock().instant().plusSeconds(1),
          ports.monotonic(),
          ports.wakeups(),
          ports.newTaskId(),
          ports.chance(),
          ports.events(),
          ports.notifier());
    }
  },

  /** A worker is never told that a cancel was asked for. */
  CANCEL_NOT_TOLD {
    @Override
    public TaskStore tasks(TaskStore store) {
      return overridden(
          new Broken(store) {
            public List<HeartbeatFinding> heartbeat(
                List<LeaseRenewal> renewals, long believedMicros) {
              return next.heartbeat(renewals, believedMicros).stream()
                  .map(beat ->
                      beat == HeartbeatFinding.CANCEL_REQUESTED ? HeartbeatFinding.EXTENDED : beat)
                  .toList();
            }
          });
    }
  },

  /** Nodes take into memory whatever there is. */
  TAKEN_UNASKED {
    @Override
    public TaskStore tasks(TaskStore store) {
      return overridden(
          new Broken(store) {
            public List<EnqueuedTask> enqueue(EnqueueRequest request) {
              Map<QueueId, Integer> all = new HashMap<>();
              next.queues().keySet().forEach(queue -> all.put(queue, 100));
              return next.enqueue(
                  new EnqueueRequest(
                      request.node(),
                      all,
                      request.maxBytes(),
                      request.ahead(),
                      request.enqueueTimeout()));
            }
          });
    }
  },

  /** Nobody remembers which tasks must not overtake each other. */
  KEY_FORGOTTEN {
    @Override
    public TaskStore tasks(TaskStore store) {
      return arriving(store, TaskMutant::withoutKey);
    }
  },

  /** Hands out one task of a key at a time, but not in due order. */
  EARLIEST_NOT_CHECKED {
    @Override
    public TaskStore tasks(TaskStore store) {
      store.setKeyPolicy(
          TaskScenario.SLOW, new OrderingKeyPolicy(new OrderingKeyPolicy.Parallel(1), null));
      return store;
    }
  },

  /** A pause acts on what nodes will take into memory, not on what they have there. */
  PAUSE_OF_WHAT_WAITS {
    @Override
    public TaskStore tasks(TaskStore store) {
      return overridden(
          new Broken(store) {
            private @Nullable TaskPause closed;

            public void setPause(TaskPause pause) {
              closed = pause;
            }

            public boolean endPause(TaskHandler handler, @Nullable CollectionName collection) {
              boolean was = closed != null;
              closed = null;
              return was;
            }

            public List<EnqueuedTask> enqueue(EnqueueRequest request) {
              return closed == null ? next.enqueue(request) : List.of();
            }
          });
    }
  },

  /** A limit that is not there. */
  LIMIT_FORGOTTEN {
    @Override
    public TaskStore tasks(TaskStore store) {
      return overridden(
          new Broken(store) {
            public void setLimit(QueueId queue, TaskQueueLimit limit) {}
          });
    }
  },

  /** Limits by key that are not there. */
  KEY_LIMIT_FORGOTTEN {
    @Override
    public TaskStore tasks(TaskStore store) {
      return overridden(
          new Broken(store) {
            public KeyLimitChange setKeyLimit(LimitPattern pattern, TaskQueueLimit limit) {
              return new KeyLimitChange.Done();
            }
          });
    }
  },

  /** Limits by key know no rates. */
  KEY_RATE_FORGOTTEN {
    @Override
    public TaskStore tasks(TaskStore store) {
      return overridden(
          new Broken(store) {
            public KeyLimitChange setKeyLimit(LimitPattern pattern, TaskQueueLimit limit) {
              return next.setKeyLimit(pattern, new TaskQueueLimit(limit.maxRunning(), null, null));
            }
          });
    }
  },

  /** Only limits of single names hold. */
  PATTERNS_FORGOTTEN {
    @Override
    public TaskStore tasks(TaskStore store) {
      return overridden(
          new Broken(store) {
            public KeyLimitChange setKeyLimit(LimitPattern pattern, TaskQueueLimit limit) {
              return pattern.isPrefix()
                  ? new KeyLimitChange.Done()
                  : next.setKeyLimit(pattern, limit);
            }
          });
    }
  },

  /** Limits by key let one more begin. */
  KEY_LIMIT_OFF_BY_ONE {
    @Override
    public TaskStore tasks(TaskStore store) {
      return overridden(
          new Broken(store) {
            public KeyLimitChange setKeyLimit(LimitPattern pattern, TaskQueueLimit limit) {
              Integer most = limit.maxRunning();
              return next.setKeyLimit(
                  pattern,
                  new TaskQueueLimit(
                      most == null ? null : (Integer) (most + 1),
                      limit.perSecond(),
                      limit.burst()));
            }
          });
    }
  },

  /** Nobody looks after those who wait for a limit. */
  LINES_NOT_SWEPT {
    @Override
    public TaskStore tasks(TaskStore store) {
      return overridden(
          new Broken(store) {
            public SweptLimits sweepLimits(
                @Nullable LimitName after, Set<QueueId> unserved, int limit) {
              return SweptLimits.NONE;
            }
          });
    }
  },

  /** Idempotency keys are not looked at. */
  IDEMPOTENCY_FORGOTTEN {
    @Override
    public TaskStore tasks(TaskStore store) {
      return arriving(
          store, arrival -> ArrivingTask.withoutIdempotency(arrival.task(), arrival.onQueue()));
    }
  },

  /** A replacement of a task is answered as done and is not. */
  KEPT_INSTEAD_OF_REPLACED {
    @Override
    public TaskStore tasks(TaskStore store) {
      return arriving(
          store,
          arrival -> {
            TaskIdempotency asked = arrival.idempotency();
            return asked == null || asked.onConflict() != TaskIdempotency.OnConflict.REPLACE
                ? arrival
                : new ArrivingTask(
                    arrival.task(),
                    arrival.onQueue(),
                    new TaskIdempotency(
                        asked.key(), asked.window(), TaskIdempotency.OnConflict.KEEP));
          });
    }
  },

  /** A task begins however late it is. */
  START_DEADLINE_FORGOTTEN {
    @Override
    public TaskStore tasks(TaskStore store) {
      return arriving(
          store,
          arrival -> {
            NewTask task = arrival.task();
            return new ArrivingTask(
                with(task, task.details().withStartDeadline(null)),
                arrival.onQueue(),
                arrival.idempotency());
          });
    }
  },

  /** Low priorities do not age, and handlers do not take turns. */
  STRICT_ORDER {
    @Override
    public boolean workersAreStrict() {
      return true;
    }
  },

  /** Tasks of one queue are handed out in due order, whose they may be. */
  FAIRNESS_FORGOTTEN {
    @Override
    public boolean keysAreFair() {
      return false;
    }
  },

  /** All queues are one: nobody is served while somebody waits for longer. */
  ONE_QUEUE_FOR_ALL {
    @Override
    public TaskStore tasks(TaskStore store) {
      return overridden(
          new Broken(store) {
            public List<EnqueuedTask> enqueue(EnqueueRequest request) {
              boolean othersWait =
                  next
                      .list(ListQuery.ofHandler(null, Set.of(TaskState.PROCESSING), null, 100))
                      .tasks()
                      .stream()
                      .map(TaskView::queue)
                      .anyMatch(queue -> queue.handler().equals(TaskScenario.STUCK));
              return othersWait ? List.of() : next.enqueue(request);
            }

            public List<InsertResult> insert(
                NodeId node, List<InsertRequest> requests, Duration timeout) {
              return next.insert(
                  node,
                  each(requests, one -> new ArrivingTask(one.task(), false, one.idempotency())),
                  timeout);
            }
          });
    }
  };

  /** Methods of the store that a mutant overrides. */
  private abstract static class Broken {
    final TaskStore next;

    Broken(TaskStore next) {
      this.next = next;
    }
  }

  private static TaskStore overridden(Broken broken) {
    return TaskStoreCalls.overridden(TaskStore.class, broken.next, broken);
  }

  private static ClaimResult all(List<TaskClaim> claims) {
    Set<FencedTask> all = new HashSet<>();
    claims.forEach(claim -> all.add(claim.enqueued()));
    return new ClaimResult(all, Map.of());
  }

  private static FencedTask underItsFenceNow(TaskStore store, FencedTask task) {
    return store
        .holder(task.id())
        .map(TaskHolder::fence)
        .map(fence -> new FencedTask(task.id(), fence))
        .orElse(task);
  }

  private static InsertResult asIfStored(InsertRequest request) {
    return new InsertResult.Stored(
        request.arrivals().stream()
            .map(arrival -> new TaskReceipt(arrival.task().id(), false, arrival.onQueue(), null))
            .toList());
  }

  /** Changes every task before it is stored. */
  private static TaskStore arriving(TaskStore store, UnaryOperator<ArrivingTask> mutation) {
    return overridden(
        new Broken(store) {
          public List<InsertResult> insert(
              NodeId node, List<InsertRequest> requests, Duration timeout) {
            return next.insert(node, each(requests, mutation), timeout);
          }
        });
  }

  /** Changes the edges of every request. */
  private static TaskStore edges(TaskStore store, UnaryOperator<List<GraphEdge>> mutation) {
    return overridden(
        new Broken(store) {
          public List<InsertResult> insert(
              NodeId node, List<InsertRequest> requests, Duration timeout) {
            return next.insert(
                node,
                requests.stream()
                    .map(one -> new InsertRequest(one.arrivals(), mutation.apply(one.edges())))
                    .toList(),
                timeout);
          }
        });
  }

  private static List<InsertRequest> each(
      List<InsertRequest> requests, UnaryOperator<ArrivingTask> mutation) {
    return requests.stream()
        .map(one -> new InsertRequest(one.arrivals().stream().map(mutation).toList(), one.edges()))
        .toList();
  }

  private static ArrivingTask perhapsWithoutBatch(ArrivingTask arrival) {
    NewTask task = arrival.task();
    return task.batch() == null || task.id().value().getLeastSignificantBits() % 3 != 0
        ? arrival
        : new ArrivingTask(task.inBatch(null), arrival.onQueue(), arrival.idempotency());
  }

  private static ArrivingTask withoutKey(ArrivingTask arrival) {
    NewTask task = arrival.task();
    return new ArrivingTask(
        with(task, task.details().withKey(null)), arrival.onQueue(), arrival.idempotency());
  }

  private static NewTask with(NewTask task, TaskDetails details) {
    return new NewTask(
        task.id(),
        task.queue(),
        task.dueMicros(),
        details,
        task.schedule(),
        task.submittedBy(),
        task.batch());
  }

  private static TaskPorts with(TaskPorts ports, Broken broken) {
    return with(ports, overridden(broken), ports.leaseClock());
  }

  private static TaskPorts with(TaskPorts ports, TaskStore tasks, LeaseClock leaseClock) {
    return new TaskPorts(
        tasks,
        ports.liveness(),
        ports.life(),
        leaseClock,
        ports.clock(),
        ports.monotonic(),
        ports.wakeups(),
        ports.newTaskId(),
        ports.chance(),
        ports.events(),
        ports.notifier());
  }
}
