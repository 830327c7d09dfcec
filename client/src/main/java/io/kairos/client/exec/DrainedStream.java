package io.kairos.client.exec;

import io.kairos.client.time.DaemonThread;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A stream that is read to its end on a daemon thread, so that its writer is never blocked. */
final class DrainedStream {
  private final CountDownLatch end = new CountDownLatch(1);

  /** Gets what was read, on the daemon thread: the first {@code n} bytes of the chunk. */
  @FunctionalInterface
  interface Sink {
    void take(byte[] chunk, int n);
  }

  void start(String threadName, InputStream stream, Sink sink) {
    DaemonThread.of(threadName, () -> read(stream, sink)).start();
  }

  /**
   * Returns true if the stream ends within this time: a process that was left behind may keep it
   * open for ever.
   */
  boolean endsWithin(int millis) throws InterruptedException {
    return end.await(millis, TimeUnit.MILLISECONDS);
  }

  private void read(InputStream stream, Sink sink) {
    byte[] chunk = new byte[8_192];
    try (stream) {
      for (int n = stream.read(chunk); n >= 0; n = stream.read(chunk)) {
        sink.take(chunk, n);
      }
    } catch (IOException e) {
      // the process is gone; what was read is kept
    } finally {
      end.countDown();
    }
  }
}
