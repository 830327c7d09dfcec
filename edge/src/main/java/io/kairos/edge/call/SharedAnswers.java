package io.kairos.edge.call;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.grpc.stub.StreamObserver;
import io.kairos.edge.call.SharedAnswer.Keeping;
import io.kairos.engine.task.edge.AnswerCallback;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * A {@link SharedAnswer} for each of the {@value #MOST} questions that were asked last. A question
 * beyond them takes the place of the one that was asked longest ago, whose callers are answered all
 * the same. Thread-safe.
 *
 * @param <Q> equal for equal questions
 */
public final class SharedAnswers<Q, A> {
  private static final int MOST = 16;

  private final StoreCalls store;
  private final InstantSource clock;
  private final Function<Q, A> computation;
  private final Keeping<A> keeping;

  @GuardedBy("this")
  private final Map<Q, SharedAnswer<A>> answers =
      new LinkedHashMap<>(MOST, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Q, SharedAnswer<A>> eldest) {
          return size() > MOST;
        }
      };

  /**
   * @param computation blocks on the store
   */
  public SharedAnswers(
      StoreCalls store, InstantSource clock, Function<Q, A> computation, Keeping<A> keeping) {
    this.store = store;
    this.clock = clock;
    this.computation = computation;
    this.keeping = keeping;
  }

  /** Answers a caller, now or when the answer is there. */
  public void to(Q question, StreamObserver<A> caller) {
    of(question).to(caller);
  }

  /** The same, as {@link SharedAnswer#to} does. */
  public void to(Q question, AnswerCallback<A> caller) {
    of(question).to(caller);
  }

  private synchronized SharedAnswer<A> of(Q question) {
    return answers.computeIfAbsent(
        question,
        asked -> new SharedAnswer<>(store, clock, () -> computation.apply(asked), keeping));
  }
}
