package io.kairos.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * Something that is made when it is first needed. When that cannot be on this machine, each test
 * that needs it is left out. Thread-safe.
 */
final class Once<T> {
  private final Making<T> making;
  private @Nullable T made;

  Once(Making<T> making) {
    this.making = making;
  }

  interface Making<T> {
    T make() throws IOException;
  }

  synchronized T get() {
    T known = made;
    if (known == null) {
      try {
        known = making.make();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      made = known;
    }
    return known;
  }
}
