package io.kairos.edge.call;

import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.ServerCallHandler;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.kairos.edge.access.CallerBudget;
import io.kairos.edge.access.PresentCaller;
import io.kairos.edge.refusal.CallRefusals;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Runs calls that block on the store, off the threads of the connections. At most {@value #MOST}
 * run at a time, of all services together, half of them of one caller; others are refused.
 */
public final class StoreCalls {
  private static final int MOST = 64;

  private final CallerBudget room = new CallerBudget(MOST);

  /** A method of a service that blocks on the store; its exception becomes a refusal. */
  public <Q, A> ServerCallHandler<Q, A> unary(Function<Q, A> method) {
    return ServerCalls.asyncUnaryCall(
        (request, caller) -> answer(caller, () -> method.apply(request)));
  }

  /** Answers the caller with the call's result; an exception becomes a refusal. */
  public <A> void answer(StreamObserver<A> caller, Supplier<A> call) {
    CallReply<Supplier<A>, A> reply = new CallReply<>(caller, Supplier::get);
    run(() -> reply.answered(call));
  }

  /**
   * Runs a call that answers its caller itself, perhaps later; only an exception is answered here.
   */
  public <A> void before(StreamObserver<A> caller, Runnable call) {
    run(() -> {
      try {
        call.run();
      } catch (RuntimeException e) {
        caller.onError(CallRefusals.of(e));
      }
    });
  }

  private void run(Runnable call) {
    String caller = PresentCaller.nameOrAddress();
    if (!room.take(caller, 1)) {
      throw CallRefusals.tooMuch(
          "as many calls ask the store as may at a time (%d), of which one caller may have half; nothing has been done: send fewer at a time"
              .formatted(MOST));
    }
    ServiceRequestContext.current()
        .blockingTaskExecutor()
        .execute(() -> {
          try {
            call.run();
          } finally {
            room.giveBack(caller, 1);
          }
        });
  }
}
