package io.kairos.kafka;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;

/** Processor time of all threads whose name contains a word, and of the current one. */
final class ThreadsCpu {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private ThreadsCpu() {}

  static Duration of(String word) {
    long nanos = THREADS.getCurrentThreadCpuTime();
    long[] ids = THREADS.getAllThreadIds();
    for (var thread : THREADS.getThreadInfo(ids)) {
      if (thread != null && thread.getThreadName().contains(word)) {
        nanos += Math.max(0, THREADS.getThreadCpuTime(thread.getThreadId()));
      }
    }
    return Duration.ofNanos(nanos);
  }
}
