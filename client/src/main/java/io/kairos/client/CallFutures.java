package io.kairos.client;

import java.util.concurrent.CompletableFuture;

/** What futures of calls have in common. */
final class CallFutures {
  private CallFutures() {}

  /** Has who cancels the first future cancel the second, too. */
  static void cancelWith(CompletableFuture<?> first, CompletableFuture<?> second) {
    CompletableFuture<?> unused =
        first.whenComplete((any, failure) -> {
          if (first.isCancelled()) {
            second.cancel(false);
          }
        });
  }
}
