package io.kairos.client.process;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import io.kairos.api.v1.Result;
import io.kairos.api.v1.Work;
import io.kairos.client.worker.TaskContext;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * One attempt that an executor process makes. The worker's thread waits for its end, which comes
 * once: by what the executor reports, or with the executor's process. Thread-safe.
 */
final class Job {
  private final TaskContext context;
  private final Work work;
  private final CountDownLatch ended = new CountDownLatch(1);
  // Written before the end, or by whoever kills the process, before that.
  private volatile @Nullable Result reported;
  private volatile String fate = "";
  private volatile boolean cancelRequested;

  Job(byte[] payload, TaskContext context) {
    this.context = context;
    Instant dueAt = context.dueAt();
    this.work =
        Work.newBuilder()
            .setId(context.taskId().toString())
            .setFence(context.fence())
            .setHandler(context.handler())
            .setPriority(context.priority())
            .setAttempt(context.attempt())
            .setRunAt(
                Timestamp.newBuilder().setSeconds(dueAt.getEpochSecond()).setNanos(dueAt.getNano()))
            .setPayload(ByteString.copyFrom(payload))
            .setTraceparent(context.traceparent().orElse(""))
            .setKey(context.key().orElse(""))
            .setCollection(context.collection().orElse(""))
            .build();
  }

  Work work() {
    return work;
  }

  boolean is(String id, long fence) {
    return work.getId().equals(id) && work.getFence() == fence;
  }

  /** Whether nobody else can claim the task for so long. */
  boolean holdsFor(Duration time) {
    return context.leaseLeft().compareTo(time) >= 0;
  }

  /** The executor hears of it with its next heartbeat. */
  void requestCancel() {
    cancelRequested = true;
  }

  boolean isCancelRequested() {
    return cancelRequested;
  }

  /** Why it is about to end without a word of its executor. The first reason stays. */
  void doom(String why) {
    if (fate.isEmpty()) {
      fate = why;
    }
  }

  void report(Result result) {
    reported = result;
    ended.countDown();
  }

  /** Nothing performs it any more. */
  void over(String unlessDoomed) {
    doom(unlessDoomed);
    ended.countDown();
  }

  void await() throws InterruptedException {
    ended.await();
  }

  /** When it has ended: what the executor said, or null. */
  @Nullable Result reported() {
    return reported;
  }

  /** When it has ended without a word: why. */
  String fate() {
    return requireNonNull(fate);
  }
}
