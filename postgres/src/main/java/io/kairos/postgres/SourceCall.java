package io.kairos.postgres;

import static java.util.Objects.requireNonNull;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * A call of an application's data source. It runs on a thread of its own, because some pools wait
 * for ever when they have no connection left. Used once.
 */
final class SourceCall<T> {
  private final CompletableFuture<T> answer = new CompletableFuture<>();

  private SourceCall() {}

  /** What is called. */
  interface Work<T> {
    T run() throws SQLException;
  }

  /**
   * Calls, and waits for the answer for a time.
   *
   * @param late takes an answer that came after that time
   * @throws SQLException that of the call, or one for any other exception of the data source
   * @throws UnsafeStoreException that of the call
   */
  static <T> T within(Duration most, Work<T> work, Consumer<T> late) throws SQLException {
    SourceCall<T> call = new SourceCall<>();
    var _ = Thread.ofVirtual().name("kairos-connect").start(() -> call.run(work, late));
    return call.await(most);
  }

  private void run(Work<T> work, Consumer<T> late) {
    try {
      T result = work.run();
      if (!answer.complete(result)) {
        late.accept(result);
      }
    } catch (Throwable e) { // whatever a data source throws
      answer.completeExceptionally(e);
    }
  }

  private T await(Duration most) throws SQLException {
    SQLException tooLate;
    try {
      return answer.get(most.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      switch (requireNonNull(e.getCause())) {
        case SQLException failure -> throw failure;
        case UnsafeStoreException unsafe -> throw unsafe;
        case Throwable other ->
            throw new SQLTransientConnectionException("the data source throws " + other, other);
      }
    } catch (TimeoutException e) {
      tooLate =
          new SQLTransientConnectionException(
              "the data source has not given a connection within " + most.toMillis() + " ms", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      tooLate =
          new SQLTransientConnectionException("interrupted while waiting for a connection", e);
    }
    if (answer.completeExceptionally(tooLate)) {
      throw tooLate;
    }
    return await(most); // the answer has come just now
  }
}
