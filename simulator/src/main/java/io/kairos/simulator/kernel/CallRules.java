package io.kairos.simulator.kernel;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Judges the changes of a store by the call that caused them. */
public abstract class CallRules {
  private @Nullable PortCall current;

  /** Carries out a call, to which all changes until its end are attributed. */
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

  /** Checks the call after its work, with its answer. */
  public abstract void verify(Object answer);

  /** Called at the end of a call, successful or not. */
  public abstract void forget();
}
