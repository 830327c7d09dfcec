package io.kairos.inprocess;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.client.handler.ResultHandler;
import io.kairos.client.handler.TaskContext;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A handler that waits, once it has begun, until it is let go or interrupted. */
final class StuckHandler implements ResultHandler<String, String> {
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch free = new CountDownLatch(1);

  @Override
  public String handle(String text, TaskContext context) throws InterruptedException {
    begun.countDown();
    free.await();
    return text.toUpperCase(Locale.ROOT);
  }

  void awaitBegun() throws InterruptedException {
    assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
  }

  void letGo() {
    free.countDown();
  }
}
