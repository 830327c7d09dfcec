package io.kairos.edge.task;

import static io.grpc.stub.ServerCalls.asyncUnaryCall;
import static io.kairos.api.v1.TaskServiceGrpc.getAwaitTaskMethod;
import static io.kairos.api.v1.TaskServiceGrpc.getBatchScheduleTasksMethod;
import static io.kairos.api.v1.TaskServiceGrpc.getCancelTaskGraphMethod;
import static io.kairos.api.v1.TaskServiceGrpc.getCancelTaskMethod;
import static io.kairos.api.v1.TaskServiceGrpc.getCancelTasksMethod;
import static io.kairos.api.v1.TaskServiceGrpc.getGetTaskGraphMethod;
import static io.kairos.api.v1.TaskServiceGrpc.getGetTaskMethod;
import static io.kairos.api.v1.TaskServiceGrpc.getListTasksMethod;
import static io.kairos.api.v1.TaskServiceGrpc.getRescheduleTaskMethod;
import static io.kairos.api.v1.TaskServiceGrpc.getRescheduleTasksMethod;
import static io.kairos.api.v1.TaskServiceGrpc.getScheduleTaskMethod;
import static io.kairos.api.v1.TaskServiceGrpc.getServiceDescriptor;
import static java.util.Objects.requireNonNull;

import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.StreamObserver;
import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.Access.Kind;
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
import io.kairos.api.v1.GetTaskGraphRequest;
import io.kairos.api.v1.GetTaskRequest;
import io.kairos.api.v1.ListTasksRequest;
import io.kairos.api.v1.ListTasksResponse;
import io.kairos.api.v1.RescheduleTaskRequest;
import io.kairos.api.v1.RescheduleTasksRequest;
import io.kairos.api.v1.ScheduleTaskRequest;
import io.kairos.api.v1.ScheduleTaskResponse;
import io.kairos.api.v1.Task;
import io.kairos.api.v1.TaskGraph;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.time.EpochMicros;
import io.kairos.edge.call.CallReply;
import io.kairos.edge.call.PageToken;
import io.kairos.edge.call.ReadyNode;
import io.kairos.edge.call.StoreCalls;
import io.kairos.edge.call.WaitingItems;
import io.kairos.edge.caller.CallerScope;
import io.kairos.edge.caller.PresentCaller;
import io.kairos.edge.refusal.CallRefusals;
import io.kairos.edge.refusal.InvalidField;
import io.kairos.engine.task.edge.TaskEdge;
import io.kairos.engine.task.edge.TaskSpec;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.operator.CancelResult;
import io.kairos.engine.task.port.operator.ListQuery;
import io.kairos.engine.task.port.operator.TaskGraphView;
import io.kairos.engine.task.port.operator.TaskListing;
import io.kairos.engine.task.port.operator.TaskView;
import io.kairos.engine.task.port.operator.UnfinishedTasks;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntFunction;

/**
 * Serves applications' calls about tasks. Called on the connections' threads. Scheduling is
 * asynchronous and stays there; calls that wait for the store move to another thread.
 */
public final class TaskCalls implements BindableService {
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);
  private static final Duration DEFAULT_WAIT = Duration.ofSeconds(30);

  private static final int MOST_IN_A_GRAPH = 1_000;

  /** About a MiB. */
  private static final int MOST_EDGES_SHOWN = 10_000;

  /** Of unfinished tasks of a graph, when some may be those of others. */
  private static final int MOST_LOOKED_THROUGH = 10_000;

  private final ReadyNode node;
  private final TaskRequests requests;
  private final TopicCalls topics;
  private final StoreCalls store;
  private final WaitingItems waiting;
  private final PoolTargets targets;

  /**
   * The calls of one node.
   *
   * @param waiting tasks that wait for the store
   */
  public TaskCalls(
      ReadyNode node,
      InstantSource clock,
      int maxPayloadBytes,
      StoreCalls store,
      WaitingItems waiting) {
    this.node = node;
    this.store = store;
    this.waiting = waiting;
    this.requests = new TaskRequests(clock, maxPayloadBytes);
    this.targets = new PoolTargets(node);
    this.topics = new TopicCalls(node, clock, maxPayloadBytes);
  }

  @Override
  public ServerServiceDefinition bindService() {
    return ServerServiceDefinition.builder(getServiceDescriptor())
        .addMethod(getScheduleTaskMethod(), asyncUnaryCall(this::schedule))
        .addMethod(getBatchScheduleTasksMethod(), asyncUnaryCall(this::scheduleBatch))
        .addMethod(getGetTaskMethod(), store.unary(this::get))
        .addMethod(getAwaitTaskMethod(), asyncUnaryCall(this::await))
        .addMethod(getGetTaskGraphMethod(), store.unary(this::graph))
        .addMethod(getCancelTaskGraphMethod(), store.unary(this::cancelGraph))
        .addMethod(getCancelTaskMethod(), store.unary(this::cancel))
        .addMethod(getRescheduleTaskMethod(), store.unary(this::reschedule))
        .addMethod(getListTasksMethod(), store.unary(this::list))
        .addMethod(getCancelTasksMethod(), store.unary(this::cancelMany))
        .addMethod(getRescheduleTasksMethod(), store.unary(this::rescheduleMany))
        .build();
  }

  private void schedule(ScheduleTaskRequest request, StreamObserver<ScheduleTaskResponse> caller) {
    TaskEdge tasks = node.get();
    if (request.hasTopic()) {
      store.answer(
          caller, () -> ScheduleTaskResponse.newBuilder().setId(topics.one(request)).build());
      return;
    }
    List<TaskSpec> specs = requests.one(request);
    IntFunction<String> edge = nth -> GraphRequests.idField(specs, false, nth);
    schedule(
        tasks,
        specs,
        edge,
        caller,
        new CallReply<>(caller, result -> TaskAnswers.scheduled(result, edge)));
  }

  private void scheduleBatch(
      BatchScheduleTasksRequest request, StreamObserver<BatchScheduleTasksResponse> caller) {
    TaskEdge tasks = node.get();
    if (TopicCalls.isFor(request.getTasksList())) {
      store.answer(
          caller,
          () -> {
            BatchScheduleTasksResponse.Builder answer = BatchScheduleTasksResponse.newBuilder();
            topics.all(request.getTasksList()).forEach(id -> answer.addTasksBuilder().setId(id));
            return answer.build();
          });
      return;
    }
    List<TaskSpec> specs = requests.batch(request);
    IntFunction<String> edge = nth -> GraphRequests.idField(specs, true, nth);
    schedule(
        tasks,
        specs,
        edge,
        caller,
        new CallReply<>(caller, result -> TaskAnswers.scheduledAll(result, edge)));
  }

  private void schedule(
      TaskEdge tasks,
      List<TaskSpec> specs,
      IntFunction<String> edge,
      StreamObserver<?> caller,
      CallReply<InsertResult, ?> reply) {
    Set<PoolName> unknown = targets.unknown(specs);
    Map<TaskId, Integer> awaited =
        PresentCaller.scope().isWhole() ? Map.of() : GraphRequests.stored(specs);
    if (unknown.isEmpty() && awaited.isEmpty()) {
      schedule(tasks, specs, reply);
    } else {
      store.before(
          caller,
          () -> {
            targets.require(unknown, "pool.name");
            tasks
                .queuesOf(awaited.keySet())
                .forEach((id, queue) ->
                    PresentCaller.requireFound(
                        Kind.HANDLER,
                        queue.handler().wireName(),
                        edge.apply(requireNonNull(awaited.get(id)))));
            schedule(tasks, specs, reply);
          });
    }
  }

  private void schedule(TaskEdge tasks, List<TaskSpec> specs, CallReply<InsertResult, ?> reply) {
    waiting.offer(specs.size(), reply, answer -> tasks.schedule(specs, answer));
  }

  private Task get(GetTaskRequest request) {
    TaskId id = RequestFields.id("id", request.getId());
    Optional<TaskView> view = node.get().find(id, !request.getWithoutPayload());
    view.ifPresent(TaskCalls::requireFound);
    if (view.isPresent()) {
      return TaskAnswers.whole(view.get());
    }
    Task letter = topics.letter(id);
    return request.getWithoutPayload() ? letter.toBuilder().clearPayload().build() : letter;
  }

  /** The task is looked up first, because only its row says whether the caller may see it. */
  private void await(AwaitTaskRequest request, StreamObserver<AwaitTaskResponse> caller) {
    TaskId id = RequestFields.id("id", request.getId());
    Duration wait = RequestFields.duration(request, "wait", LONGEST_WAIT, DEFAULT_WAIT);
    TaskEdge tasks = node.get();
    String name = PresentCaller.nameOrAddress();
    LongPoll<Optional<TaskView>, AwaitTaskResponse> poll =
        new LongPoll<>(caller, TaskAnswers::awaited, _ -> {});
    AwaitedTask awaited = new AwaitedTask();
    poll.endsWithin(wait, awaited::end);
    Runnable look =
        () -> {
          try {
            TaskView view = tasks.find(id, false).orElseThrow(CallRefusals::unknownTask);
            requireFound(view);
            if (view.state().isFinished()) {
              poll.answered(tasks.find(id).map(TaskView::withoutPayload));
            } else {
              awaited.begin(tasks.await(id, name, poll));
            }
          } catch (RuntimeException e) {
            poll.failed(e);
          }
        };
    try {
      store.before(caller, look);
    } catch (RuntimeException e) { // the poll must not answer a call that is over
      poll.failed(e);
    }
  }

  private ChangeTasksResponse cancelMany(CancelTasksRequest request) {
    return TaskAnswers.changed(node.get().change(ChangeRequests.cancel(request)));
  }

  private ChangeTasksResponse rescheduleMany(RescheduleTasksRequest request) {
    return TaskAnswers.changed(
        node.get().change(ChangeRequests.reschedule(request, requests.clock().instant())));
  }

  private static void requireFound(TaskView view) {
    PresentCaller.requireFound(Kind.HANDLER, view.queue().handler().wireName(), "id");
  }

  /** Looks at the task only for a caller who may use some names only. */
  private void requireFound(TaskId id) {
    if (!PresentCaller.scope().isWhole()) {
      node.get().find(id, false).ifPresent(TaskCalls::requireFound);
    }
  }

  private CancelTaskResponse cancel(CancelTaskRequest request) {
    TaskId id = RequestFields.id("id", request.getId());
    requireFound(id);
    CancelResult result = node.get().cancel(id);
    return TaskAnswers.cancelled(result == CancelResult.UNKNOWN ? topics.cancel(id) : result);
  }

  private TaskGraph graph(GetTaskGraphRequest request) {
    int limit = request.getLimit() == 0 ? MOST_IN_A_GRAPH : request.getLimit();
    InvalidField.require(
        limit >= 1 && limit <= MOST_IN_A_GRAPH,
        "limit",
        "must be 1 to %,d".formatted(MOST_IN_A_GRAPH));
    TaskId id = RequestFields.id("id", request.getId());
    requireKnown(id);
    TaskGraphView view = node.get().graph(id, limit, MOST_EDGES_SHOWN);
    CallerScope scope = PresentCaller.scope();
    SortedMap<TaskId, QueueName> members = new TreeMap<>(queuesOf(view.states().keySet(), scope));
    return TaskAnswers.graph(view, members, scope.isWhole());
  }

  /** Before a graph is walked, which costs more than a look at one task. */
  private void requireKnown(TaskId id) {
    QueueName queue = node.get().queuesOf(List.of(id)).get(id);
    if (queue == null) {
      throw CallRefusals.unknownTask();
    }
    PresentCaller.requireFound(Kind.HANDLER, queue.handler().wireName(), "id");
  }

  /** The queues of those tasks that the caller may use. */
  private Map<TaskId, QueueName> queuesOf(Collection<TaskId> ids, CallerScope scope) {
    Map<TaskId, QueueName> queues = new HashMap<>(node.get().queuesOf(ids));
    queues.values().removeIf(one -> !scope.covers(Kind.HANDLER, one.handler().wireName()));
    return queues;
  }

  /**
   * Successors come first: they are still waiting, and are not cancelled with their predecessors.
   * For a caller who may use some names only more tasks are looked at, so that those of others are
   * passed over.
   */
  private CancelTaskGraphResponse cancelGraph(CancelTaskGraphRequest request) {
    TaskId id = RequestFields.id("id", request.getId());
    requireKnown(id);
    CallerScope scope = PresentCaller.scope();
    UnfinishedTasks found =
        node.get().unfinishedFrom(id, scope.isWhole() ? MOST_IN_A_GRAPH : MOST_LOOKED_THROUGH);
    List<TaskId> tasks = found.tasks();
    if (!scope.isWhole()) {
      Set<TaskId> own = queuesOf(tasks, scope).keySet();
      tasks = tasks.stream().filter(own::contains).toList();
    }
    int count = 0;
    for (TaskId task : tasks.subList(0, Math.min(tasks.size(), MOST_IN_A_GRAPH))) {
      CancelResult result = node.get().cancel(task);
      count += result == CancelResult.CANCELLED || result == CancelResult.REQUESTED ? 1 : 0;
    }
    return CancelTaskGraphResponse.newBuilder()
        .setCount(count)
        .setMore(found.hasMore() || tasks.size() > MOST_IN_A_GRAPH)
        .build();
  }

  private Task reschedule(RescheduleTaskRequest request) {
    TaskId id = RequestFields.id("id", request.getId());
    long dueMicros = requests.due(request);
    requireFound(id);
    boolean moved = node.get().reschedule(id, dueMicros);
    Optional<TaskView> view = node.get().find(id, false);
    if (view.isEmpty()) {
      return topics.reschedule(id, dueMicros, TaskAnswers.timestamp(dueMicros));
    }
    if (!moved) {
      throw CallRefusals.notInState(whyNotMoved(view.get(), dueMicros));
    }
    return TaskAnswers.forSubmitter(view.get());
  }

  private static String whyNotMoved(TaskView view, long dueMicros) {
    Long deadline = view.details().startDeadlineMicros();
    boolean waits = !view.state().isFinished() && view.state() != TaskState.PROCESSING;
    return waits && deadline != null && deadline < dueMicros
        ? "start_deadline: the task must begin by "
            + EpochMicros.toInstant(deadline)
            + " and could not"
        : "id: the task is "
            + TaskAnswers.STATES.write(view.state())
            + ", and only one that waits can be given another due time";
  }

  /**
   * As many tasks of the page as fit into one answer: error texts are long. Tasks of handlers that
   * the caller may not use are left out: a schedule that it may use may have run them.
   */
  private ListTasksResponse list(ListTasksRequest request) {
    ListQuery query = requests.query(request);
    TaskListing page = node.get().list(query);
    ListTasksResponse.Builder answer =
        ListTasksResponse.newBuilder().setIncomplete(page.isIncomplete());
    TaskId next = page.next();
    TaskId last = null;
    int bytes = 0;
    CallerScope scope = PresentCaller.scope();
    for (TaskView view : page.tasks()) {
      if (!scope.covers(Kind.HANDLER, view.queue().handler().wireName())) {
        answer.setIncomplete(page.isIncomplete() || next != null);
        continue;
      }
      Task task = TaskAnswers.task(view);
      bytes += task.getSerializedSize();
      if (last != null && bytes > RequestFields.MOST_BYTES) {
        next = last;
        answer.setIncomplete(false);
        break;
      }
      answer.addTasks(task);
      last = view.id();
    }
    if (next != null) {
      answer.setNextPageToken(PageToken.of(next, request, query.states()));
    }
    TaskId examinedTo = next == null ? page.lookedDownTo() : next;
    if (answer.getIncomplete() && examinedTo != null) {
      answer.setExaminedTo(ProtoTime.of(acceptedAt(examinedTo)));
    }
    return answer.build();
  }

  /** An id begins with the time at which it was made. */
  private static Instant acceptedAt(TaskId id) {
    return Instant.ofEpochMilli(id.value().getMostSignificantBits() >>> Short.SIZE);
  }
}
