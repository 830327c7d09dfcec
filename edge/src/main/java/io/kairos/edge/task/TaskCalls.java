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
import io.kairos.edge.task.TaskDesk.TaskPlan;
import io.kairos.engine.task.port.InsertResult;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Serves applications' calls about tasks. Called on the connections' threads. Scheduling is
 * asynchronous and stays there; calls that wait for the store move to another thread.
 */
public final class TaskCalls implements BindableService {
  private final ReadyNode node;
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
    this.targets = new PoolTargets(node);
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
    var _ = node.get();
    if (request.hasTopic()) {
      store.answer(caller, () -> desk.toTopic(request));
    } else {
      schedule(desk.plan(request), caller);
    }
  }

  private void scheduleBatch(
      BatchScheduleTasksRequest request, StreamObserver<BatchScheduleTasksResponse> caller) {
    var _ = node.get();
    if (TopicCalls.isFor(request.getTasksList())) {
      store.answer(caller, () -> desk.toTopics(request));
    } else {
      schedule(desk.plan(request), caller);
    }
  }

  private <A> void schedule(TaskPlan<A> plan, StreamObserver<A> caller) {
    CallReply<InsertResult, A> reply = new CallReply<>(caller, plan.words());
    Set<PoolName> unknown = targets.unknown(plan.specs());
    Map<TaskId, Integer> awaited =
        PresentCaller.scope().isWhole() ? Map.of() : GraphRequests.stored(plan.specs());
    if (unknown.isEmpty() && awaited.isEmpty()) {
      schedule(plan, reply);
    } else {
      store.before(
          caller,
          () -> {
            targets.require(unknown, "pool.name");
            plan.tasks()
                .queuesOf(awaited.keySet())
                .forEach((id, queue) ->
                    PresentCaller.requireFound(
                        Kind.HANDLER,
                        queue.handler().wireName(),
                        plan.edge().apply(requireNonNull(awaited.get(id)))));
            schedule(plan, reply);
          });
    }
  }

  private <A> void schedule(TaskPlan<A> plan, CallReply<InsertResult, A> reply) {
    waiting.offer(
        plan.specs().size(), reply, answer -> plan.tasks().schedule(plan.specs(), answer));
  }

  /** The task is looked up first, because only its row says whether the caller may see it. */
  private void await(AwaitTaskRequest request, StreamObserver<AwaitTaskResponse> caller) {
    var _ = RequestFields.id("id", request.getId());
    Duration wait = TaskDesk.wait(request);
    var _ = node.get();
    LongPoll<AwaitTaskResponse, AwaitTaskResponse> poll =
        new LongPoll<>(caller, Function.identity(), _ -> {});
    AwaitedTask awaited = new AwaitedTask();
    poll.endsWithin(wait, awaited::end);
    Runnable look =
        () -> {
          try {
            desk.await(request, poll).ifPresent(awaited::begin);
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
