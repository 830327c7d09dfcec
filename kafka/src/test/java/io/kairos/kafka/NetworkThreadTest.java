package io.kairos.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class NetworkThreadTest {
  private static final String NAME = "network-thread-test";

  private final BlockingQueue<Throwable> told = new ArrayBlockingQueue<>(2);
  private final CountDownLatch watched = new CountDownLatch(1);

  @Test
  void one_that_dies_is_told_of_once() throws InterruptedException {
    watched(() -> {
      awaited(watched);
      throw new StackOverflowError("injected");
    });
    assertThat(told).isEmpty();

    watched.countDown();

    assertThat(told.take()).hasMessage("injected");
    nothingMoreIsTold();
  }

  @Test
  void one_whose_error_was_taken_before_the_watch_is_told_of() throws InterruptedException {
    CountDownLatch dies = new CountDownLatch(1);
    watch()
        .of(() -> {
          Thread dying =
              Thread.ofPlatform()
                  .name(NAME)
                  .uncaughtExceptionHandler((_, _) -> {
                    dies.countDown();
                    awaited(watched);
                  })
                  .start(() -> {
                    throw new StackOverflowError("injected");
                  });
          awaited(dies);
          return dying;
        });
    assertThat(told).isEmpty();

    watched.countDown();

    assertThat(told.take()).hasMessageContaining(NAME + " ended by an error");
  }

  @Test
  void one_that_has_died_before_is_told_of_though_another_of_its_name_runs()
      throws InterruptedException {
    watched(() -> awaited(watched)).mayEnd();

    watch().of(() -> ended(Thread.ofPlatform().name(NAME).start(() -> {})));

    assertThat(told.take()).hasMessageContaining("died before");
    watched.countDown();
  }

  @Test
  void one_whose_client_was_closed_is_not_told_of_and_not_taken_for_its_successor()
      throws InterruptedException {
    watched(() -> awaited(watched)).mayEnd();
    CountDownLatch dies = new CountDownLatch(1);
    watched(() -> {
      awaited(dies);
      throw new StackOverflowError("the successor's");
    });
    watched.countDown();
    nothingMoreIsTold();

    dies.countDown();

    assertThat(told.take()).hasMessage("the successor's");
  }

  private NetworkThread watch() {
    return new NetworkThread(NAME, told::add);
  }

  private NetworkThread watched(Runnable code) {
    NetworkThread watch = watch();
    watch.of(() -> Thread.ofPlatform().name(NAME).start(code));
    return watch;
  }

  private void nothingMoreIsTold() throws InterruptedException {
    assertThat(told.poll(100, TimeUnit.MILLISECONDS)).isNull();
  }

  private static Thread ended(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return thread;
  }

  private static void awaited(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
