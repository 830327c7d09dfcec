package io.kairos.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class NetworkThreadTest {
  private final BlockingQueue<Throwable> told = new ArrayBlockingQueue<>(2);

  @Test
  void one_that_dies_is_told_of() throws InterruptedException {
    CountDownLatch watched = new CountDownLatch(1);
    Thread.ofPlatform()
        .name("network-thread-test")
        .start(() -> {
          awaited(watched);
          throw new StackOverflowError("injected");
        });
    NetworkThread.watch("network-thread-test", told::add);
    assertThat(told).isEmpty();

    watched.countDown();

    assertThat(told.take()).hasMessage("injected");
  }

  private static void awaited(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void one_that_has_died_before_is_told_of() throws InterruptedException {
    Thread dead = Thread.ofPlatform().name("network-thread-test-2").start(() -> {});
    dead.join();

    NetworkThread.watch("network-thread-test-2", told::add);

    assertThat(told.take()).hasMessageContaining("has died before");
  }
}
