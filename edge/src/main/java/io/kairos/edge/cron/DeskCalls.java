package io.kairos.edge.cron;

import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.stub.StreamObserver;
import io.kairos.edge.access.CallerBudget;
import io.kairos.edge.call.CallReply;
import io.kairos.edge.caller.PresentCaller;
import io.kairos.edge.refusal.CallRefusals;
import io.kairos.edge.refusal.Refusals;
import io.kairos.engine.cron.LogCommand;
import io.kairos.engine.cron.LogReply;
import io.kairos.engine.cron.entry.BookCommand;
import io.kairos.engine.cron.entry.BookReply;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.SubmissionResult;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Sends calls to the replica and answers to the callers. No thread waits: the log's thread makes
 * the answer, another thread sends it. At most {@value #MOST} calls are in progress, half of them
 * of one caller; others are refused.
 */
final class DeskCalls {
  private static final int MOST = 1_000;

  private final CallerBudget room = new CallerBudget(MOST);
  private final ReplicaDesk desk;

  DeskCalls(ReplicaDesk desk) {
    this.desk = desk;
  }

  /** The result of an executed command. */
  record Executed(long sequence, BookReply reply) {}

  /**
   * Asks the replica.
   *
   * @param question runs on the log's thread; its exception becomes a refusal
   */
  <A> void read(StreamObserver<A> caller, Function<ReplicaView, A> question) {
    answer(() -> desk.read(question), new CallReply<>(caller, Function.identity()));
  }

  /** Submits a command to the log. An exception of {@code words} becomes a refusal. */
  <A> void submit(
      ClientId client,
      long request,
      BookCommand command,
      StreamObserver<A> caller,
      Function<Executed, A> words) {
    byte[] bytes = new LogCommand.Request(command.encode()).encode();
    answer(
        () -> desk.submit(client, request, bytes),
        new CallReply<>(caller, submitted -> words.apply(executed(submitted))));
  }

  private <T, A> void answer(Supplier<CompletableFuture<T>> question, CallReply<T, A> reply) {
    ServiceRequestContext call = ServiceRequestContext.current();
    String caller = PresentCaller.nameOrAddress();
    enter(caller);
    Executor threads = call.blockingTaskExecutor();
    CompletableFuture<T> asked;
    try {
      asked = question.get();
    } catch (RuntimeException e) {
      room.giveBack(caller, 1);
      throw e;
    }
    var _ =
        asked
            .whenComplete((_, _) -> room.giveBack(caller, 1))
            .whenCompleteAsync(
                (value, failure) -> {
                  if (failure == null) {
                    reply.answered(value);
                  } else {
                    reply.failed(refusal(failure));
                  }
                },
                threads);
  }

  private void enter(String caller) {
    if (!room.take(caller, 1)) {
      throw room.hasRoom(caller)
          ? CallRefusals.of(Refusals.tooMuch())
          : CallRefusals.of(
              Refusals.tooMuch(
                  "%d of your calls are in progress at this replica, and one caller may have no more: wait for an answer before the next call; nothing has been done"
                      .formatted(MOST / 2)));
    }
  }

  /**
   * A stopped replica answers UNAVAILABLE like a node that is down, so that clients try another
   * one; after FAILED_PRECONDITION they would give up.
   */
  private static RuntimeException refusal(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return switch (cause) {
      case ReplicaStoppedException e ->
          CallRefusals.of(Refusals.stopped(String.valueOf(e.getMessage())));
      case Throwable e -> CallRefusals.of(e);
      case null -> CallRefusals.of(failure);
    };
  }

  private static Executed executed(SubmissionResult submitted) {
    return switch (submitted) {
      case SubmissionResult.Done(long sequence, byte[] reply) -> executed(sequence, reply);
      case SubmissionResult.Stale(long last) ->
          throw CallRefusals.of(
              Refusals.notInState(
                  "request: a later request of this client (%d) has been executed; the reply to this one is no longer kept"
                      .formatted(last)));
      case SubmissionResult.Refused(String reason) ->
          throw CallRefusals.of(Refusals.tooMuch(reason));
      case SubmissionResult.Unknown(String reason) ->
          throw CallRefusals.of(
              Refusals.inDoubt(
                  reason + "; what was asked may be done yet or not: look, or repeat it"));
    };
  }

  private static Executed executed(long sequence, byte[] reply) {
    LogReply kind = LogReply.of(reply);
    return switch (kind) {
      case EXECUTED ->
          new Executed(sequence, BookReply.decode(Arrays.copyOfRange(reply, 1, reply.length)));
      case FAILED ->
          throw CallRefusals.of(
              Refusals.notInState(
                  "it threw at sequence %d, and nothing was done; the replicas' logs say what"
                      .formatted(sequence)));
      case EVALUATED, NOT_NEEDED, UNKNOWN_COMPONENT, ILL_FORMED, NOT_YOURS, NOTED ->
          throw new IllegalStateException("a client's request is not answered by " + kind);
    };
  }
}
