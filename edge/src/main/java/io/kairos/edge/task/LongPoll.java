package io.kairos.edge.task;

import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.kairos.edge.access.CallBounds;
import io.kairos.edge.refusal.CallRefusals;
import io.kairos.engine.task.edge.AnswerCallback;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A caller that waits for an answer, for a limited time. Needs no thread of its own: the engine's
 * answer is handled on the event loop of the call. The wait ends with the answer, when the time is
 * over, or when the caller disconnects.
 */
final class LongPoll<T, A> implements AnswerCallback<T> {
  private final ServerCallStreamObserver<A> caller;
  private final EventLoop thread = ServiceRequestContext.current().eventLoop();
  private final Function<T, A> words;
  private final Consumer<T> unheard;
  private final LongPredicate room = CallBounds.answerRoom();
  private boolean ended;
  private @Nullable ScheduledFuture<?> end;

  /**
   * Created on the event loop of the call.
   *
   * @param words makes the API message of the engine's answer
   * @param unheard receives an answer for a caller that has disconnected
   */
  LongPoll(StreamObserver<A> caller, Function<T, A> words, Consumer<T> unheard) {
    this.caller = (ServerCallStreamObserver<A>) caller;
    this.words = words;
    this.unheard = unheard;
  }

  /** Asks the engine for its answer when the time is over, or when the caller disconnects. */
  void endsWithin(Duration wait, Runnable ask) {
    caller.setOnCancelHandler(ask);
    end = thread.schedule(ask, wait.toNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public boolean takeRoom(long bytes) {
    return room.test(bytes);
  }

  @Override
  public void answered(T value) {
    thread.execute(() -> {
      if (!ends()) {
        return;
      }
      if (caller.isCancelled()) {
        unheard.accept(value);
      } else {
        caller.onNext(words.apply(value));
        caller.onCompleted();
      }
    });
  }

  @Override
  public void failed(RuntimeException cause) {
    thread.execute(() -> {
      if (ends()) {
        caller.onError(CallRefusals.of(cause));
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
