package io.kairos.client.exec;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.client.time.DaemonThread;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
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
  private final byte[] kept = new byte[KEPT_BYTES];

  @GuardedBy("this")
  private long read;

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
    String text = snapshot();
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
    for (int i = 0; i < n; i++) {
      kept[(int) (read++ % KEPT_BYTES)] = chunk[i];
    }
  }

  private synchronized String snapshot() {
    int length = (int) Math.min(read, KEPT_BYTES);
    byte[] inOrder = new byte[length];
    for (int i = 0; i < length; i++) {
      inOrder[i] = kept[(int) ((read - length + i) % KEPT_BYTES)];
    }
    return new String(inOrder, StandardCharsets.UTF_8);
  }
}
