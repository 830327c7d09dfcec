package io.kairos.client.worker;

import com.google.protobuf.Timestamp;
import io.kairos.api.v1.Progress;
import io.kairos.api.v1.Work;
import io.kairos.client.encryption.EncryptedPayloads;
import io.kairos.client.encryption.MessageEncryption;
import io.kairos.client.handler.CancelReason;
import io.kairos.client.handler.TaskContext;
import io.kairos.client.task.TaskResult;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** An attempt that a test begins and cancels, for handlers of other packages. */
public final class TestAttempt {
  public static final String ID = "01890000-0000-7000-8000-000000000007";

  private final HandlerRun run;

  /**
   * @param key ordering key of the task; empty for none
   */
  public TestAttempt(String key, LongSupplier leaseLeftNanos) {
    this(ID, key, leaseLeftNanos);
  }

  public TestAttempt(String id, String key, LongSupplier leaseLeftNanos) {
    this(id, key, leaseLeftNanos, List.of());
  }

  /**
   * @param predecessors what the task has waited for
   */
  public TestAttempt(
      String id, String key, LongSupplier leaseLeftNanos, List<Work.Predecessor> predecessors) {
    this(id, key, leaseLeftNanos, predecessors, MessageEncryption.NONE);
  }

  /** The context of a task that has waited for these, and for more if there are. */
  public static TaskContext behind(boolean more, Work.Predecessor.Builder... predecessors) {
    Work.Builder work = Work.newBuilder().setId("01890000-0000-7000-8000-000000000008");
    List.of(predecessors).forEach(work::addPredecessors);
    return new HandlerRun(
        work.setMorePredecessors(more).build(),
        HandlerRegistration.missing("join"),
        "w1",
        () -> 1,
        MessageEncryption.NONE);
  }

  public TestAttempt(EncryptedPayloads payloads, Work.Predecessor predecessor) {
    this(ID, "", () -> 1, List.of(predecessor), MessageEncryption.of(payloads));
  }

  private TestAttempt(
      String id,
      String key,
      LongSupplier leaseLeftNanos,
      List<Work.Predecessor> predecessors,
      MessageEncryption encryption) {
    Work work =
        Work.newBuilder()
            .addAllPredecessors(predecessors)
            .setId(id)
            .setHandler("resize")
            .setFence(12)
            .setAttempt(3)
            .setPriority(50)
            .setRunAt(Timestamp.newBuilder().setSeconds(9))
            .setKey(key)
            .setCollection("import")
            .setTraceparent("00-a-b-01")
            .build();
    run =
        new HandlerRun(
            work, HandlerRegistration.missing("resize"), "w1", leaseLeftNanos, encryption);
  }

  /** What a node would be told next: the percentage and the note; null for nothing. */
  public @Nullable String progress() {
    Progress unsent = run.unsentProgress();
    return unsent == null ? null : unsent.getPercent() + " " + unsent.getNote();
  }

  public TaskContext context() {
    return run;
  }

  /** The value that the handler has set; null for none. */
  public @Nullable TaskResult result() {
    return run.givenResult();
  }

  /** Call it on the thread of the handler, which a cancel interrupts from then on. */
  public void begin() {
    run.begin();
  }

  public void cancel(CancelReason why) {
    run.cancel(why, Runnable::run);
  }
}
