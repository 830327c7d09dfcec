package io.kairos.client.exec;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.client.handler.FatalFailure;
import io.kairos.client.handler.RetryLater;
import io.kairos.client.task.TaskResult;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;

/**
 * A whole stream, read on a daemon thread, up to the most bytes of a result; what is more is read
 * and thrown away, so that the writer is never blocked.
 */
final class OutputValue {
  /** Time to read the rest after the exit: a process that was left behind may keep it open. */
  private static final int MOST_MILLIS_AFTER_EXIT = 1_000;

  @GuardedBy("this")
  private final ByteArrayOutputStream kept = new ByteArrayOutputStream();

  @GuardedBy("this")
  private long length;

  private final DrainedStream source = new DrainedStream();

  private OutputValue() {}

  static OutputValue of(InputStream stream) {
    OutputValue value = new OutputValue();
    value.source.start("kairos-exec-stdout", stream, value::keep);
    return value;
  }

  /** Returns the stream as a result; call it when the process has ended with success. */
  TaskResult result(String contentType) throws InterruptedException {
    if (!source.endsWithin(MOST_MILLIS_AFTER_EXIT)) {
      throw new RetryLater("the program has ended, but its standard output is still open");
    }
    synchronized (this) {
      if (length > TaskResult.MOST_BYTES) {
        throw new FatalFailure(
            "performed, but its standard output has %,d bytes; at most %,d are kept as a result"
                .formatted(length, TaskResult.MOST_BYTES),
            null,
            "result too large");
      }
      return TaskResult.of(kept.toByteArray(), contentType);
    }
  }

  private synchronized void keep(byte[] chunk, int n) {
    length += n;
    kept.write(chunk, 0, Math.min(n, TaskResult.MOST_BYTES - kept.size()));
  }
}
