package io.kairos.edge.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.grpc.stub.StreamObserver;
import io.kairos.edge.call.StoreCalls;
import io.kairos.edge.refusal.CallRefusals;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An answer that is computed at most once in five seconds, however many ask, and only when somebody
 * asks. Who asks while it is computed gets the result, as does who asks soon after. One that took
 * long is kept for twenty times as long, so that computing it takes a twentieth of a core; a
 * refusal is kept for a second. Thread-safe.
 */
public final class SharedAnswer<A> {
  private static final Duration KEPT = Duration.ofSeconds(5);
  private static final Duration REFUSAL_KEPT = Duration.ofSeconds(1);
  private static final int TIMES_KEPT = 20;

  private final StoreCalls store;
  private final InstantSource clock;
  private final Supplier<A> computation;

  @GuardedBy("this")
  private @Nullable Computed<A> latest;

  /** The latest time that an answer took. */
  @GuardedBy("this")
  private Duration took = Duration.ZERO;

  private record Computed<A>(CompletableFuture<A> answer, Instant since) {
    private boolean isFresh(Instant now, Duration took) {
      if (!answer.isDone()) {
        return true;
      }
      Duration shared = took.multipliedBy(TIMES_KEPT);
      Duration kept = shared.compareTo(KEPT) > 0 ? shared : KEPT;
      Instant until = since.plus(answer.isCompletedExceptionally() ? REFUSAL_KEPT : kept);
      return !now.isBefore(since) && now.isBefore(until);
    }
  }

  /**
   * @param computation blocks on the store
   */
  public SharedAnswer(StoreCalls store, InstantSource clock, Supplier<A> computation) {
    this.store = store;
    this.clock = clock;
    this.computation = computation;
  }

  /** Answers a caller, now or when the answer is there. */
  public void to(StreamObserver<A> caller) {
    CompletableFuture<A> answer;
    boolean isOwn = false;
    synchronized (this) {
      Instant now = clock.instant();
      Computed<A> known = latest;
      if (known != null && known.isFresh(now, took)) {
        answer = known.answer;
      } else {
        answer = new CompletableFuture<>();
        latest = new Computed<>(answer, now);
        isOwn = true;
      }
    }
    var _ =
        answer.whenComplete((value, refusal) -> {
          if (refusal == null) {
            caller.onNext(value);
            caller.onCompleted();
          } else {
            caller.onError(CallRefusals.of(refusal));
          }
        });
    if (isOwn) {
      compute(answer);
    }
  }

  private void compute(CompletableFuture<A> answer) {
    try {
      store.answer(new Completion<>(answer), this::timed);
    } catch (RuntimeException e) {
      var _ = answer.completeExceptionally(e);
    }
  }

  private A timed() {
    Instant begun = clock.instant();
    A value = computation.get();
    Duration length = Duration.between(begun, clock.instant());
    synchronized (this) {
      took = length;
    }
    return value;
  }

  /** Passes what a call answers to those who wait. */
  private record Completion<A>(CompletableFuture<A> answer) implements StreamObserver<A> {
    @Override
    public void onNext(A value) {
      var _ = answer.complete(value);
    }

    @Override
    public void onError(Throwable refusal) {
      var _ = answer.completeExceptionally(refusal);
    }

    @Override
    public void onCompleted() {
      // the answer was complete before
    }
  }
}
