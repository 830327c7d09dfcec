package io.kairos.edge.task;

import com.google.protobuf.Message;
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
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.time.EpochMicros;
import io.kairos.edge.call.PageToken;
import io.kairos.edge.call.ReadyNode;
import io.kairos.edge.call.WordedAnswer;
import io.kairos.edge.caller.CallerScope;
import io.kairos.edge.caller.PresentCaller;
import io.kairos.edge.refusal.InvalidField;
import io.kairos.edge.refusal.Refusals;
import io.kairos.engine.task.edge.AnswerCallback;
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
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * What the calls about tasks do, for any door and for none. A call waits for the store on its
 * caller's thread, but for what is answered later. Thread-safe.
 */
public final class TaskDesk {
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
  private final PoolTargets targets;

  /** The calls of one node. */
  public TaskDesk(ReadyNode node, InstantSource clock, int maxPayloadBytes) {
    this.node = node;
    this.requests = new TaskRequests(clock, maxPayloadBytes);
    this.topics = new TopicCalls(node, clock, maxPayloadBytes);
    this.targets = new PoolTargets(node);
  }

  /** Schedules a task; answered when it is stored. */
  public void schedule(ScheduleTaskRequest request, AnswerCallback<ScheduleTaskResponse> caller) {
    TaskEdge tasks = node.get();
    if (request.hasTopic()) {
      caller.answered(ScheduleTaskResponse.newBuilder().setId(topics.one(request)).build());
      return;
    }
    List<TaskSpec> specs = requests.one(request);
    IntFunction<String> edge = nth -> GraphRequests.idField(specs, false, nth);
    schedule(tasks, specs, caller, result -> TaskAnswers.scheduled(result, edge));
  }

  /** Schedules tasks, all or none; answered when they are stored. */
  public void scheduleBatch(
      BatchScheduleTasksRequest request, AnswerCallback<BatchScheduleTasksResponse> caller) {
    TaskEdge tasks = node.get();
    if (TopicCalls.isFor(request.getTasksList())) {
      BatchScheduleTasksResponse.Builder answer = BatchScheduleTasksResponse.newBuilder();
      topics.all(request.getTasksList()).forEach(id -> answer.addTasksBuilder().setId(id));
      caller.answered(answer.build());
      return;
    }
    List<TaskSpec> specs = requests.batch(request);
    IntFunction<String> edge = nth -> GraphRequests.idField(specs, true, nth);
    schedule(tasks, specs, caller, result -> TaskAnswers.scheduledAll(result, edge));
  }

  private <A> void schedule(
      TaskEdge tasks,
      List<TaskSpec> specs,
      AnswerCallback<A> caller,
      Function<InsertResult, A> words) {
    targets.require(targets.unknown(specs), "pool.name");
    Refusals.requireRoom(tasks.schedule(specs, new WordedAnswer<>(caller, words)));
  }

  /**
   * Waits for a task to end.
   *
   * @return ends the wait, which is then answered without the task; empty for one that has ended
   */
  public Optional<TaskEdge.Waiting> await(
      AwaitTaskRequest request, AnswerCallback<AwaitTaskResponse> caller) {
    TaskId id = RequestFields.id("id", request.getId());
    TaskEdge tasks = node.get();
    TaskView view = tasks.find(id, false).orElseThrow(Refusals::unknownTask);
    requireFound(view);
    AnswerCallback<Optional<TaskView>> ended = new WordedAnswer<>(caller, TaskAnswers::awaited);
    if (view.state().isFinished()) {
      ended.answered(tasks.find(id).map(TaskView::withoutPayload));
      return Optional.empty();
    }
    return Optional.of(tasks.await(id, PresentCaller.nameOrAddress(), ended));
  }

  /** Answers a call that only waits for the store; empty for another one. */
  public Optional<Message> answer(Object request) {
    return Optional.ofNullable(
        switch (request) {
          case GetTaskRequest asked -> get(asked);
          case GetTaskGraphRequest asked -> graph(asked);
          case CancelTaskGraphRequest asked -> cancelGraph(asked);
          case CancelTaskRequest asked -> cancel(asked);
          case RescheduleTaskRequest asked -> reschedule(asked);
          case ListTasksRequest asked -> list(asked);
          case CancelTasksRequest asked -> cancelMany(asked);
          case RescheduleTasksRequest asked -> rescheduleMany(asked);
          default -> null;
        });
  }

  /** How long a call may wait for a task to end. */
  public static Duration wait(AwaitTaskRequest request) {
    return RequestFields.duration(request, "wait", LONGEST_WAIT, DEFAULT_WAIT);
  }

  public Task get(GetTaskRequest request) {
    TaskId id = RequestFields.id("id", request.getId());
    Optional<TaskView> view = node.get().find(id, !request.getWithoutPayload());
    view.ifPresent(TaskDesk::requireFound);
    if (view.isPresent()) {
      return TaskAnswers.whole(view.get());
    }
    Task letter = topics.letter(id);
    return request.getWithoutPayload() ? letter.toBuilder().clearPayload().build() : letter;
  }

  public ChangeTasksResponse cancelMany(CancelTasksRequest request) {
    return TaskAnswers.changed(node.get().change(ChangeRequests.cancel(request)));
  }

  public ChangeTasksResponse rescheduleMany(RescheduleTasksRequest request) {
    return TaskAnswers.changed(
        node.get().change(ChangeRequests.reschedule(request, requests.clock().instant())));
  }

  static void requireFound(TaskView view) {
    PresentCaller.requireFound(Kind.HANDLER, view.queue().handler().wireName(), "id");
  }

  /** Looks at the task only for a caller who may use some names only. */
  private void requireFound(TaskId id) {
    if (!PresentCaller.scope().isWhole()) {
      node.get().find(id, false).ifPresent(TaskDesk::requireFound);
    }
  }

  public CancelTaskResponse cancel(CancelTaskRequest request) {
    TaskId id = RequestFields.id("id", request.getId());
    requireFound(id);
    CancelResult result = node.get().cancel(id);
    return TaskAnswers.cancelled(result == CancelResult.UNKNOWN ? topics.cancel(id) : result);
  }

  public TaskGraph graph(GetTaskGraphRequest request) {
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
      throw Refusals.unknownTask();
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
  public CancelTaskGraphResponse cancelGraph(CancelTaskGraphRequest request) {
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

  public Task reschedule(RescheduleTaskRequest request) {
    TaskId id = RequestFields.id("id", request.getId());
    long dueMicros = requests.due(request);
    requireFound(id);
    boolean moved = node.get().reschedule(id, dueMicros);
    Optional<TaskView> view = node.get().find(id, false);
    if (view.isEmpty()) {
      return topics.reschedule(id, dueMicros, TaskAnswers.timestamp(dueMicros));
    }
    if (!moved) {
      throw Refusals.notInState(whyNotMoved(view.get(), dueMicros));
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
  public ListTasksResponse list(ListTasksRequest request) {
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
