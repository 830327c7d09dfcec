package io.kairos.model.node;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.AttemptOutcome;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.loop.StepActivity;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.poll.StepPolling;
import io.kairos.engine.poll.StepReport;
import io.kairos.engine.task.TaskNode;
import io.kairos.engine.task.edge.AnswerCallback;
import io.kairos.engine.task.edge.AttemptReport;
import io.kairos.engine.task.edge.ClaimedTask;
import io.kairos.engine.task.edge.HeartbeatResult;
import io.kairos.engine.task.edge.ReportResult;
import io.kairos.engine.task.edge.TaskEdge;
import io.kairos.engine.task.edge.TaskSpec;
import io.kairos.engine.task.edge.WorkRequest;
import io.kairos.engine.task.port.ArrivingTask;
import io.kairos.engine.task.port.DueNotifier;
import io.kairos.engine.task.port.HeldAttempt;
import io.kairos.engine.task.port.InsertRequest;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.NewTask;
import io.kairos.engine.task.port.TaskReceipt;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.engine.task.port.operator.ListQuery;
import io.kairos.engine.task.setup.TaskConfig;
import io.kairos.engine.task.setup.TaskEvents;
import io.kairos.engine.task.setup.TaskPorts;
import io.kairos.model.task.ModelTaskStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Task nodes on one model store and one hand-cranked clock, and workers that a test plays. */
final class CrankedTasks {
  static final Duration LAPSE = Duration.ofMillis(1_300);
  static final RetryPolicy TWICE =
      new RetryPolicy(2, Duration.ofSeconds(10), 1, Duration.ofSeconds(10));

  final HandCrank crank = new HandCrank();
  final ModelTaskStore store = new ModelTaskStore(crank.clock());
  private final TaskStore sometimesAway = sometimesAway();
  final ModelLivenessStore liveness = new ModelLivenessStore(crank.clock());
  private String away = "";
  private boolean staysAway;

  /** The store's time as the nodes believe it; at first they trust its clock. */
  OptionalLong believed = OptionalLong.of(Long.MAX_VALUE);

  /** Notifier of the nodes that are made from now on. */
  DueNotifier notifier = DueNotifier.NONE;

  /** True when nodes that are made from now on look for work without being polled. */
  boolean loopsInside = true;

  private final Map<String, Integer> calls = new HashMap<>();
  private final Map<String, Duration> lengths = new HashMap<>();
  private boolean afterwards;
  private String awaited = "";
  private String answered = "";
  private @Nullable Object answerOnce;

  /** The first arguments of the calls of which one is answered by the test. */
  final List<Object> asked = new ArrayList<>();

  private Runnable event = () -> {};
  private long lastId;

  /** How long calls, writes to the store and executions took, each with its kind. */
  final List<String> timed = new ArrayList<>();

  /** Holders that were not heard of in time. */
  int lapsed;

  /** Tasks that the store consumer has taken into memory. */
  int movedToMemory;

  /** The most tasks that were given back by one call. */
  int largestRelease;

  /** A queue that somebody else's transaction is just making. */
  @Nullable QueueName beingMade;

  /** Somebody else's transaction has whatever key is asked for. */
  boolean keysAreHeld;

  /** The next call of this name fails, before it has taken effect or after. */
  void lose(String call, boolean afterItsEffect) {
    away = call;
    afterwards = afterItsEffect;
  }

  /** All calls of this name fail from now on. */
  void loseAll(String call) {
    away = call;
    staysAway = true;
  }

  /** The next call of this name is answered so, without effect; what it is asked is kept. */
  void answer(String call, Object answer) {
    answered = call;
    answerOnce = answer;
  }

  /** How often this method of the store was called. */
  int calls(String call) {
    return calls.getOrDefault(call, 0);
  }

  /** Every call of this name takes that long from now on. */
  void takes(String call, Duration length) {
    lengths.put(call, length);
  }

  /** Happens when the next call of this name has taken effect and is not yet answered. */
  void during(String call, Runnable what) {
    awaited = call;
    event = what;
  }

  private TaskStore sometimesAway() {
    return (TaskStore)
        Proxy.newProxyInstance(
            TaskStore.class.getClassLoader(),
            new Class<?>[] {TaskStore.class},
            (proxy, method, arguments) -> {
              calls.merge(method.getName(), 1, Integer::sum);
              Duration length = lengths.get(method.getName());
              if (length != null) {
                crank.wakeup().await(length);
              }
              if (keysAreHeld && arguments != null && method.getName().equals("insert")) {
                int requests = ((List<?>) arguments[1]).size();
                return Collections.nCopies(requests, new InsertResult.Busy());
              }
              if (arguments != null && method.getName().equals(answered)) {
                asked.add(arguments[0]);
                Object given = answerOnce;
                if (given != null) {
                  answerOnce = null;
                  return given;
                }
              }
              boolean lost = method.getName().equals(away);
              away = lost && !staysAway ? "" : away;
              if (!lost || afterwards) {
                Object result = method.invoke(store, arguments);
                count(method.getName(), arguments == null ? null : arguments[0], result);
                if (method.getName().equals(awaited)) {
                  awaited = "";
                  event.run();
                }
                if (!lost) {
                  return withoutBeingMade(result);
                }
              }
              throw new StoreUnavailable("lost for the test");
            });
  }

  private void count(String call, @Nullable Object first, @Nullable Object result) {
    if (call.equals("enqueue") && result instanceof List<?> taken) {
      movedToMemory += taken.size();
    }
    if (call.equals("release") && first instanceof List<?> given) {
      largestRelease = Math.max(largestRelease, given.size());
    }
  }

  private @Nullable Object withoutBeingMade(@Nullable Object result) {
    if (beingMade == null || !(result instanceof Map<?, ?> map)) {
      return result;
    }
    Map<Object, Object> others = new HashMap<>(map);
    others.remove(beingMade);
    return others;
  }

  /** The answer to a request. */
  static final class CallAnswer<T> implements AnswerCallback<T> {
    @Nullable T value;
    @Nullable RuntimeException failure;

    @Override
    public void answered(T answer) {
      value = answer;
    }

    @Override
    public void failed(RuntimeException cause) {
      failure = cause;
    }

    boolean isAnswered() {
      return value != null || failure != null;
    }

    T get() {
      T answer = value;
      if (answer == null) {
        throw new AssertionError("not answered, but " + failure);
      }
      return answer;
    }
  }

  /** A task node that is alive until it is told to die. */
  final class Node {
    NodeId id = new NodeId(new UUID(0, ++lastId));
    final TaskNode tasks;
    private final List<StepPolling> parts = new ArrayList<>();
    private boolean alive = true;

    Node(TaskConfig config) {
      liveness.enrol(id, LAPSE);
      tasks =
          new TaskNode(
              config,
              new TaskPorts(
                  sometimesAway,
                  liveness,
                  () -> alive ? Optional.of(id) : Optional.empty(),
                  _ -> believed,
                  crank.clock(),
                  crank::nanos,
                  crank::wakeup,
                  () -> TaskId.at(crank.clock().millis(), ++lastId, lastId),
                  () -> 0.5,
                  new Counting(),
                  notifier));
      drive(tasks.activities());
    }

    /** Drives the loops of another part of this node. */
    void drive(List<StepActivity> activities) {
      StepPolling part = new StepPolling(activities, loopsInside);
      parts.add(part);
      part.activities().forEach(crank::drive);
    }

    /** Somebody polls it, and hears in the end what its steps have done. */
    List<StepReport> poll() {
      List<StepReport> heard = new ArrayList<>();
      parts.forEach(part -> part.poll(heard::addAll));
      return heard;
    }

    /** Its process is gone: it neither acts nor renews. */
    void die() {
      alive = false;
    }

    /** It was stopped for longer than its lapse, has found out, and lives under another id. */
    void enrolAnew() {
      id = new NodeId(new UUID(0, ++lastId));
      liveness.enrol(id, LAPSE);
    }

    /** Ids of tasks that are expected to be taken in. */
    CallAnswer<List<TaskId>> schedule(TaskSpec... specs) {
      CallAnswer<List<TaskId>> told = new CallAnswer<>();
      tasks.schedule(
          List.of(specs),
          new AnswerCallback<InsertResult>() {
            @Override
            public void answered(InsertResult result) {
              told.answered(ids(result));
            }

            @Override
            public void failed(RuntimeException cause) {
              told.failed(cause);
            }
          });
      return told;
    }

    private static List<TaskId> ids(InsertResult result) {
      if (!(result instanceof InsertResult.Stored(List<TaskReceipt> receipts))) {
        throw new AssertionError("not taken in: " + result);
      }
      return receipts.stream().map(TaskReceipt::id).toList();
    }

    /** Submits tasks; the returned answer may be a failure. */
    CallAnswer<InsertResult> submit(TaskSpec... specs) {
      CallAnswer<InsertResult> told = new CallAnswer<>();
      tasks.schedule(List.of(specs), told);
      return told;
    }

    CallAnswer<List<ClaimedTask>> ask(int most, String... handlers) {
      CallAnswer<List<ClaimedTask>> told = new CallAnswer<>();
      waiting(told, most, handlers);
      return told;
    }

    TaskEdge.Waiting waiting(CallAnswer<List<ClaimedTask>> told, int most, String... handlers) {
      Set<TaskHandler> names = new HashSet<>();
      for (String handler : handlers) {
        names.add(TaskHandler.ofWireName(handler));
      }
      return tasks.nextWork(new WorkRequest("worker-of-" + id, names, most, 1 << 20, false), told);
    }

    void leave() {
      tasks.leave("worker-of-" + id);
    }

    ReportResult report(FencedTask task, AttemptOutcome outcome) {
      CallAnswer<List<ReportResult>> told = new CallAnswer<>();
      tasks.report(List.of(new AttemptReport(task, outcome)), told);
      crank.pass(Duration.ofMillis(10));
      return told.get().getFirst();
    }

    HeartbeatResult beat(FencedTask task) {
      CallAnswer<List<HeartbeatResult>> told = new CallAnswer<>();
      tasks.heartbeat(List.of(task), told);
      crank.pass(Duration.ofMillis(10));
      return told.get().getFirst();
    }
  }

  Node node() {
    return new Node(TaskConfig.DEFAULT);
  }

  TaskSpec dueIn(Duration wait, String handler) {
    return spec(wait, handler, QueueName.DEFAULT, RetryPolicy.DEFAULT);
  }

  TaskSpec spec(Duration wait, String handler, int priority, RetryPolicy policy) {
    return new TaskSpec(
        new QueueName(new HandlerName(handler), priority),
        EpochMicros.of(crank.clock().instant().plus(wait)),
        TaskDetails.of(new byte[] {1, 2, 3}).withRetryPolicy(policy),
        null);
  }

  /** With an ordering key. */
  TaskSpec keyed(Duration wait, String handler, String key) {
    return onTerms(wait, handler, new OrderingKey(key), null);
  }

  /** A task that must begin within that time from now. */
  TaskSpec within(Duration deadline, String handler) {
    return onTerms(
        Duration.ZERO, handler, null, EpochMicros.of(crank.clock().instant().plus(deadline)));
  }

  private TaskSpec onTerms(
      Duration wait,
      String handler,
      @Nullable OrderingKey key,
      @Nullable Long startDeadlineMicros) {
    return new TaskSpec(
        new QueueName(new HandlerName(handler), QueueName.DEFAULT),
        EpochMicros.of(crank.clock().instant().plus(wait)),
        TaskDetails.of(new byte[] {1, 2, 3}).withKey(key).withStartDeadline(startDeadlineMicros),
        null);
  }

  /** In the store alone, as by a call that takes effect after the node has given it up. */
  void putOnQueueOf(Node node, TaskSpec spec) {
    NewTask task =
        new NewTask(
            TaskId.at(crank.clock().millis(), ++lastId, lastId),
            requireNonNull(store.queues(Set.of(spec.queue())).get(spec.queue())),
            spec.dueMicros(),
            spec.details(),
            null);
    store.insert(
        node.id,
        List.of(new InsertRequest(List.of(ArrivingTask.withoutIdempotency(task, true)))),
        TaskConfig.DEFAULT.enqueueTimeout());
  }

  /** Every task in this state, as far as a page goes. */
  ListQuery all(TaskState state) {
    return ListQuery.ofHandler(null, Set.of(state), null, 10_000);
  }

  TaskState state(TaskId id) {
    return store.find(id).orElseThrow().state();
  }

  /** Keeps nodes alive while time passes. */
  void pass(Duration time, Node... living) {
    Duration step = Duration.ofMillis(200);
    for (Duration left = time; left.isPositive(); left = left.minus(step)) {
      crank.pass(left.compareTo(step) < 0 ? left : step);
      for (Node node : living) {
        liveness.renew(node.id);
      }
      Instant now = crank.clock().instant();
      liveness.alive().stream()
          .filter(last -> !now.isBefore(last.at().plus(LAPSE)))
          .forEach(liveness::declareDead);
    }
  }

  private final class Counting implements TaskEvents {
    @Override
    public void scheduled(boolean stored, long tookNanos) {
      timed.add((stored ? "stored " : "refused ") + Duration.ofNanos(tookNanos));
    }

    @Override
    public void persisted(long tookNanos) {
      timed.add("persisted " + Duration.ofNanos(tookNanos));
    }

    @Override
    public void performed(QueueName queue, long tookMicros, boolean isFailed) {
      timed.add(
          queue.handler().wireName()
              + (isFailed ? " failed " : " ")
              + Duration.of(tookMicros, ChronoUnit.MICROS));
    }

    @Override
    public void lapsed(List<HeldAttempt> attempts) {
      lapsed += attempts.size();
    }
  }
}
