package io.kairos.contracts;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.ArrivingTask;
import io.kairos.engine.task.port.ClaimResult;
import io.kairos.engine.task.port.EnqueueRequest;
import io.kairos.engine.task.port.EnqueuedTask;
import io.kairos.engine.task.port.HeartbeatFinding;
import io.kairos.engine.task.port.HeldAttempt;
import io.kairos.engine.task.port.InsertRequest;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.NewTask;
import io.kairos.engine.task.port.Settlement;
import io.kairos.engine.task.port.TaskClaim;
import io.kairos.engine.task.port.TaskReceipt;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.engine.task.port.operator.TaskView;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;

/** Base of the task suites: a fresh store for each test, two nodes, two queues, short helpers. */
public abstract class TaskContract {
  protected static final NodeId NODE = new NodeId(new UUID(1, 1));
  protected static final NodeId PEER = new NodeId(new UUID(2, 2));
  protected static final String WORKER = "worker-1";
  protected static final String OTHER_WORKER = "worker-2";
  protected static final QueueName MAIL = new QueueName(new HandlerName("mail"), 50);
  protected static final QueueName PRINT = new QueueName(new HandlerName("print"), 50);
  protected static final Duration ENQUEUE_TIMEOUT = Duration.ofMinutes(10);
  protected static final Duration LEASE = Duration.ofMinutes(5);
  protected static final Duration LONG = Duration.ofHours(1);
  protected static final int MANY = 1_000;

  /** Leases are judged by the store's clock alone. */
  protected static final long BELIEVED = Long.MAX_VALUE;

  protected static final long PLENTY_BYTES = 1L << 40;

  /** The store's clock goes on while a test runs. */
  private static final Duration TOLERANCE = Duration.ofMinutes(1);

  private long lastId;

  protected TaskStores stores;
  protected TaskStore tasks;
  protected QueueId mail;
  protected QueueId print;

  /** A store without tasks. Called before each test. */
  protected abstract TaskStores freshStores();

  @BeforeEach
  void start_fresh() {
    stores = freshStores();
    tasks = stores.tasks();
    mail = queue(MAIL);
    print = queue(PRINT);
  }

  protected QueueId queue(QueueName name) {
    return requireNonNull(tasks.queues(List.of(name)).get(name));
  }

  /** A new id, greater than earlier ones; the same in every run. */
  protected TaskId newId() {
    lastId++;
    return TaskId.at(1_767_225_600_000L + lastId, 0, lastId << 2);
  }

  /** Microseconds since the epoch at that many seconds after the store's now. */
  protected long micros(long secondsFromNow) {
    return EpochMicros.of(stores.now()) + secondsFromNow * 1_000_000;
  }

  protected NewTask task(long dueMicros) {
    return task(mail, dueMicros, "payload".getBytes(StandardCharsets.UTF_8));
  }

  protected NewTask task(QueueId queue, long dueMicros, byte[] payload) {
    return task(queue, dueMicros, TaskDetails.of(payload).withRetryPolicy(RetryPolicy.DEFAULT));
  }

  protected NewTask task(QueueId queue, long dueMicros, TaskDetails details) {
    return new NewTask(newId(), queue, dueMicros, details, null);
  }

  /** Stores a task that waits in the store. */
  protected NewTask storedWaiting(NewTask task) {
    storeWaiting(task);
    return task;
  }

  protected void storeWaiting(NewTask... some) {
    insert(NODE, List.of(), List.of(some));
  }

  /** Stores tasks by one request: some on their queue, in the memory of the node, some waiting. */
  protected void insert(NodeId node, List<NewTask> enqueued, List<NewTask> waiting) {
    assertThat(tasks.insert(node, List.of(request(enqueued, waiting)), ENQUEUE_TIMEOUT))
        .singleElement()
        .isInstanceOf(InsertResult.Stored.class);
  }

  /** Stores tasks on their queue, unless an earlier task of their keys comes first. */
  protected List<TaskReceipt> stored(NewTask... enqueued) {
    InsertRequest request = request(List.of(enqueued), List.of());
    InsertResult result = tasks.insert(NODE, List.of(request), ENQUEUE_TIMEOUT).getFirst();
    return ((InsertResult.Stored) result).receipts();
  }

  /** A task that is stored on its queue. */
  protected EnqueuedTask onQueue(NewTask task) {
    TaskReceipt receipt = stored(task).getFirst();
    assertThat(receipt.onQueue()).isTrue();
    return EnqueuedTask.of(task, receipt.keyId());
  }

  protected static InsertRequest request(List<NewTask> enqueued, List<NewTask> waiting) {
    List<ArrivingTask> arrivals = new ArrayList<>();
    enqueued.forEach(task -> arrivals.add(ArrivingTask.withoutIdempotency(task, true)));
    waiting.forEach(task -> arrivals.add(ArrivingTask.withoutIdempotency(task, false)));
    return new InsertRequest(arrivals);
  }

  /** A task that is due, on a queue of the node. */
  protected FencedTask enqueued() {
    return enqueued(task(micros(0)));
  }

  protected FencedTask enqueued(NewTask task) {
    insert(NODE, List.of(task), List.of());
    return new FencedTask(task.id(), 1);
  }

  /** A task that a worker performs for the first time. */
  protected FencedTask processing() {
    return claimed(enqueued(), WORKER);
  }

  protected FencedTask claimed(FencedTask enqueued, String worker) {
    assertThat(claim(enqueued, worker).claimed()).containsExactly(enqueued);
    return enqueued.next();
  }

  protected boolean isClaimed(FencedTask enqueued) {
    return !claim(enqueued, OTHER_WORKER).claimed().isEmpty();
  }

  /** A claim on a task of the first queue. */
  protected TaskClaim claimOn(FencedTask enqueued, String worker) {
    return new TaskClaim(enqueued, mail, worker, null);
  }

  private ClaimResult claim(FencedTask enqueued, String worker) {
    return tasks.claim(List.of(claimOn(enqueued, worker)), LEASE);
  }

  /** Enqueues every due task on the queues of the node. */
  protected List<EnqueuedTask> enqueue(NodeId node) {
    return enqueue(node, Map.of(mail, MANY, print, MANY), PLENTY_BYTES, Duration.ZERO);
  }

  protected List<EnqueuedTask> enqueue(
      NodeId node, Map<QueueId, Integer> limits, long maxBytes, Duration ahead) {
    return tasks.enqueue(new EnqueueRequest(node, limits, maxBytes, ahead, ENQUEUE_TIMEOUT));
  }

  /** The only task that is due, on a queue of the node. */
  protected FencedTask enqueueOne(NodeId node) {
    List<EnqueuedTask> due = enqueue(node);
    assertThat(due).hasSize(1);
    return due.getFirst().task();
  }

  protected HeartbeatFinding beat(FencedTask processing) {
    return tasks.heartbeat(List.of(processing), LEASE).getFirst();
  }

  protected Set<FencedTask> settle(Settlement... settlements) {
    return tasks.settle(Arrays.asList(settlements)).tasks();
  }

  /** Settles what has lapsed by the store's clock. */
  protected Set<FencedTask> reap(Settlement... settlements) {
    return tasks.reap(Arrays.asList(settlements), BELIEVED).tasks();
  }

  /** Held tasks that have lapsed by the store's clock, up to a limit. */
  protected List<HeldAttempt> lapsed(int limit) {
    return tasks.lapsed(BELIEVED, limit);
  }

  protected static Settlement finish(FencedTask task, TaskState state) {
    return new Settlement.Finish(task, state, "why");
  }

  protected static Settlement retry(FencedTask task) {
    return new Settlement.Retry(task, Duration.ZERO, "why");
  }

  /** An attempt fails; the task is on the node's queue for the next. */
  protected FencedTask afterFailure(FencedTask processing) {
    assertThat(settle(retry(processing))).containsExactly(processing);
    return enqueueOne(NODE);
  }

  /** Another attempt fails and another one begins. */
  protected FencedTask afterRetry(FencedTask processing) {
    return claimed(afterFailure(processing), WORKER);
  }

  protected TaskView view(TaskId id) {
    return tasks.find(id).orElseThrow();
  }

  protected TaskView view(FencedTask task) {
    return view(task.id());
  }

  /** Errors of the task's latest failures, oldest first. */
  protected List<String> errorsOf(TaskId task) {
    return view(task).progress().failures().stream().map(TaskView.Failure::error).toList();
  }

  protected List<String> errorsOf(FencedTask task) {
    return errorsOf(task.id());
  }

  protected TaskState stateOf(FencedTask task) {
    return view(task).state();
  }

  protected static List<TaskId> ids(Collection<EnqueuedTask> enqueued) {
    return enqueued.stream().map(one -> one.task().id()).toList();
  }

  /** Checks that a time is about that long after the store's now. */
  protected void assertIn(Duration fromNow, @Nullable Instant actual) {
    assertThat(actual)
        .isBetween(
            stores.now().plus(fromNow).minus(TOLERANCE),
            stores.now().plus(fromNow).plus(TOLERANCE));
  }
}
