package io.kairos.client.exec;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.client.time.DaemonThread;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

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

  private final CountDownLatch end = new CountDownLatch(1);

  private OutputTail() {}

  static OutputTail of(InputStream stream) {
    OutputTail tail = new OutputTail();
    DaemonThread.of("kairos-exec-stderr", () -> tail.read(stream)).start();
    return tail;
  }

  /**
   * Returns the end of the stream; call it when the process has ended. Empty when the process wrote
   * only white space.
   */
  Optional<String> text() throws InterruptedException {
    boolean complete = end.await(MOST_MILLIS_AFTER_EXIT, TimeUnit.MILLISECONDS);
    String text = kept();
    if (text.isBlank()) {
      return Optional.empty();
    }
    return Optional.of(complete ? text.strip() : text.strip() + " (standard error is still open)");
  }

  private void read(InputStream stream) {
    byte[] chunk = new byte[1_024];
    try (stream) {
      for (int n = stream.read(chunk); n >= 0; n = stream.read(chunk)) {
        keep(chunk, n);
      }
    } catch (IOException e) {
      // the process is gone; what was read is kept
    } finally {
      end.countDown();
    }
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
