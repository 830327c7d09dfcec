package io.kairos.simulator;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Judges what a store changes by the call that asked for it. */
abstract class CallRules {
  private @Nullable Operation current;

  /** Carries a call out, as the one that causes all changes meanwhile. */
  final <T> T during(Operation operation, Supplier<T> effect) {
    current = operation;
    try {
      T result = effect.get();
      verify(result);
      return result;
    } finally {
      forget();
      current = null;
    }
  }

  final Operation current() {
    Operation operation = current;
    if (operation == null) {
      throw new IllegalStateException("the store changed outside any call");
    }
    return operation;
  }

  /** The call has done its work, and this will be its answer. */
  abstract void verify(Object answer);

  /** The call is over, well or not. */
  abstract void forget();
}
