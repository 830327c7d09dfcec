package io.kairos.edge.task;

import io.grpc.stub.ServerCallStreamObserver;
import io.kairos.api.v1.NextWorkResponse;
import io.kairos.edge.refusal.CallRefusals;
import io.kairos.engine.task.edge.AnswerCallback;
import io.kairos.engine.task.edge.ClaimedTask;
import io.kairos.engine.task.edge.TaskEdge;
import io.kairos.engine.task.edge.WorkRequest;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A worker that waits for work. Needs no thread of its own: the engine's answer is handled on the
 * event loop of the worker's connection. The wait ends when there is work, when the time is over,
 * or when the worker disconnects.
 */
final class LongPoll implements AnswerCallback<List<ClaimedTask>> {
  private final TaskEdge tasks;
  private final ServerCallStreamObserver<NextWorkResponse> worker;
  private final EventLoop thread;
  private boolean ended;
  private @Nullable ScheduledFuture<?> end;

  private LongPoll(
      TaskEdge tasks, ServerCallStreamObserver<NextWorkResponse> worker, EventLoop thread) {
    this.tasks = tasks;
    this.worker = worker;
    this.thread = thread;
  }

  /** Called on the event loop of the connection. */
  static void begin(
      TaskEdge tasks,
      WorkRequest request,
      Duration wait,
      ServerCallStreamObserver<NextWorkResponse> worker,
      EventLoop thread) {
    LongPoll poll = new LongPoll(tasks, worker, thread);
    TaskEdge.Waiting waiting = tasks.nextWork(request, poll);
    worker.setOnCancelHandler(waiting::end);
    poll.end = thread.schedule(waiting::end, wait.toNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public void answered(List<ClaimedTask> work) {
    thread.execute(() -> {
      if (!ends()) {
        return;
      }
      if (worker.isCancelled()) {
        tasks.giveBack(work);
      } else {
        worker.onNext(WorkerAnswers.work(tasks.lease(), tasks.heartbeatInterval(), work));
        worker.onCompleted();
      }
    });
  }

  @Override
  public void failed(RuntimeException cause) {
    thread.execute(() -> {
      if (ends()) {
        worker.onError(CallRefusals.of(cause));
      }
    });
  }

  private boolean ends() {
    boolean first = !ended;
    ended = true;
    if (end != null) {
      end.cancel(false);
    }
    return first;
  }
}
