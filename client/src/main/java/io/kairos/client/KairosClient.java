package io.kairos.client;

import static io.kairos.api.text.GivenValue.ifGiven;

import com.google.protobuf.MessageLite;
import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.AwaitTaskRequest;
import io.kairos.api.v1.AwaitTaskResponse;
import io.kairos.api.v1.BatchScheduleTasksRequest;
import io.kairos.api.v1.BatchScheduleTasksResponse;
import io.kairos.api.v1.CancelTaskGraphRequest;
import io.kairos.api.v1.CancelTaskGraphResponse;
import io.kairos.api.v1.CancelTaskRequest;
import io.kairos.api.v1.CancelTaskResponse;
import io.kairos.api.v1.CancelTasksRequest;
import io.kairos.api.v1.ChangeTasksResponse;
import io.kairos.api.v1.Cluster;
import io.kairos.api.v1.DrainWorkerRequest;
import io.kairos.api.v1.GetClusterRequest;
import io.kairos.api.v1.GetTaskGraphRequest;
import io.kairos.api.v1.GetTaskRequest;
import io.kairos.api.v1.Idempotency;
import io.kairos.api.v1.ListAuditEntriesRequest;
import io.kairos.api.v1.ListAuditEntriesResponse;
import io.kairos.api.v1.ListDeadLettersRequest;
import io.kairos.api.v1.ListDeadLettersResponse;
import io.kairos.api.v1.ListRoutesRequest;
import io.kairos.api.v1.ListRoutesResponse;
import io.kairos.api.v1.ListTasksResponse;
import io.kairos.api.v1.ListWorkersRequest;
import io.kairos.api.v1.ListWorkersResponse;
import io.kairos.api.v1.PollRequest;
import io.kairos.api.v1.PollResponse;
import io.kairos.api.v1.RepublishDeadLetterResponse;
import io.kairos.api.v1.RescheduleTaskRequest;
import io.kairos.api.v1.RescheduleTasksRequest;
import io.kairos.api.v1.ScheduleTaskRequest;
import io.kairos.api.v1.ScheduleTaskResponse;
import io.kairos.api.v1.Worker;
import io.kairos.client.PagedList.Page;
import io.kairos.client.audit.AuditEntry;
import io.kairos.client.audit.AuditQuery;
import io.kairos.client.cluster.ClusterOverview;
import io.kairos.client.cluster.WorkerStatus;
import io.kairos.client.encryption.PayloadDecryptionException;
import io.kairos.client.encryption.PayloadEnvelope;
import io.kairos.client.error.KairosException;
import io.kairos.client.error.NodesUnavailableException;
import io.kairos.client.error.TaskConflictException;
import io.kairos.client.error.TaskNotFoundException;
import io.kairos.client.handler.TaskContext;
import io.kairos.client.net.ConnectionBuilder;
import io.kairos.client.net.LocalNode;
import io.kairos.client.route.DeadLetterQuery;
import io.kairos.client.route.DeadLetterView;
import io.kairos.client.route.Republication;
import io.kairos.client.route.Republication.PublishedAt;
import io.kairos.client.route.RouteStatus;
import io.kairos.client.task.CancelOutcome;
import io.kairos.client.task.CancelledGraph;
import io.kairos.client.task.ChangedTasks;
import io.kairos.client.task.Predecessor;
import io.kairos.client.task.ScheduledTask;
import io.kairos.client.task.TaskGraph;
import io.kairos.client.task.TaskId;
import io.kairos.client.time.ClientTime;
import io.kairos.client.time.SystemTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Schedules tasks and returns their states. Nodes are called in turn; nodes that do not answer are
 * skipped for a while. Calls block. Idempotent calls, and calls that had no effect on the node, are
 * retried: six attempts by default, with backoff and jitter. A call that a node does not know, as
 * in a rolling upgrade, goes to the other nodes. A schedule call whose answer was lost is
 * <em>not</em> retried, unless its task has an idempotency key that lasts longer than the task and
 * keeps the first; see {@link NodesUnavailableException#mayHaveTakenEffect}. Every failure is a
 * {@link KairosException}. Thread-safe; one client serves a whole application.
 */
public final class KairosClient implements AutoCloseable {
  /** Most dead letters of one answer. */
  private static final int MOST_LETTERS = 100;

  /** The longest wait of one call; a longer one is made of several. */
  private static final Duration LONGEST_AWAIT = Duration.ofSeconds(30);

  private final NodeCalls calls;
  private final RandomGenerator chance;
  private final WireEncryption encryption;
  private final ScheduleInterceptor interceptor;

  private KairosClient(Builder builder) {
    LocalNode local = builder.local();
    CallTerms terms =
        new CallTerms(builder.attempts, builder.callTimeout, builder.time, builder.chance);
    calls =
        local == null
            ? new RemoteCalls(builder.channels(channel -> channel), terms)
            : new InProcessCalls(local, terms);
    chance = builder.chance;
    encryption = new WireEncryption(builder.encryption());
    interceptor = builder.interceptor;
  }

  /**
   * Returns a client with default settings.
   *
   * @param addresses {@code host:port} of one or more nodes
   */
  public static KairosClient connect(String... addresses) {
    return builder(addresses).build();
  }

  /** Returns a builder for a client of a node in this process; the module in-process makes it. */
  public static Builder builder(LocalNode node) {
    return new Builder(node);
  }

  /**
   * Returns a builder for a client with other settings.
   *
   * @param addresses {@code host:port} of one or more nodes
   */
  public static Builder builder(String... addresses) {
    return new Builder(addresses);
  }

  /** Schedules a task. When the call returns, the task is durable. */
  public TaskId schedule(TaskRequest task) {
    return accept(task).id();
  }

  /**
   * Schedules tasks atomically: all of them or none.
   *
   * @param tasks at most 1,000
   * @return ids in the order of {@code tasks}
   */
  public List<TaskId> schedule(List<TaskRequest> tasks) {
    return accept(tasks).stream().map(ScheduledTask::id).toList();
  }

  /**
   * Schedules a task like {@link #schedule(TaskRequest)}, and also returns whether the task had
   * been scheduled before. Throws {@link TaskConflictException} when its idempotency key is taken
   * and {@code onConflict} neither keeps nor can replace the first task.
   */
  public ScheduledTask accept(TaskRequest task) {
    return accepted(List.of(task), this::acceptingOne).get(0);
  }

  /**
   * Schedules tasks like {@link #schedule(List)}, and also returns which of them had been scheduled
   * before.
   */
  public List<ScheduledTask> accept(List<TaskRequest> tasks) {
    return accepted(List.copyOf(tasks), this::accepting);
  }

  private List<ScheduledTask> accepted(
      List<TaskRequest> tasks,
      Function<List<TaskRequest>, NodeCall<?, ?, List<ScheduledTask>>> calling) {
    if (ScheduleInterceptor.NONE.equals(interceptor)) {
      return calls.now(calling.apply(tasks));
    }
    try {
      return intercepted(tasks, inside -> ended(() -> calls.now(calling.apply(inside)))).join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw e;
    }
  }

  /** Returns a future of a call that is made now. */
  private static <T> CompletableFuture<T> ended(Supplier<T> call) {
    try {
      return CompletableFuture.completedFuture(call.get());
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  CompletableFuture<List<ScheduledTask>> intercepted(
      List<TaskRequest> tasks, ScheduleInterceptor.Call call) {
    return interceptor.schedule(tasks, call).toCompletableFuture();
  }

  /** Of a list with one task. */
  NodeCall<?, ?, List<ScheduledTask>> acceptingOne(List<TaskRequest> tasks) {
    ScheduleTaskRequest request = encryption.encrypted(tasks.get(0).wire());
    return new NodeCall<>(
        ScheduleTaskResponse.class,
        request,
        isRepeatable(request),
        answer -> List.of(scheduled(answer)));
  }

  NodeCall<?, ?, List<ScheduledTask>> accepting(List<TaskRequest> tasks) {
    BatchScheduleTasksRequest.Builder batch = BatchScheduleTasksRequest.newBuilder();
    tasks.forEach(task -> batch.addTasks(encryption.encrypted(task.wire())));
    return new NodeCall<>(
        BatchScheduleTasksResponse.class,
        batch.build(),
        tasks.stream().allMatch(task -> isRepeatable(task.wire())),
        answer -> answer.getTasksList().stream().map(KairosClient::scheduled).toList());
  }

  private static ScheduledTask scheduled(ScheduleTaskResponse answer) {
    return new ScheduledTask(TaskId.of(answer.getId()), answer.getDuplicate());
  }

  /** True when a retry would find the first task and return it as the result. */
  private static boolean isRepeatable(ScheduleTaskRequest request) {
    Idempotency given = request.getIdempotency();
    boolean keeps =
        given.getOnConflict() == Idempotency.OnConflict.KEEP
            || given.getOnConflict() == Idempotency.OnConflict.ON_CONFLICT_UNSPECIFIED;
    boolean outlivesTheTask =
        given.hasDuration() || given.getWindow() == Idempotency.Window.FOREVER;
    return request.hasIdempotency() && keeps && outlivesTheTask;
  }

  /**
   * Returns a task. Throws {@link TaskNotFoundException} when there is none with this id, and
   * {@link PayloadDecryptionException} when its payload or result cannot be decrypted.
   */
  public Task get(TaskId id) {
    return calls.now(getting(id));
  }

  NodeCall<?, ?, Task> getting(TaskId id) {
    return NodeCall.of(
        io.kairos.api.v1.Task.class,
        GetTaskRequest.newBuilder().setId(id.toString()).build(),
        answer -> Task.of(encryption.decrypted(answer)));
  }

  /**
   * Waits until a task has ended, and returns how. A caller that waits costs a node one call, and
   * no polling of its own. Throws {@link TaskNotFoundException} when there is no such task, and
   * {@link PayloadDecryptionException} when its result cannot be decrypted.
   *
   * @param atMost the longest time to wait; zero to ask once
   */
  public TaskOutcome await(TaskId id, Duration atMost) {
    long sinceNanos = calls.nanos();
    while (true) {
      Duration left = atMost.minusNanos(calls.nanos() - sinceNanos);
      Duration wait = waitOfOneCall(left);
      Optional<TaskOutcome> outcome = calls.now(awaiting(id, wait));
      if (outcome.isPresent()) {
        return outcome.get();
      }
      if (left.compareTo(wait) <= 0) {
        return new TaskOutcome.StillRunning(id);
      }
    }
  }

  /** Returns how much of the time that is left a node is asked to wait at most. */
  Duration waitOfOneCall(Duration left) {
    Duration wait = left.isNegative() ? Duration.ZERO : left;
    Duration longest = calls.timeout().multipliedBy(3).dividedBy(4);
    for (Duration most : List.of(longest, LONGEST_AWAIT)) {
      wait = wait.compareTo(most) > 0 ? most : wait;
    }
    return wait;
  }

  /** Empty while the task goes on. */
  NodeCall<?, ?, Optional<TaskOutcome>> awaiting(TaskId id, Duration wait) {
    return NodeCall.of(
        AwaitTaskResponse.class,
        AwaitTaskRequest.newBuilder().setId(id.toString()).setWait(ProtoTime.of(wait)).build(),
        answer ->
            answer.hasTask()
                ? Optional.of(TaskProtos.outcome(Task.of(encryption.decrypted(answer.getTask()))))
                : Optional.empty());
  }

  /**
   * Waits like {@link #await(TaskId, Duration)} for the value that the handler of a task returns;
   * empty when it returned none. Throws {@link TaskNotSucceededException} when the task has ended
   * otherwise, or has not ended, and {@link IllegalArgumentException} for a task of another
   * handler.
   *
   * @param atMost the longest time to wait; zero to ask once
   */
  public <R> Optional<R> await(ResultTaskType<?, R> type, TaskId id, Duration atMost) {
    return value(type, id, await(id, atMost));
  }

  static <R> Optional<R> value(ResultTaskType<?, R> type, TaskId id, TaskOutcome outcome) {
    if (outcome instanceof TaskOutcome.Succeeded succeeded) {
      return type.result(succeeded.task());
    }
    throw new TaskNotSucceededException(id, outcome);
  }

  /**
   * Returns one page of tasks, newest first. A page may be short, or empty, although more follow.
   * Errors that cannot be decrypted stay as they are stored: {@code kairos-encrypted:} and base64.
   * Results are not in lists: {@link #get} has them.
   */
  public TaskPage list(TaskQuery query) {
    return calls.now(listing(query));
  }

  NodeCall<?, ?, TaskPage> listing(TaskQuery query) {
    return NodeCall.of(
        ListTasksResponse.class,
        query.wire(),
        answer ->
            new TaskPage(
                answer.getTasksList().stream().map(this::shown).toList(),
                answer.getNextPageToken(),
                answer.getIncomplete()));
  }

  /**
   * Cancels a task. Throws {@link TaskNotFoundException} when there is none with this id. When the
   * answer to the first attempt of this call was lost, {@link CancelOutcome#TOO_LATE} can also mean
   * that the first attempt cancelled the task; the state of the task tells.
   */
  public CancelOutcome cancel(TaskId id) {
    return calls.now(cancelling(id));
  }

  NodeCall<?, ?, CancelOutcome> cancelling(TaskId id) {
    return NodeCall.of(
        CancelTaskResponse.class,
        CancelTaskRequest.newBuilder().setId(id.toString()).build(),
        answer -> TaskProtos.outcome(answer.getOutcome()));
  }

  /**
   * Returns the graph of a task: all tasks that are connected with it, followed both ways, so also
   * others that wait for a task for which it waits; at most 1,000, and 10,000 edges between them.
   * Throws {@link TaskNotFoundException} when there is none with this id.
   */
  public TaskGraph graph(TaskId id) {
    return calls.now(graphing(id));
  }

  NodeCall<?, ?, TaskGraph> graphing(TaskId id) {
    return NodeCall.of(
        io.kairos.api.v1.TaskGraph.class,
        GetTaskGraphRequest.newBuilder().setId(id.toString()).build(),
        TaskProtos::graph);
  }

  /**
   * Returns all that a task has waited for, with all results: what its {@linkplain
   * TaskContext#predecessors context} has and, by a call for each, what had no room there. Makes no
   * call when nothing is left out. Throws {@link TaskNotFoundException} when a result that was left
   * out is no longer kept, and {@link IllegalStateException} when predecessors were left out and
   * the {@linkplain #graph graph} of the task has more tasks than are shown.
   */
  public List<Predecessor> predecessors(TaskContext context) {
    return new LeftOutPredecessors(this, encryption.fields()).whole(context);
  }

  /**
   * Cancels what has not ended of a task and of those that wait for it, directly or through others,
   * each like {@link #cancel(TaskId)}; not what it waits for. Asks again while more is left, until
   * nothing more was cancelled. Throws {@link TaskNotFoundException} when there is no task with
   * this id.
   */
  public CancelledGraph cancelGraph(TaskId id) {
    CancelTaskGraphRequest request =
        CancelTaskGraphRequest.newBuilder().setId(id.toString()).build();
    long count = 0;
    CancelTaskGraphResponse answer;
    do {
      answer = call(CancelTaskGraphResponse.class, request);
      count += answer.getCount();
    } while (answer.getMore() && answer.getCount() > 0);
    return new CancelledGraph(count, answer.getMore());
  }

  /**
   * Changes the due time of a waiting task. Throws {@link TaskConflictException} when it is being
   * performed or finished. In the answer, what cannot be decrypted stays as it is stored: {@link
   * PayloadEnvelope#of} finds such a payload, and {@link #get} tells why.
   */
  public Task reschedule(TaskId id, Instant runAt) {
    return calls.now(rescheduling(id, runAt));
  }

  /**
   * Changes the due time of a waiting task like {@link #reschedule(TaskId, Instant)}, to a delay
   * from now by the node's clock.
   */
  public Task reschedule(TaskId id, Duration delay) {
    return calls.now(rescheduling(id, delay));
  }

  NodeCall<?, ?, Task> rescheduling(TaskId id, Instant runAt) {
    return rescheduling(
        RescheduleTaskRequest.newBuilder().setId(id.toString()).setRunAt(ProtoTime.of(runAt)));
  }

  NodeCall<?, ?, Task> rescheduling(TaskId id, Duration delay) {
    return rescheduling(
        RescheduleTaskRequest.newBuilder().setId(id.toString()).setDelay(ProtoTime.of(delay)));
  }

  private NodeCall<?, ?, Task> rescheduling(RescheduleTaskRequest.Builder request) {
    return NodeCall.of(io.kairos.api.v1.Task.class, request.build(), this::shown);
  }

  /**
   * Cancels tasks that match, the oldest first. A repeated call finds only those that have not
   * ended. Call again with {@link ChangedTasks#next} until that is null.
   *
   * @param limit maximum number of tasks, 1 to 10,000
   */
  public ChangedTasks cancel(TaskFilter which, int limit) {
    return changed(CancelTasksRequest.newBuilder().setFilter(which.wire()).setLimit(limit).build());
  }

  /** Counts up to 100,000 tasks that {@link #cancel(TaskFilter, int)} would cancel. */
  public ChangedTasks countToCancel(TaskFilter which) {
    return changed(CancelTasksRequest.newBuilder().setFilter(which.wire()).setDryRun(true).build());
  }

  private ChangedTasks changed(CancelTasksRequest request) {
    return TaskProtos.changed(call(ChangeTasksResponse.class, request));
  }

  /**
   * Makes tasks due now that match and that no worker performs, the oldest first. Passes over those
   * that would be due after their start deadline.
   *
   * @param limit maximum number of tasks, 1 to 10,000
   */
  public ChangedTasks reschedule(TaskFilter which, int limit) {
    return changed(rescheduling(which).setLimit(limit));
  }

  /** Gives tasks a due time, like {@link #reschedule(TaskFilter, int)}. */
  public ChangedTasks reschedule(TaskFilter which, int limit, Instant start) {
    return changed(rescheduling(which).setLimit(limit).setStart(ProtoTime.of(start)));
  }

  /**
   * Gives tasks other due times, like {@link #reschedule(TaskFilter, int)}.
   *
   * @param start when the first is due
   * @param perSecond rate at which they become due
   */
  public ChangedTasks reschedule(TaskFilter which, int limit, Instant start, double perSecond) {
    return changed(
        rescheduling(which).setLimit(limit).setStart(ProtoTime.of(start)).setPerSecond(perSecond));
  }

  /** Counts up to 100,000 tasks that a reschedule to now would change. */
  public ChangedTasks countToReschedule(TaskFilter which) {
    return changed(rescheduling(which).setDryRun(true));
  }

  /** Counts up to 100,000 tasks that a reschedule would change of which the first is due then. */
  public ChangedTasks countToReschedule(TaskFilter which, Instant start) {
    return changed(rescheduling(which).setDryRun(true).setStart(ProtoTime.of(start)));
  }

  private static RescheduleTasksRequest.Builder rescheduling(TaskFilter which) {
    return RescheduleTasksRequest.newBuilder().setFilter(which.wire());
  }

  private ChangedTasks changed(RescheduleTasksRequest.Builder request) {
    return TaskProtos.changed(call(ChangeTasksResponse.class, request.build()));
  }

  private Task shown(io.kairos.api.v1.Task wire) {
    return Task.of(encryption.decryptedOrKept(wire));
  }

  WireEncryption encryption() {
    return encryption;
  }

  /**
   * Makes one node do everything that is due, for applications that drive nodes from outside. Any
   * number of callers may poll at any rate. Nodes that cannot act are skipped.
   *
   * @param within time after which the node answers in any case, while unfinished steps go on;
   *     shorter than the {@linkplain Builder#callTimeout call timeout}
   */
  public List<PolledStep> poll(Duration within) {
    PollRequest request = PollRequest.newBuilder().setWithin(ProtoTime.of(within)).build();
    return call(PollResponse.class, request).getStepsList().stream()
        .map(TaskProtos::polled)
        .toList();
  }

  /** Returns entries of the audit log, newest first; only for callers with the role ADMIN. */
  public List<AuditEntry> audit(AuditQuery query) {
    ListAuditEntriesRequest.Builder request =
        ListAuditEntriesRequest.newBuilder()
            .setCaller(query.caller())
            .setAction(query.action())
            .setKind(query.kind())
            .setObject(query.object())
            .setOutcome(query.outcome());
    ifGiven(query.from(), from -> request.setNotBefore(ProtoTime.of(from)));
    ifGiven(query.to(), to -> request.setBefore(ProtoTime.of(to)));
    return new PagedList(query.limit(), "")
        .fetch((size, token) -> {
          ListAuditEntriesResponse answer =
              call(
                  ListAuditEntriesResponse.class,
                  request.setPageSize(size).setPageToken(token).build());
          return Page.of(answer.getEntriesList(), TaskProtos::audited, answer.getNextPageToken());
        });
  }

  /** Returns all nodes, and what is wrong. */
  public ClusterOverview cluster() {
    return TaskProtos.overview(call(Cluster.class, GetClusterRequest.getDefaultInstance()));
  }

  /**
   * Returns workers that have asked for work in the last day, those heard of in the last two
   * minutes first.
   *
   * @param limit maximum number of workers to fetch
   */
  public List<WorkerStatus> workers(int limit) {
    return new PagedList(limit, "")
        .fetch((size, token) -> {
          ListWorkersResponse answer =
              call(
                  ListWorkersResponse.class,
                  ListWorkersRequest.newBuilder().setPageSize(size).setPageToken(token).build());
          return Page.of(answer.getWorkersList(), TaskProtos::worker, answer.getNextPageToken());
        });
  }

  /** Returns the routes of the delay queue, by name. */
  public List<RouteStatus> routes() {
    return call(ListRoutesResponse.class, ListRoutesRequest.getDefaultInstance())
        .getRoutesList()
        .stream()
        .map(TaskProtos::route)
        .toList();
  }

  /** Returns dead letters of a route, the latest first. */
  public List<DeadLetterView> deadLetters(DeadLetterQuery query) {
    ListDeadLettersRequest.Builder request =
        ListDeadLettersRequest.newBuilder()
            .setRoute(query.route())
            .setReason(query.reason())
            .setFingerprint(query.fingerprint())
            .setMaxValueBytes(query.valueBytes());
    return new PagedList(query.limit(), "")
        .fetch((size, token) -> {
          ListDeadLettersResponse answer =
              call(
                  ListDeadLettersResponse.class,
                  request.setPageSize(Math.min(size, MOST_LETTERS)).setPageToken(token).build());
          return Page.of(answer.getLettersList(), TaskProtos::letter, answer.getNextPageToken());
        });
  }

  /**
   * Gives a worker no more tasks, on all nodes within some seconds; those that it performs go on.
   * Only for callers with the role ADMIN.
   *
   * @param worker id of the worker
   */
  public WorkerStatus drainWorker(String worker) {
    return drainWorker(worker, false);
  }

  /** Gives a drained worker tasks again. Only for callers with the role ADMIN. */
  public WorkerStatus endDrainOfWorker(String worker) {
    return drainWorker(worker, true);
  }

  private WorkerStatus drainWorker(String worker, boolean undo) {
    return TaskProtos.worker(
        call(
            Worker.class, DrainWorkerRequest.newBuilder().setWorker(worker).setUndo(undo).build()));
  }

  /**
   * Publishes a dead letter to the input topic of its route again; only for callers with the role
   * ADMIN.
   */
  public PublishedAt republish(Republication letter) {
    RepublishDeadLetterResponse answer =
        call(RepublishDeadLetterResponse.class, TaskProtos.wire(letter), false);
    return new PublishedAt(answer.getPartition(), answer.getOffset());
  }

  /** Returns the client whose calls return futures. */
  public AsyncKairosClient async() {
    return new AsyncKairosClient(this, calls);
  }

  /** Returns the client for handlers, queues and failed tasks. */
  public HandlerClient handlers() {
    return new HandlerClient(this);
  }

  /** Returns the client for batches of tasks. */
  public BatchClient batches() {
    return new BatchClient(this);
  }

  /** Returns the client for limits by key. */
  public LimitClient limits() {
    return new LimitClient(this);
  }

  /** Returns the client for schedules. */
  public ScheduleClient schedules() {
    return new ScheduleClient(this, chance);
  }

  /** Returns the client for pools of HTTP endpoints. */
  public PoolClient pools() {
    return new PoolClient(this);
  }

  /** Returns the client for a replicated cron; the addresses must be those of its replicas. */
  public CronClient cron() {
    return new CronClient(this);
  }

  /** Makes an idempotent call. */
  <A> A call(Class<A> answer, MessageLite request) {
    return call(answer, request, true);
  }

  <A> A call(Class<A> answer, MessageLite request, boolean repeatable) {
    return calls.now(new NodeCall<>(answer, request, repeatable, Function.identity()));
  }

  /** Closes the connections and cancels calls under way. */
  @Override
  public void close() {
    calls.close();
  }

  /**
   * Code around every call of a client that schedules tasks: for traces, metrics, or fields that
   * all tasks get. Called on the caller's thread, concurrently; it calls {@link Call#schedule} on
   * the same thread and returns its answer, or a stage that depends on it. The stage has ended
   * already, unless the call is one of an {@link AsyncKairosClient}. Calls for schedules, which
   * make their tasks later, are not intercepted.
   */
  @FunctionalInterface
  public interface ScheduleInterceptor {
    /** Adds nothing to a call. */
    ScheduleInterceptor NONE = (tasks, call) -> call.schedule(tasks);

    /**
     * Schedules tasks.
     *
     * @param tasks the tasks of one call, which are accepted together; unmodifiable, mostly one
     * @return the answer of the call, in the order of {@code tasks}, or its failure
     */
    CompletionStage<List<ScheduledTask>> schedule(List<TaskRequest> tasks, Call call);

    /** The rest of a call: further interceptors and the retried calls to nodes. */
    @FunctionalInterface
    interface Call {
      /**
       * Schedules tasks. A failure ends the stage, and is not thrown.
       *
       * @param tasks as many as were given, in their order
       */
      CompletionStage<List<ScheduledTask>> schedule(List<TaskRequest> tasks);
    }
  }

  /** Settings of a client. Not thread-safe. */
  public static final class Builder extends ConnectionBuilder<Builder> {
    private Duration callTimeout = Duration.ofSeconds(10);
    private int attempts = 6;
    private ClientTime time = new SystemTime();
    private RandomGenerator chance = SystemTime.chance();
    private ScheduleInterceptor interceptor = ScheduleInterceptor.NONE;

    private Builder(String... addresses) {
      super(addresses);
    }

    private Builder(LocalNode node) {
      super(node);
    }

    /** Timeout of one attempt of a call; 10 s by default. */
    public Builder callTimeout(Duration timeout) {
      callTimeout = timeout;
      return this;
    }

    /** Maximum number of attempts of a call, including the first; 6 by default. */
    public Builder attempts(int most) {
      attempts = most;
      return this;
    }

    /** Adds code around calls that schedule; the interceptor added first is the outermost. */
    public Builder intercept(ScheduleInterceptor next) {
      ScheduleInterceptor outer = interceptor;
      interceptor = (tasks, call) -> outer.schedule(tasks, inside -> next.schedule(inside, call));
      return this;
    }

    /** For tests. */
    public Builder time(ClientTime newTime, RandomGenerator newChance) {
      time = newTime;
      chance = newChance;
      return this;
    }

    /** Returns the client, which connects with its first call. */
    public KairosClient build() {
      return new KairosClient(this);
    }
  }
}
