package io.kairos.inprocess;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.client.KairosClient;
import io.kairos.client.TaskOutcome;
import io.kairos.client.TaskQuery;
import io.kairos.client.TaskRequest;
import io.kairos.client.TaskType;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.task.TaskId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Callers share the connections for work with the step that extends leases. */
final class StarvationTest {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final int CALLERS = 60;

  /** They take longer than a lease. */
  private static final int ANSWERS = 400;

  @ParameterizedTest
  @ValueSource(ints = {3, 5})
  void callers_who_ask_all_the_time_do_not_take_leases_away(int connections) throws Exception {
    TaskType<String> slow = TaskType.of("slow", PayloadCodec.utf8());
    TestSource source = TestSource.create();
    AtomicInteger begun = new AtomicInteger();
    CountDownLatch answered = new CountDownLatch(ANSWERS);
    CountDownLatch release = new CountDownLatch(1);
    AtomicBoolean over = new AtomicBoolean();
    try (Kairos kairos =
            Kairos.inProcess(source)
                .connections(connections)
                .concurrency(4)
                .handle(
                    slow,
                    (text, context) -> {
                      begun.incrementAndGet();
                      release.await();
                    })
                .start();
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS)) {
      KairosClient client = kairos.client();
      for (int i = 0; i < 40; i++) {
        List<TaskRequest> batch = new ArrayList<>();
        for (int j = 0; j < 1_000; j++) {
          batch.add(slow.task("x").delay(Duration.ofDays(1)).build());
        }
        client.schedule(batch);
      }
      List<TaskId> ids = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        ids.add(client.schedule(slow.task("now").build()));
      }
      for (int i = 0; i < CALLERS; i++) {
        callers.execute(() -> {
          while (!over.get()) {
            client.list(TaskQuery.all().pageSize(1000));
            answered.countDown();
          }
        });
      }
      assertThat(answered.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
      over.set(true);
      release.countDown();
      for (TaskId id : ids) {
        assertThat(client.await(id, SOON)).isInstanceOf(TaskOutcome.Succeeded.class);
        assertThat(client.get(id).attempt()).isEqualTo(1);
      }
      assertThat(begun).hasValue(4);
    }
  }
}
