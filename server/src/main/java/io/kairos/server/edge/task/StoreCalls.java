package io.kairos.server.edge.task;

import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.stub.StreamObserver;
import io.kairos.server.edge.refusal.Refusals;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * Answers calls that ask the store and wait for it, off the threads of the connections. At most
 * {@value #MOST} at a time, of all services together; others are refused.
 */
public final class StoreCalls {
  private static final int MOST = 64;

  private final Semaphore room = new Semaphore(MOST);

  /** What the call throws becomes a refusal. */
  public <A> void answer(StreamObserver<A> caller, Supplier<A> call) {
    run(() -> reply(caller, call));
  }

  /** The same for what is answered later: only what is thrown is answered here. */
  <A> void before(StreamObserver<A> caller, Runnable call) {
    run(() -> {
      try {
        call.run();
      } catch (RuntimeException e) {
        caller.onError(Refusals.of(e));
      }
    });
  }

  private void run(Runnable call) {
    if (!room.tryAcquire()) {
      throw Refusals.tooMuch();
    }
    ServiceRequestContext.current()
        .blockingTaskExecutor()
        .execute(() -> {
          try {
            call.run();
          } finally {
            room.release();
          }
        });
  }

  private static <A> void reply(StreamObserver<A> caller, Supplier<A> call) {
    A answer;
    try {
      answer = call.get();
    } catch (RuntimeException e) {
      caller.onError(Refusals.of(e));
      return;
    }
    caller.onNext(answer);
    caller.onCompleted();
  }
}
