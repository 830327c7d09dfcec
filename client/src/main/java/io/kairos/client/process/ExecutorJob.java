package io.kairos.client.process;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.ByteString;
import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.Progress;
import io.kairos.api.v1.Result;
import io.kairos.api.v1.Task;
import io.kairos.api.v1.TaskResult;
import io.kairos.api.v1.Work;
import io.kairos.client.encryption.PayloadDecryptionException;
import io.kairos.client.handler.TaskContext;
import io.kairos.client.task.Predecessor;
import io.kairos.client.task.TaskState;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * One attempt that an executor process makes. The worker's thread waits for its end, which comes
 * once: with the executor's report, or with the end of the executor's process. Thread-safe.
 */
final class ExecutorJob {
  private final TaskContext context;
  private final Work work;
  private final CountDownLatch ended = new CountDownLatch(1);
  // Written before the latch opens; the fate also by the thread that kills the process.
  private volatile @Nullable Result reported;
  private volatile String fate = "";
  private volatile boolean cancelRequested;

  ExecutorJob(byte[] payload, TaskContext context) {
    this.context = context;
    this.work =
        Work.newBuilder()
            .setId(context.taskId().toString())
            .setFence(context.fence())
            .setHandler(context.handler())
            .setPriority(context.priority())
            .setAttempt(context.attempt())
            .setRunAt(ProtoTime.of(context.dueAt()))
            .setPayload(ByteString.copyFrom(payload))
            .setTraceparent(context.traceparent().orElse(""))
            .setKey(context.key().orElse(""))
            .setCollection(context.collection().orElse(""))
            .addAllPredecessors(
                context.predecessors().stream().map(ExecutorJob::predecessor).toList())
            .setMorePredecessors(context.hasMorePredecessors())
            .build();
  }

  private static Work.Predecessor predecessor(Predecessor given) {
    Work.Predecessor.Builder wire =
        Work.Predecessor.newBuilder()
            .setId(given.id().toString())
            .setHandler(given.handler())
            .setState(
                given.state() == TaskState.OTHER
                    ? Task.State.STATE_UNSPECIFIED
                    : Task.State.valueOf(given.state().name()))
            .setBatch(given.isBatch())
            .setResultBytes(given.resultBytes());
    try {
      given
          .result()
          .ifPresent(result ->
              wire.setResult(
                  TaskResult.newBuilder()
                      .setValue(ByteString.copyFrom(result.value()))
                      .setContentType(result.contentType())));
    } catch (PayloadDecryptionException e) {
      // The executor may do without it, and hears that it is left out.
    }
    return wire.build();
  }

  Work work() {
    return work;
  }

  boolean is(String id, long fence) {
    return work.getId().equals(id) && work.getFence() == fence;
  }

  /** True when the lease of the task lasts for at least this time. */
  boolean holdsFor(Duration time) {
    return context.leaseLeft().compareTo(time) >= 0;
  }

  /** Requests a cancel; the executor is notified with its next heartbeat. */
  void requestCancel() {
    cancelRequested = true;
  }

  boolean isCancelRequested() {
    return cancelRequested;
  }

  /** Sets the reason of an end without a report of the executor. The first reason stays. */
  void doom(String why) {
    if (fate.isEmpty()) {
      fate = why;
    }
  }

  void report(Result result) {
    reported = result;
    ended.countDown();
  }

  /** Passes on what the executor says of its progress. */
  void progress(Progress said) {
    context.progress(said.getPercent(), said.getNote());
  }

  /** Passes on the value that the executor has reported, if any. */
  void succeeded(Result.Success success) {
    if (success.hasResult()) {
      TaskResult value = success.getResult();
      ByteString bytes =
          value.hasText()
              ? value.getTextBytes()
              : value.hasJson() ? value.getJsonBytes() : value.getValue();
      context.result(
          io.kairos.client.task.TaskResult.of(bytes.toByteArray(), value.getContentType()));
    }
  }

  /** Ends the job because no process performs it any more. */
  void over(String unlessDoomed) {
    doom(unlessDoomed);
    ended.countDown();
  }

  void await() throws InterruptedException {
    ended.await();
  }

  /** Report of the executor, after the end of the job; null when there is none. */
  @Nullable Result reported() {
    return reported;
  }

  /** Reason of an end without a report. */
  String fate() {
    return requireNonNull(fate);
  }
}
