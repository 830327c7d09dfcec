package io.kairos.api.text;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Optional values that were given or left out. */
public final class GivenValue {
  private GivenValue() {}

  /** Passes a value to a setter; does nothing when the value is null. */
  public static <T> void ifGiven(@Nullable T value, Consumer<T> setting) {
    if (value != null) {
      setting.accept(value);
    }
  }
}
