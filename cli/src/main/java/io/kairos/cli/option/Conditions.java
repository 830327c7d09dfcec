package io.kairos.cli.option;

import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Sets what options have been given on immutable queries. */
public final class Conditions {
  private Conditions() {}

  /** Returns a query with a condition, or unchanged when the option is left out or empty. */
  public static <Q, T> Q with(Q query, @Nullable T given, BiFunction<Q, T, Q> condition) {
    return given == null || given.equals("") ? query : condition.apply(query, given);
  }
}
