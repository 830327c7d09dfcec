package io.kairos.edge.call;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.ServerCallHandler;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.kairos.edge.access.CallerBudget;
import io.kairos.edge.caller.PresentCaller;
import io.kairos.edge.refusal.CallRefusals;
import io.kairos.edge.refusal.Refusals;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Runs calls that block on the store, off the threads of the connections. {@value #MOST_RUNNING}
 * run at a time, of all services together; of those that wait the callers take turns, so that a
 * caller of many calls does not keep others waiting for all of them. One caller may have half of
 * {@value #MOST}; others are refused. Thread-safe.
 */
public final class StoreCalls {
  private static final int MOST = 64;

  /** The store has four connections for them; some calls wait for something else. */
  private static final int MOST_RUNNING = 8;

  private final CallerBudget room = new CallerBudget(MOST);

  /** Calls that wait, by caller; the callers in the order of their turns. */
  @GuardedBy("this")
  private final LinkedHashMap<String, Deque<Runnable>> waiting = new LinkedHashMap<>();

  @GuardedBy("this")
  private int running;

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
      throw CallRefusals.of(
          Refusals.tooMuch(
              "as many calls ask the store as may at a time (%d), of which one caller may have half; nothing has been done: send fewer at a time"
                  .formatted(MOST)));
    }
    Executor threads = ServiceRequestContext.current().blockingTaskExecutor();
    Runnable whole =
        () ->
            threads.execute(() -> {
              try {
                call.run();
              } finally {
                room.giveBack(caller, 1);
                ended();
              }
            });
    Runnable next;
    synchronized (this) {
      waiting.computeIfAbsent(caller, _ -> new ArrayDeque<>()).add(whole);
      next = next();
    }
    next.run();
  }

  private void ended() {
    Runnable next;
    synchronized (this) {
      running--;
      next = next();
    }
    next.run();
  }

  /** Begins the next call of the caller whose turn it is; does nothing if too many run. */
  @GuardedBy("this")
  private Runnable next() {
    if (running == MOST_RUNNING || waiting.isEmpty()) {
      return () -> {};
    }
    Map.Entry<String, Deque<Runnable>> turn = requireNonNull(waiting.pollFirstEntry());
    Runnable next = turn.getValue().remove();
    if (!turn.getValue().isEmpty()) {
      waiting.put(turn.getKey(), turn.getValue());
    }
    running++;
    return next;
  }
}
