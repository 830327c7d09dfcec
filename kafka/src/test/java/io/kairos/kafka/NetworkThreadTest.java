package io.kairos.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class NetworkThreadTest {
  private final BlockingQueue<Throwable> told = new ArrayBlockingQueue<>(2);
  private final CountDownLatch watched = new CountDownLatch(1);

  @Test
  void one_that_dies_is_told_of_once() throws InterruptedException {
    Thread dying =
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
    dying.join();
    assertThat(told).isEmpty();
  }

  @Test
  void one_whose_error_was_taken_before_the_watch_is_told_of() throws InterruptedException {
    CountDownLatch dies = new CountDownLatch(1);
    Thread.ofPlatform()
        .name("network-thread-test-1")
        .uncaughtExceptionHandler((_, _) -> {
          dies.countDown();
          awaited(watched);
        })
        .start(() -> {
          throw new StackOverflowError("injected");
        });
    dies.await();
    NetworkThread.watch("network-thread-test-1", told::add);
    assertThat(told).isEmpty();

    watched.countDown();

    assertThat(told.take()).hasMessageContaining("network-thread-test-1 ended by an error");
  }

  @Test
  void one_that_has_died_before_is_told_of() throws InterruptedException {
    Thread dead = Thread.ofPlatform().name("network-thread-test-2").start(() -> {});
    dead.join();

    NetworkThread.watch("network-thread-test-2", told::add);

    assertThat(told.take()).hasMessageContaining("died before");
  }

  @Test
  void one_whose_client_was_closed_is_not_told_of_and_not_taken_for_its_successor()
      throws InterruptedException {
    Thread before = Thread.ofPlatform().name("network-thread-test-3").start(() -> awaited(watched));
    NetworkThread.watch("network-thread-test-3", told::add).mayEnd();
    CountDownLatch dies = new CountDownLatch(1);
    Thread.ofPlatform()
        .name("network-thread-test-3")
        .start(() -> {
          awaited(dies);
          throw new StackOverflowError("the successor's");
        });
    NetworkThread.watch("network-thread-test-3", told::add);
    watched.countDown();
    before.join();

    dies.countDown();

    assertThat(told.take()).hasMessage("the successor's");
  }

  private static void awaited(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
