package io.kairos.inprocess;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.protobuf.Message;
import io.kairos.api.v1.Access.RequestSize;
import io.kairos.api.v1.AwaitTaskRequest;
import io.kairos.api.v1.AwaitTaskResponse;
import io.kairos.api.v1.BatchScheduleTasksRequest;
import io.kairos.api.v1.BatchScheduleTasksResponse;
import io.kairos.api.v1.HeartbeatRequest;
import io.kairos.api.v1.LeaveRequest;
import io.kairos.api.v1.LeaveResponse;
import io.kairos.api.v1.NextWorkRequest;
import io.kairos.api.v1.NextWorkResponse;
import io.kairos.api.v1.ScheduleTaskRequest;
import io.kairos.api.v1.ScheduleTaskResponse;
import io.kairos.api.v1.SetResultRequest;
import io.kairos.client.net.CallRefusal;
import io.kairos.client.net.LocalNode;
import io.kairos.edge.access.RequestSizes;
import io.kairos.edge.call.ReadyNode;
import io.kairos.edge.call.WordedAnswer;
import io.kairos.edge.caller.PresentCaller;
import io.kairos.edge.refusal.Refusals;
import io.kairos.edge.schedule.ScheduleDesks;
import io.kairos.edge.task.TaskDesk;
import io.kairos.edge.task.WorkerAnswers;
import io.kairos.edge.task.WorkerRequests;
import io.kairos.engine.loop.StepActivity;
import io.kairos.engine.task.edge.AnswerCallback;
import io.kairos.engine.task.edge.TaskEdge;
import io.kairos.node.NodeCore;
import io.kairos.node.ParkedWakeup;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The calls of this process to its own node: what a server does with them, without a door. Calls
 * that schedule, and those of workers, block nobody; those that wait for the store have a virtual
 * thread each, {@value #MOST_LOOKS} at a time. Thread-safe.
 */
final class InProcessNode implements LocalNode, AutoCloseable {
  /** As a server's: larger payloads belong beside the task. */
  private static final int MOST_PAYLOAD_BYTES = 1 << 20;

  private static final long MOST_BATCH_BYTES =
      RequestSizes.most(RequestSize.BATCH, MOST_PAYLOAD_BYTES);

  private static final int MOST_LOOKS = 64;

  private final TaskEdge tasks;
  private final TaskDesk desk;
  private final ScheduleDesks schedules;
  private final KnownHandlers handlers;
  private final Semaphore looks = new Semaphore(MOST_LOOKS);

  private final WaitEnds waits = new WaitEnds(NodeCore.MONOTONIC, new ParkedWakeup());
  private volatile boolean closed;

  InProcessNode(NodeCore core, ReadyNode ready, KnownHandlers handlers) {
    this.tasks = core.tasks();
    this.desk = new TaskDesk(ready, NodeCore.CLOCK, MOST_PAYLOAD_BYTES);
    this.schedules = new ScheduleDesks(ready, NodeCore.CLOCK, MOST_PAYLOAD_BYTES);
    this.handlers = handlers;
  }

  @Override
  public <A> void call(
      Object request, Class<A> answer, Consumer<A> answered, Consumer<CallRefusal> failed) {
    AnswerCallback<Object> caller =
        AnswerCallback.of(
            value -> answered.accept(answer.cast(value)),
            cause ->
                failed.accept(CallRefusal.ofStatus(Refusals.of(cause).status().toByteArray())));
    if (closed) {
      caller.failed(Refusals.notReady());
      return;
    }
    try {
      var _ =
          PresentCaller.inside(() -> {
            begin(request, caller);
            return true;
          });
    } catch (RuntimeException e) {
      caller.failed(e);
    }
  }

  /** Starts a virtual thread: many answers come at once, and each is handled at once. */
  @Override
  public Executor answers() {
    return action -> {
      var _ = Thread.ofVirtual().name("kairos-answer").start(action);
    };
  }

  /** The step of this node that ends waits. */
  StepActivity activity() {
    return waits.activity();
  }

  private void begin(Object request, AnswerCallback<Object> caller) {
    switch (request) {
      case ScheduleTaskRequest asked -> {
        handlers.require(asked);
        desk.schedule(asked, new WordedAnswer<ScheduleTaskResponse, Object>(caller, each -> each));
      }
      case BatchScheduleTasksRequest asked -> {
        if (asked.getSerializedSize() > MOST_BATCH_BYTES) {
          throw Refusals.tooLarge(MOST_BATCH_BYTES);
        }
        handlers.require(asked);
        desk.scheduleBatch(
            asked, new WordedAnswer<BatchScheduleTasksResponse, Object>(caller, each -> each));
      }
      case NextWorkRequest asked -> nextWork(asked, caller);
      case HeartbeatRequest asked ->
          Refusals.requireRoom(
              tasks.renew(
                  WorkerRequests.held(asked, tasks.lease()),
                  new WordedAnswer<>(caller, beaten -> WorkerAnswers.verdicts(beaten, true))));
      case SetResultRequest asked ->
          Refusals.requireRoom(
              tasks.report(
                  WorkerRequests.reports(asked),
                  new WordedAnswer<>(caller, ended -> WorkerAnswers.answers(ended, true))));
      case LeaveRequest asked -> {
        tasks.leave(WorkerRequests.leaving(asked), null);
        caller.answered(LeaveResponse.getDefaultInstance());
      }
      case AwaitTaskRequest asked -> look(caller, () -> await(asked, caller));
      default -> look(caller, () -> caller.answered(looked(request)));
    }
  }

  private void nextWork(NextWorkRequest asked, AnswerCallback<Object> worker) {
    EndedWait<NextWorkResponse> wait = new EndedWait<>(worker);
    TaskEdge.Waiting waiting =
        tasks.nextWork(
            WorkerRequests.work(asked),
            new WordedAnswer<>(
                wait, work -> WorkerAnswers.work(tasks.lease(), tasks.heartbeatInterval(), work)));
    wait.endsBy(waits.after(WorkerRequests.wait(asked), waiting::end));
  }

  private void await(AwaitTaskRequest asked, AnswerCallback<Object> caller) {
    EndedWait<AwaitTaskResponse> wait = new EndedWait<>(caller);
    Duration most = TaskDesk.wait(asked);
    desk.await(asked, wait).ifPresent(waiting -> wait.endsBy(waits.after(most, waiting::end)));
  }

  private Message looked(Object request) {
    handlers.requireOf(request);
    return desk.answer(request)
        .or(() -> schedules.answer(request))
        .orElseThrow(() -> Refusals.notInside(request.getClass().getSimpleName()));
  }

  /** Runs a call that waits for the store. */
  private void look(AnswerCallback<Object> caller, Runnable call) {
    if (!looks.tryAcquire()) {
      throw Refusals.tooMuch(
          "as many calls of this process ask the store as may at a time (%d); nothing has been done: make fewer at a time"
              .formatted(MOST_LOOKS));
    }
    var _ =
        Thread.ofVirtual()
            .name("kairos-call")
            .start(() -> {
              try {
                var _ =
                    PresentCaller.inside(() -> {
                      call.run();
                      return true;
                    });
              } catch (RuntimeException e) {
                caller.failed(e);
              } catch (Throwable e) { // whoever calls would wait for ever
                caller.failed(new IllegalStateException("an error in a call", e));
              } finally {
                looks.release();
              }
            });
  }

  /** Refuses calls; whoever waits has been answered before, as the node has sent all away. */
  @Override
  public void close() {
    closed = true;
  }

  /** A caller who waits, until an answer or the end of the time. */
  private static final class EndedWait<A> implements AnswerCallback<A> {
    private final AnswerCallback<Object> caller;

    @GuardedBy("this")
    private boolean answered;

    /** Null until the wait has begun. */
    @GuardedBy("this")
    private @Nullable Runnable end;

    EndedWait(AnswerCallback<Object> caller) {
      this.caller = caller;
    }

    void endsBy(Runnable newEnd) {
      boolean over;
      synchronized (this) {
        end = newEnd;
        over = answered;
      }
      if (over) {
        newEnd.run();
      }
    }

    private void over() {
      Runnable present;
      synchronized (this) {
        answered = true;
        present = end;
      }
      if (present != null) {
        present.run();
      }
    }

    @Override
    public void answered(A value) {
      over();
      caller.answered(value);
    }

    @Override
    public void failed(RuntimeException cause) {
      over();
      caller.failed(cause);
    }
  }
}
