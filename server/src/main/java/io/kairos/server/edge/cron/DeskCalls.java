package io.kairos.server.edge.cron;

import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.stub.StreamObserver;
import io.kairos.engine.cron.CronCommands;
import io.kairos.engine.cron.CronReply;
import io.kairos.engine.cron.entry.BookCommand;
import io.kairos.engine.cron.entry.BookReply;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.Submitted;
import io.kairos.server.edge.refusal.Refusals;
import io.kairos.server.edge.task.Reply;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Carries calls to the replica and its answers back, without a thread that waits: what the log's
 * thread has found is put into words on another. At most {@value #MOST} calls are under way; others
 * are refused.
 */
final class DeskCalls {
  private static final int MOST = 1_000;

  private final Semaphore room = new Semaphore(MOST);
  private final ReplicaDesk desk;

  DeskCalls(ReplicaDesk desk) {
    this.desk = desk;
  }

  /** A command that has been executed. */
  record Executed(long sequence, BookReply reply) {}

  /**
   * Asks the replica.
   *
   * @param question on the log's thread
   * @param words on another; what they throw becomes a refusal
   */
  <T, A> void read(
      StreamObserver<A> caller, Function<ReplicaSight, T> question, Function<T, A> words) {
    answer(() -> desk.read(question), new Reply<>(caller, words));
  }

  /** Has a command executed. What the words throw becomes a refusal. */
  <A> void submit(
      ClientId client,
      long request,
      BookCommand command,
      StreamObserver<A> caller,
      Function<Executed, A> words) {
    byte[] bytes = CronCommands.request(command.encode());
    answer(
        () -> desk.submit(client, request, bytes),
        new Reply<>(caller, submitted -> words.apply(executed(submitted))));
  }

  private <T, A> void answer(Supplier<CompletableFuture<T>> question, Reply<T, A> reply) {
    if (!room.tryAcquire()) {
      throw Refusals.tooMuch();
    }
    Executor threads = ServiceRequestContext.current().blockingTaskExecutor();
    var _ =
        question
            .get()
            .whenComplete((_, _) -> room.release())
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

  /**
   * A replica that serves nothing is like a node that is down: UNAVAILABLE, so that clients go on
   * to another, and not FAILED_PRECONDITION, by which they would give up.
   */
  private static RuntimeException refusal(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return switch (cause) {
      case ReplicaStoppedException e -> Refusals.stopped(String.valueOf(e.getMessage()));
      case Throwable e -> Refusals.of(e);
      case null -> Refusals.of(failure);
    };
  }

  private static Executed executed(Submitted submitted) {
    return switch (submitted) {
      case Submitted.Done(long sequence, byte[] reply) -> executed(sequence, reply);
      case Submitted.Stale(long last) ->
          throw Refusals.notInState(
              "request: a later one of the client has been executed, %d; what this one was answered is forgotten"
                  .formatted(last));
      case Submitted.Unknown(String reason) ->
          throw Refusals.inDoubt(
              reason + "; what was asked may be done yet or not: look, or repeat it");
    };
  }

  private static Executed executed(long sequence, byte[] reply) {
    CronReply kind = CronReply.of(reply);
    return switch (kind) {
      case EXECUTED ->
          new Executed(sequence, BookReply.decode(Arrays.copyOfRange(reply, 1, reply.length)));
      case FAILED ->
          throw Refusals.notInState(
              "it threw at sequence %d, and nothing was done; the replicas' logs say what"
                  .formatted(sequence));
      case EVALUATED, NOT_NEEDED, UNKNOWN_COMPONENT, ILL_FORMED, NOT_YOURS, NOTED ->
          throw new IllegalStateException("a client's request is not answered by " + kind);
    };
  }
}
