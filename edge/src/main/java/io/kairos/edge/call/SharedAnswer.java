package io.kairos.edge.call;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.kairos.engine.task.edge.AnswerCallback;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An answer that is computed once for many callers, on the thread of one call, and only when
 * somebody asks. All who ask while it is computed get the result, as do those who ask soon after.
 * One that took long is kept for twenty times as long, at most half a minute, so that computing it
 * takes a twentieth of a core. A refusal and a stopgap are kept for a second; a refusal because the
 * caller asks too much is not kept, for it says nothing about the next one. {@link Keeping} says
 * for how long answers count, and may let callers have the last answer while the next is computed.
 * Thread-safe.
 */
public final class SharedAnswer<A> {
  private static final Duration LONGEST_KEPT = Duration.ofSeconds(30);
  private static final Duration REFUSAL_KEPT = Duration.ofSeconds(1);
  private static final int TIMES_KEPT = 20;

  private final StoreCalls store;
  private final InstantSource clock;
  private final Supplier<A> computation;
  private final Keeping<A> keeping;

  @GuardedBy("this")
  private @Nullable Computed<A> latest;

  /** The last whole one before {@link #latest}; a failed attempt to renew it does not count. */
  @GuardedBy("this")
  private @Nullable Computed<A> previous;

  /** The latest time that an answer took. */
  @GuardedBy("this")
  private Duration took = Duration.ZERO;

  /**
   * For how long answers count.
   *
   * @param shortest how long an answer is kept at least
   * @param whileRenewed how old an answer may be that callers get while the next is computed; zero
   *     lets them wait for the next
   * @param isStopgap true for an answer that stands in for a better one
   */
  public record Keeping<A>(Duration shortest, Duration whileRenewed, Predicate<A> isStopgap) {
    private static final Duration FIVE_SECONDS = Duration.ofSeconds(5);

    /** At least five seconds; all wait for the next. */
    public static <A> Keeping<A> fiveSeconds() {
      return new Keeping<>(FIVE_SECONDS, Duration.ZERO, _ -> false);
    }

    /** Only as long as the time that it took demands; all wait for the next. */
    public static <A> Keeping<A> asItTook() {
      return new Keeping<>(Duration.ZERO, Duration.ZERO, _ -> false);
    }

    /** The same, with answers that stand in for better ones. */
    public Keeping<A> withStopgaps(Predicate<A> isStopgap) {
      return new Keeping<>(shortest, whileRenewed, isStopgap);
    }

    /** The same, where callers get one that is younger than this while the next is computed. */
    public Keeping<A> whileRenewed(Duration age) {
      return new Keeping<>(shortest, age, isStopgap);
    }

    private Duration kept(Duration took) {
      Duration shared = took.multipliedBy(TIMES_KEPT);
      Duration kept = shared.compareTo(shortest) > 0 ? shared : shortest;
      return kept.compareTo(LONGEST_KEPT) < 0 ? kept : LONGEST_KEPT;
    }
  }

  private record Computed<A>(CompletableFuture<A> answer, Instant since) {
    private boolean isFresh(Instant now, Duration took, Keeping<A> keeping) {
      return !answer.isDone()
          || isYounger(now, isWhole(keeping) ? keeping.kept(took) : REFUSAL_KEPT);
    }

    private boolean countsWhileRenewed(Instant now, Keeping<A> keeping) {
      return isWhole(keeping) && isYounger(now, keeping.whileRenewed);
    }

    /** Of one that is done. */
    private boolean isWhole(Keeping<A> keeping) {
      return !answer.isCompletedExceptionally() && !keeping.isStopgap.test(answer.join());
    }

    private boolean isYounger(Instant now, Duration age) {
      return !now.isBefore(since) && now.isBefore(since.plus(age));
    }
  }

  /**
   * @param computation blocks on the store
   */
  public SharedAnswer(
      StoreCalls store, InstantSource clock, Supplier<A> computation, Keeping<A> keeping) {
    this.store = store;
    this.clock = clock;
    this.computation = computation;
    this.keeping = keeping;
  }

  /** Answers a caller, now or when the answer is there. */
  public void to(StreamObserver<A> caller) {
    to(new CallReply<>(caller, answer -> answer));
  }

  /**
   * The same.
   *
   * @param caller called once, on the calling thread or on that of the call that computes; must not
   *     throw
   */
  public void to(AnswerCallback<A> caller) {
    Computed<A> known;
    CompletableFuture<A> answer;
    boolean isOwn = false;
    synchronized (this) {
      Instant now = clock.instant();
      known = latest;
      if (known == null || !known.isFresh(now, took, keeping)) {
        previous = known == null || !known.isWhole(keeping) ? previous : known;
        known = new Computed<>(new CompletableFuture<>(), now);
        latest = known;
        isOwn = true;
      }
      Computed<A> last = previous;
      boolean hasLast =
          !known.answer.isDone() && last != null && last.countsWhileRenewed(now, keeping);
      answer = last != null && hasLast ? last.answer : known.answer;
    }
    var _ =
        answer.whenComplete((value, refusal) -> {
          if (refusal == null) {
            caller.answered(value);
          } else {
            caller.failed(
                refusal instanceof RuntimeException e ? e : new IllegalStateException(refusal));
          }
        });
    if (isOwn) {
      compute(known.answer);
    }
  }

  private void compute(CompletableFuture<A> answer) {
    try {
      store.answer(new Completion(answer), this::timed);
    } catch (RuntimeException e) {
      refuse(answer, e);
    }
  }

  @SuppressWarnings("ReferenceEquality") // is it this very computation?
  private void refuse(CompletableFuture<A> answer, Throwable refusal) {
    if (Status.fromThrowable(refusal).getCode() == Status.Code.RESOURCE_EXHAUSTED) {
      synchronized (this) {
        Computed<A> now = latest;
        latest = now != null && now.answer == answer ? null : now;
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
