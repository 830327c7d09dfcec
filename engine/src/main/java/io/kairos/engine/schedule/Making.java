package io.kairos.engine.schedule;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.Header;
import io.kairos.domain.delay.HeaderCodec;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.pool.PushRequest;
import io.kairos.domain.schedule.fire.Definition;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.schedule.fire.OverlapPolicy;
import io.kairos.domain.schedule.fire.Schedule;
import io.kairos.domain.schedule.fire.Target;
import io.kairos.domain.schedule.fire.Verdict;
import io.kairos.domain.task.HandlerName;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.schedule.port.Deed;
import io.kairos.engine.schedule.port.Due;
import io.kairos.engine.schedule.port.Fired;
import io.kairos.engine.task.Inlet;
import io.kairos.engine.task.port.Arrival;
import io.kairos.engine.task.port.NewTask;
import io.kairos.engine.task.port.Receipt;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes tasks and messages of what was decided in one call of the store, and sees to it that the
 * tasks get into this node's memory where its workers wait for them. One object for one call.
 */
final class Making {
  /** On messages, beside the headers of the target. */
  static final String EXECUTION_ID = "kairos-execution-id";

  /** Of the ordering key under which runs follow each other. */
  private static final String KEY_PREFIX = "schedule:";

  private final Inlet inlet;
  private final String timeZoneRules;
  private final List<Arrival> arrivals = new ArrayList<>();
  private int runs;
  private long bytes;

  Making(Inlet inlet, String timeZoneRules) {
    this.inlet = inlet;
    this.timeZoneRules = timeZoneRules;
  }

  /**
   * @param due whose target is fired at
   * @param overlap by which it was decided
   */
  Deed deed(Due due, Verdict verdict, OverlapPolicy overlap, Instant now) {
    return deed(due, verdict, overlap, now, false);
  }

  Deed deed(Due due, Verdict verdict, OverlapPolicy overlap, Instant now, boolean remove) {
    List<Arrival> tasks = new ArrayList<>();
    List<DelayedMessage> messages = new ArrayList<>();
    for (LedgerEntry entry : verdict.entries()) {
      TaskId run = entry.run();
      Instant runAt = entry.runAt();
      if (run != null && runAt != null) {
        runs++;
        bytes += due.schedule().definition().target().bytes();
        switch (due.schedule().definition().target()) {
          case Target.Handler handler -> {
            Arrival task = task(due, handler, overlap, entry, now);
            arrivals.add(task); // at once: whatever happens to the next, its room is given back
            tasks.add(task);
          }
          case Target.Topic topic -> messages.add(message(topic, run, runAt));
        }
      }
    }
    boolean isLookedAt = !verdict.after().progress().equals(due.schedule().progress());
    return new Deed(verdict, tasks, messages, isLookedAt ? timeZoneRules : null, remove);
  }

  /** What the worker gets; a request to a pool says which fire it is. */
  private static byte[] payload(Due due, Target.Handler target, LedgerEntry entry) {
    if (target.queue().handler() instanceof HandlerName) {
      return target.details().payload();
    }
    return PushRequest.decode(target.details().payload())
        .firedBy(
            new PushRequest.Fire(due.schedule().name().value(), EpochMicros.of(entry.fireAt())))
        .encode();
  }

  private Arrival task(
      Due due, Target.Handler target, OverlapPolicy overlap, LedgerEntry entry, Instant now) {
    Instant runAt = requireNonNull(entry.runAt());
    Definition definition = due.schedule().definition();
    Duration deadline = definition.policies().deadline();
    Instant counted = runAt.isAfter(now) ? runAt : now;
    NewTask task =
        new NewTask(
            requireNonNull(entry.run()),
            requireNonNull(due.queue(), "a handler without a queue"),
            EpochMicros.of(runAt),
            new TaskDetails(
                payload(due, target, entry),
                target.details().retryPolicy(),
                target.details().executionTimeout(),
                key(due.schedule(), target, overlap),
                target.details().collection(),
                deadline == null ? null : (Long) EpochMicros.of(counted.plus(deadline)),
                null),
            due.schedule().id());
    return new Arrival(task, inlet.reserve(task, EpochMicros.of(now)));
  }

  /** The application's own key brings turns as well, among more than the runs of the schedule. */
  private static @Nullable OrderingKey key(
      Schedule schedule, Target.Handler target, OverlapPolicy overlap) {
    return target.details().key() == null && overlap.inTurn()
        ? new OrderingKey(KEY_PREFIX + schedule.id())
        : target.details().key();
  }

  private static DelayedMessage message(Target.Topic target, TaskId run, Instant runAt) {
    List<Header> headers = new ArrayList<>(HeaderCodec.decode(target.headers()));
    headers.add(new Header(EXECUTION_ID, run.toString().getBytes(StandardCharsets.US_ASCII)));
    return new DelayedMessage(
        target.route(),
        new MessageId(run.toString()),
        EpochMicros.of(runAt),
        target.topic(),
        HeaderCodec.encode(headers),
        target.key(),
        target.value());
  }

  int runs() {
    return runs;
  }

  long bytes() {
    return bytes;
  }

  /** Makes the call that stores them, and asks for them within. */
  <T> T storing(Supplier<T> call) {
    return inlet.storing(call, () -> arrivals);
  }

  /** What was stored. */
  void done(Fired fired, Instant now) {
    List<Arrival> stored = new ArrayList<>();
    List<Receipt> receipts = new ArrayList<>();
    Map<TaskId, Receipt> byId = fired.receipts();
    for (Arrival arrival : arrivals) {
      Receipt receipt = byId.get(arrival.task().id());
      if (receipt == null) {
        inlet.notStored(List.of(arrival));
      } else {
        stored.add(arrival);
        receipts.add(receipt);
      }
    }
    if (!stored.isEmpty()) {
      inlet.stored(stored, receipts, EpochMicros.of(now));
    }
  }
}
