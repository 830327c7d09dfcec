package io.kairos.server.architecture.specimen.engine;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Must break in every method: waiting comes from outside. */
@SuppressWarnings({"WaitNotInLoop", "ThreadJoinLoop"})
public final class EngineThatSleeps {
  void thread() throws InterruptedException {
    Thread.sleep(1);
  }

  void unit() throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(1);
  }

  void park() {
    LockSupport.parkNanos(1);
  }

  synchronized void monitor() throws InterruptedException {
    wait(1);
  }

  ScheduledExecutorService pool() {
    return Executors.newScheduledThreadPool(1);
  }

  CompletableFuture<String> timeout(CompletableFuture<String> future) {
    return future.orTimeout(1, TimeUnit.SECONDS);
  }
}
