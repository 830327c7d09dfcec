package io.kairos.simulator.kernel;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Judges what a store changes by the call that asked for it. */
public abstract class CallRules {
  private @Nullable PortCall current;

  /** Carries a call out, as the one that causes all changes meanwhile. */
  public final <T> T during(PortCall operation, Supplier<T> effect) {
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

  public final PortCall current() {
    PortCall operation = current;
    if (operation == null) {
      throw new IllegalStateException("the store changed outside any call");
    }
    return operation;
  }

  /** The call has done its work, and this will be its answer. */
  public abstract void verify(Object answer);

  /** The call is over, well or not. */
  public abstract void forget();
}
