package io.kairos.bench.mixed;

import io.kairos.bench.load.LoadClock;
import io.kairos.bench.observe.JsonLines;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * The file of a part while it is written, and what a checker makes of it so far. Any thread writes,
 * one thread asks.
 */
final class MixedHistory implements AutoCloseable {
  private final JsonLines<MixedEvent> lines;
  private final JsonLines.Tail<MixedEvent> tail;
  private final MixedChecker checker = new MixedChecker();

  MixedHistory(Path file) throws IOException {
    lines = JsonLines.append(file);
    tail = new JsonLines.Tail<>(file, MixedEvent.class);
  }

  void write(MixedEvent event) {
    try {
      lines.write(event);
    } catch (IOException e) {
      throw new UncheckedIOException("the history is not complete", e);
    }
  }

  /** Number of accepted submissions that were due so long ago and have not come. */
  long overdue(long micros) {
    try {
      tail.forEachNew(checker::saw);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the history", e);
    }
    return checker.overdue(LoadClock.micros() - micros);
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
