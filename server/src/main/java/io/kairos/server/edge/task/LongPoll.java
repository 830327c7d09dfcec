package io.kairos.server.edge.task;

import io.grpc.stub.ServerCallStreamObserver;
import io.kairos.api.v1.NextWorkResponse;
import io.kairos.engine.task.Answer;
import io.kairos.engine.task.TaskEdge;
import io.kairos.engine.task.Work;
import io.kairos.engine.task.WorkRequest;
import io.kairos.server.edge.refusal.Refusals;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A worker that waits for work, without a thread: lives on the thread of its connection, and the
 * engine's answer comes there. Ends when there is work, when the wait is over, or when the worker
 * goes away.
 */
final class LongPoll implements Answer<List<Work>> {
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

  /** On the thread of the connection. */
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
  public void answered(List<Work> work) {
    thread.execute(() -> {
      if (!ends()) {
        return;
      }
      if (worker.isCancelled()) {
        tasks.giveBack(work);
      } else {
        worker.onNext(WorkerAnswers.work(tasks, work));
        worker.onCompleted();
      }
    });
  }

  @Override
  public void failed(RuntimeException cause) {
    thread.execute(() -> {
      if (ends()) {
        worker.onError(Refusals.of(cause));
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
