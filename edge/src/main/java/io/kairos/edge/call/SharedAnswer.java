package io.kairos.edge.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.kairos.edge.call.StoreCalls;
import io.kairos.edge.refusal.CallRefusals;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An answer that is computed at most once in five seconds, however many ask, and only when somebody
 * asks. All who ask while it is computed get the result, as do those who ask soon after. One that
 * took long is kept for twenty times as long, at most half a minute, so that computing it takes a
 * twentieth of a core. A refusal and a stopgap are kept for a second; a refusal because the caller
 * asks too much is not kept, for it says nothing about the next one. Thread-safe.
 */
public final class SharedAnswer<A> {
  private static final Duration KEPT = Duration.ofSeconds(5);
  private static final Duration LONGEST_KEPT = Duration.ofSeconds(30);
  private static final Duration REFUSAL_KEPT = Duration.ofSeconds(1);
  private static final int TIMES_KEPT = 20;

  private final StoreCalls store;
  private final InstantSource clock;
  private final Supplier<A> computation;
  private final Predicate<A> isStopgap;

  @GuardedBy("this")
  private @Nullable Computed<A> latest;

  /** The latest time that an answer took. */
  @GuardedBy("this")
  private Duration took = Duration.ZERO;

  private record Computed<A>(CompletableFuture<A> answer, Instant since) {
    private boolean isFresh(Instant now, Duration took, Predicate<A> isStopgap) {
      if (!answer.isDone()) {
        return true;
      }
      boolean isBrief = answer.isCompletedExceptionally() || isStopgap.test(answer.join());
      Instant until = since.plus(isBrief ? REFUSAL_KEPT : kept(took));
      return !now.isBefore(since) && now.isBefore(until);
    }

    private static Duration kept(Duration took) {
      Duration shared = took.multipliedBy(TIMES_KEPT);
      Duration kept = shared.compareTo(KEPT) > 0 ? shared : KEPT;
      return kept.compareTo(LONGEST_KEPT) < 0 ? kept : LONGEST_KEPT;
    }
  }

  /**
   * @param computation blocks on the store
   * @param isStopgap true for an answer that stands in for a better one
   */
  public SharedAnswer(
      StoreCalls store, InstantSource clock, Supplier<A> computation, Predicate<A> isStopgap) {
    this.store = store;
    this.clock = clock;
    this.computation = computation;
    this.isStopgap = isStopgap;
  }

  /** Answers a caller, now or when the answer is there. */
  public void to(StreamObserver<A> caller) {
    CompletableFuture<A> answer;
    boolean isOwn = false;
    synchronized (this) {
      Instant now = clock.instant();
      Computed<A> known = latest;
      if (known != null && known.isFresh(now, took, isStopgap)) {
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
      store.answer(new Completion(answer), this::timed);
    } catch (RuntimeException e) {
      refuse(answer, e);
    }
  }

  private void refuse(CompletableFuture<A> answer, Throwable refusal) {
    if (Status.fromThrowable(refusal).getCode() == Status.Code.RESOURCE_EXHAUSTED) {
      synchronized (this) {
        latest = null;
      }
    }
    var _ = answer.completeExceptionally(refusal);
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
  private final class Completion implements StreamObserver<A> {
    private final CompletableFuture<A> answer;

    private Completion(CompletableFuture<A> answer) {
      this.answer = answer;
    }

    @Override
    public void onNext(A value) {
      var _ = answer.complete(value);
    }

    @Override
    public void onError(Throwable refusal) {
      refuse(answer, refusal);
    }

    @Override
    public void onCompleted() {
      // the answer was complete before
    }
  }
}
