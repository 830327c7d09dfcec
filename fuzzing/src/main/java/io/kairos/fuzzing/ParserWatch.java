package io.kairos.fuzzing;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Watches the thread that parses. An input may take that much processor time, which does not depend
 * on what else the machine does, and may allocate that much memory. A thread that does not come
 * back is abandoned; it is a daemon.
 */
final class ParserWatch {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** Processor time of the thread when it took the input that it has now. */
  private volatile long begunAtNanos;

  private long allocatedBefore;

  /** Called by the parsing thread before an input. */
  void begin() {
    begunAtNanos = THREADS.getCurrentThreadCpuTime();
    allocatedBefore = THREADS.getCurrentThreadAllocatedBytes();
  }

  /** Returns what is wrong with an input that was parsed or refused; empty for nothing. */
  String after(long mostBytes) {
    long bytes = THREADS.getCurrentThreadAllocatedBytes() - allocatedBefore;
    return bytes <= mostBytes
        ? ""
        : "it allocates %,d bytes, allowed are %,d".formatted(bytes, mostBytes);
  }

  /**
   * Runs the work on a thread of its own.
   *
   * @param mostTime processor time of one input
   * @return false when an input has used up its time
   */
  boolean finishes(Runnable work, Duration mostTime) {
    CountDownLatch done = new CountDownLatch(1);
    Thread thread =
        new Thread(() -> {
          try {
            work.run();
          } finally {
            done.countDown();
          }
        });
    thread.setDaemon(true);
    thread.setName("parser-fuzz");
    thread.start();
    try {
      while (!done.await(200, TimeUnit.MILLISECONDS)) {
        long used = THREADS.getThreadCpuTime(thread.getId()) - begunAtNanos;
        if (used > mostTime.toNanos()) {
          return false;
        }
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
