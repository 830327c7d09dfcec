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
import io.kairos.api.v1.Access.Kind;
import io.kairos.api.v1.AwaitTaskRequest;
import io.kairos.api.v1.AwaitTaskResponse;
import io.kairos.api.v1.BatchScheduleTasksRequest;
import io.kairos.api.v1.BatchScheduleTasksResponse;
import io.kairos.api.v1.ScheduleTaskRequest;
import io.kairos.api.v1.ScheduleTaskResponse;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.edge.call.CallReply;
import io.kairos.edge.call.ReadyNode;
import io.kairos.edge.call.StoreCalls;
import io.kairos.edge.call.WaitingItems;
import io.kairos.edge.caller.PresentCaller;
import io.kairos.edge.refusal.Refusals;
import io.kairos.engine.task.edge.TaskEdge;
import io.kairos.engine.task.edge.TaskSpec;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.operator.TaskView;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * Serves applications' calls about tasks. Called on the connections' threads. Scheduling is
 * asynchronous and stays there; calls that wait for the store move to another thread.
 */
public final class TaskCalls implements BindableService {
  private final ReadyNode node;
  private final TaskRequests requests;
  private final TopicCalls topics;
  private final StoreCalls store;
  private final WaitingItems waiting;
  private final PoolTargets targets;
  private final TaskDesk desk;

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
    this.desk = new TaskDesk(node, clock, maxPayloadBytes);
  }

  @Override
  public ServerServiceDefinition bindService() {
    return ServerServiceDefinition.builder(getServiceDescriptor())
        .addMethod(getScheduleTaskMethod(), asyncUnaryCall(this::schedule))
        .addMethod(getBatchScheduleTasksMethod(), asyncUnaryCall(this::scheduleBatch))
        .addMethod(getGetTaskMethod(), store.unary(desk::get))
        .addMethod(getAwaitTaskMethod(), asyncUnaryCall(this::await))
        .addMethod(getGetTaskGraphMethod(), store.unary(desk::graph))
        .addMethod(getCancelTaskGraphMethod(), store.unary(desk::cancelGraph))
        .addMethod(getCancelTaskMethod(), store.unary(desk::cancel))
        .addMethod(getRescheduleTaskMethod(), store.unary(desk::reschedule))
        .addMethod(getListTasksMethod(), store.unary(desk::list))
        .addMethod(getCancelTasksMethod(), store.unary(desk::cancelMany))
        .addMethod(getRescheduleTasksMethod(), store.unary(desk::rescheduleMany))
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

  /** The task is looked up first, because only its row says whether the caller may see it. */
  private void await(AwaitTaskRequest request, StreamObserver<AwaitTaskResponse> caller) {
    TaskId id = RequestFields.id("id", request.getId());
    Duration wait = TaskDesk.wait(request);
    TaskEdge tasks = node.get();
    String name = PresentCaller.nameOrAddress();
    LongPoll<Optional<TaskView>, AwaitTaskResponse> poll =
        new LongPoll<>(caller, TaskAnswers::awaited, _ -> {});
    AwaitedTask awaited = new AwaitedTask();
    poll.endsWithin(wait, awaited::end);
    Runnable look =
        () -> {
          try {
            TaskView view = tasks.find(id, false).orElseThrow(Refusals::unknownTask);
            TaskDesk.requireFound(view);
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
}
