package io.kairos.client;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.client.error.KairosException;
import io.kairos.client.net.CallRefusal;
import io.kairos.client.net.CallRetries;
import io.kairos.client.net.LocalNode;
import io.kairos.client.time.ActionTimer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Calls to a node in this process. They are retried like calls over connections where a node says
 * that nothing was done, as while it is full. Thread-safe.
 */
final class InProcessCalls implements NodeCalls {
  private static final String PLACE = "the node in this process";

  private final LocalNode node;
  private final CallTerms terms;
  private final CallRetries retries;

  /** Runs retries; made for the first of them. */
  @GuardedBy("this")
  private @Nullable ActionTimer timer;

  /** Those that the timer has. */
  @GuardedBy("this")
  private final Set<Runnable> pending = new HashSet<>();

  @GuardedBy("this")
  private boolean closed;

  InProcessCalls(LocalNode node, CallTerms terms) {
    this.node = node;
    this.terms = terms;
    this.retries = new CallRetries(terms.attempts(), 1, terms.chance());
  }

  @Override
  public Duration timeout() {
    return terms.timeout();
  }

  @Override
  public long nanos() {
    return terms.time().nanos();
  }

  @Override
  public <R> R now(NodeCall<?, ?, R> call) {
    CompletableFuture<R> answer = begun(call);
    try {
      return answer.get(
          terms.timeout().multipliedBy(terms.attempts()).toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw failure(requireNonNull(e.getCause()));
    } catch (TimeoutException e) {
      answer.cancel(false);
      throw exception(call, CallRefusal.noAnswer(terms.timeout()));
    } catch (InterruptedException e) {
      answer.cancel(false);
      Thread.currentThread().interrupt();
      throw new KairosException("interrupted before the call was answered", e);
    }
  }

  private static RuntimeException failure(Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    return (RuntimeException) thrown;
  }

  /** Answers come on threads of the node, which must not run what the application adds. */
  @Override
  public <R> CompletableFuture<R> later(NodeCall<?, ?, R> call) {
    CompletableFuture<R> result = new CompletableFuture<>();
    CompletableFuture<R> inside = begun(call);
    CompletableFuture<?> unusedToo =
        result.whenComplete((any, failure) -> {
          if (result.isCancelled()) {
            inside.cancel(false);
          }
        });
    CompletableFuture<?> unused =
        inside.whenComplete((value, failure) ->
            ForkJoinPool.commonPool()
                .execute(() -> {
                  if (failure == null) {
                    result.complete(value);
                  } else {
                    result.completeExceptionally(failure);
                  }
                }));
    return result;
  }

  private <R> CompletableFuture<R> begun(NodeCall<?, ?, R> call) {
    CompletableFuture<R> result = new CompletableFuture<>();
    attempt(call, 1, result);
    return result;
  }

  private <A, R> void attempt(NodeCall<?, A, R> call, int attempt, CompletableFuture<R> result) {
    if (result.isDone()) {
      return; // cancelled
    }
    if (isClosed()) {
      result.completeExceptionally(new KairosException("the client is closed", null));
      return;
    }
    node.call(
        call.request(),
        call.answer(),
        answer -> {
          try {
            result.complete(call.meaning().apply(answer));
          } catch (Throwable e) { // such as a result that cannot be decrypted
            result.completeExceptionally(e);
          }
        },
        refusal -> {
          Optional<Duration> pause = retries.after(refusal, attempt, call.repeatable());
          if (pause.isEmpty()) {
            result.completeExceptionally(exception(call, refusal));
          } else {
            after(pause.get(), () -> attempt(call, attempt + 1, result));
          }
        });
  }

  private static KairosException exception(NodeCall<?, ?, ?> call, CallRefusal refusal) {
    return new CallFailures(call.request().getClass().getSimpleName(), PLACE, PLACE)
        .exceptionOf(refusal, null);
  }

  private void after(Duration pause, Runnable retry) {
    if (!isPending(pause, retry)) {
      retry.run(); // which says that the client is closed
    }
  }

  private synchronized boolean isPending(Duration pause, Runnable retry) {
    if (closed) {
      return false;
    }
    if (timer == null) {
      timer = terms.time().timer("kairos-retries");
    }
    pending.add(retry);
    timer.after(pause, () -> run(retry));
    return true;
  }

  private void run(Runnable retry) {
    synchronized (this) {
      if (!pending.remove(retry)) {
        return; // run by close
      }
    }
    retry.run();
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  /** The node goes on; who has made it closes it. Calls that wait for a retry fail. */
  @Override
  public void close() {
    List<Runnable> left;
    synchronized (this) {
      closed = true;
      if (timer != null) {
        timer.close();
      }
      left = List.copyOf(pending);
      pending.clear();
    }
    left.forEach(Runnable::run);
  }
}
