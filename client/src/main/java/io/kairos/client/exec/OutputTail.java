package io.kairos.client.exec;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** The end of a stream, read on a daemon thread so that the writer is never blocked. */
final class OutputTail {
  private static final int KEPT_BYTES = 1_900;

  /**
   * Time to read the rest after the exit, because a grandchild process may keep the stream open for
   * ever.
   */
  private static final int MOST_MILLIS_AFTER_EXIT = 200;

  @GuardedBy("this")
  private byte[] kept = {};

  private final DrainedStream source = new DrainedStream();

  private OutputTail() {}

  static OutputTail of(InputStream stream) {
    OutputTail tail = new OutputTail();
    tail.source.start("kairos-exec-stderr", stream, tail::keep);
    return tail;
  }

  /**
   * Returns the end of the stream; call it when the process has ended. Empty when the process wrote
   * only white space.
   */
  Optional<String> text() throws InterruptedException {
    boolean complete = source.endsWithin(MOST_MILLIS_AFTER_EXIT);
    String text = kept();
    if (text.isBlank()) {
      return Optional.empty();
    }
    return Optional.of(complete ? text.strip() : text.strip() + " (standard error is still open)");
  }

  private synchronized void keep(byte[] chunk, int n) {
    byte[] all = Arrays.copyOf(kept, kept.length + n);
    System.arraycopy(chunk, 0, all, kept.length, n);
    kept = Arrays.copyOfRange(all, Math.max(0, all.length - KEPT_BYTES), all.length);
  }

  private synchronized String kept() {
    return new String(kept, StandardCharsets.UTF_8);
  }
}
