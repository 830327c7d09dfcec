package io.kairos.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.client.Graph;
import io.kairos.client.ScheduleSpec;
import io.kairos.client.TaskOutcome;
import io.kairos.client.TaskRequest;
import io.kairos.client.TaskType;
import io.kairos.client.handler.RetryLater;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.task.RetryPolicy;
import io.kairos.client.task.TaskId;
import io.kairos.client.task.TaskState;
import io.kairos.client.worker.Worker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class KairosExtensionTest {
  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

  @RegisterExtension static final KairosExtension KAIROS = KairosExtension.startingAt(START);

  private static final TaskType<String> OF_CLASS = TaskType.of("of-class", PayloadCodec.utf8());
  private static final List<String> DONE_FOR_CLASS = new CopyOnWriteArrayList<>();

  private final List<String> done = new CopyOnWriteArrayList<>();

  @BeforeAll
  static void start() {
    KAIROS.startWorker(
        worker -> worker.handle(OF_CLASS, (name, context) -> DONE_FOR_CLASS.add(name)));
  }

  @RepeatedTest(2)
  void a_worker_of_the_class_outlives_a_test(RepetitionInfo repetition) {
    String name = "in test " + repetition.getCurrentRepetition();
    KAIROS.client().schedule(OF_CLASS.task(name).build());

    KAIROS.awaitQuiescence();

    assertThat(DONE_FOR_CLASS).contains(name);
  }

  @Test // DA-2
  void time_stands_still_until_it_is_advanced_and_then_everything_is_performed_in_due_order() {
    Instant begin = KAIROS.now();
    try (Worker worker = Worker.connect(KAIROS.address())) {
      worker.handle(
          "note",
          PayloadCodec.utf8(),
          (name, context) ->
              done.add(name + " " + Duration.between(begin, KAIROS.now()).toMinutes()));
      worker.start();
      schedule("note", "second", Duration.ofMinutes(20));
      schedule("note", "first", Duration.ofMinutes(10));
      schedule("note", "never", Duration.ofMinutes(40));
      schedule("note", "now", Duration.ZERO);

      KAIROS.awaitQuiescence();
      assertThat(done).containsExactly("now 0");

      KAIROS.advance(Duration.ofMinutes(30));
      assertThat(done).containsExactly("now 0", "first 10", "second 20");
      assertThat(KAIROS.now()).isEqualTo(begin.plus(Duration.ofMinutes(30)));
    }
  }

  @Test
  void a_worker_of_the_extension_performs_tasks_of_a_type() {
    TaskType<String> greet = TaskType.of("greet", PayloadCodec.utf8());
    KAIROS.startWorker(worker -> worker.handle(greet, (name, context) -> done.add(name)));
    KAIROS.client().schedule(greet.task("Ada").delay(Duration.ofHours(1)).build());

    KAIROS.advance(Duration.ofHours(1));

    assertThat(done).containsExactly("Ada");
  }

  @Test
  void what_a_handler_schedules_on_the_way_is_performed_on_the_way() {
    try (Worker worker = Worker.connect(KAIROS.address())) {
      worker.handle(
          "chain",
          PayloadCodec.utf8(),
          (left, context) -> {
            done.add(left);
            if (!left.equals("0")) {
              schedule("chain", Integer.toString(Integer.parseInt(left) - 1), Duration.ofHours(1));
            }
          });
      worker.start();
      schedule("chain", "24", Duration.ofHours(1));

      KAIROS.advance(Duration.ofDays(2));

      assertThat(done).hasSize(25).endsWith("0");
    }
  }

  @Test
  void pd21_tasks_of_one_key_and_one_due_time_are_performed_in_the_order_of_the_call() {
    List<TaskRequest> tasks = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      names.add("no " + i);
      tasks.add(
          TaskRequest.to("in-order")
              .payload("no " + i)
              .key("the key")
              .delay(Duration.ofMinutes(1))
              .build());
    }
    try (Worker worker = Worker.connect(KAIROS.address())) {
      worker.handle("in-order", PayloadCodec.utf8(), (name, context) -> done.add(name));
      worker.start();
      KAIROS.client().schedule(tasks);

      KAIROS.advance(Duration.ofMinutes(2));

      assertThat(done).isEqualTo(names);
    }
  }

  @Test
  void a_handlers_value_is_awaited_by_its_caller() {
    TaskId id = KAIROS.client().schedule(TaskRequest.to("double").payload("21").build());
    try (Worker worker = Worker.connect(KAIROS.address())) {
      worker.handle(
          "double",
          PayloadCodec.utf8(),
          PayloadCodec.utf8(),
          (number, context) -> Integer.toString(2 * Integer.parseInt(number)));
      worker.start();

      TaskOutcome outcome = KAIROS.client().await(id, Duration.ofSeconds(20));

      assertThat(outcome)
          .isInstanceOfSatisfying(
              TaskOutcome.Succeeded.class,
              done -> assertThat(done.value(PayloadCodec.utf8())).isEqualTo("42"));
    }
  }

  @Test
  void a_successor_is_handed_what_it_has_waited_for() {
    Graph graph = new Graph();
    Graph.Step left = graph.add(TaskRequest.to("half").payload("20").build());
    Graph.Step right = graph.add(TaskRequest.to("half").payload("22").build());
    graph.add(TaskRequest.to("sum").build()).after(left, right);
    TaskId sum = KAIROS.client().schedule(graph.tasks()).get(2);
    try (Worker worker = Worker.connect(KAIROS.address())) {
      worker.handle(
          "half",
          PayloadCodec.utf8(),
          PayloadCodec.utf8(),
          (number, context) -> {
            assertThat(context.predecessors()).isEmpty();
            return number;
          });
      worker.handle(
          "sum",
          PayloadCodec.utf8(),
          PayloadCodec.utf8(),
          (nothing, context) ->
              Integer.toString(
                  context.predecessors().stream()
                      .filter(one -> one.handler().equals("half"))
                      .filter(one -> one.state() == TaskState.SUCCEEDED)
                      .map(one -> one.result().orElseThrow())
                      .mapToInt(half -> Integer.parseInt(half.as(PayloadCodec.utf8())))
                      .sum()));
      worker.start();

      TaskOutcome outcome = KAIROS.client().await(sum, Duration.ofSeconds(20));

      assertThat(outcome)
          .isInstanceOfSatisfying(
              TaskOutcome.Succeeded.class,
              done -> assertThat(done.value(PayloadCodec.utf8())).isEqualTo("42"));
    }
  }

  @Test
  void pd31_retries_come_after_their_backoff() {
    TaskId id =
        KAIROS
            .client()
            .schedule(
                TaskRequest.to("flaky")
                    .retryPolicy(
                        RetryPolicy.attempts(3)
                            .backoff(Duration.ofMinutes(10), 1, Duration.ofMinutes(10)))
                    .build());
    try (Worker worker = Worker.connect(KAIROS.address())) {
      worker.handle(
          "flaky",
          PayloadCodec.bytes(),
          (payload, context) -> {
            done.add("attempt " + context.attempt());
            throw new RetryLater("no luck");
          });
      worker.start();

      KAIROS.awaitQuiescence();
      assertThat(done).containsExactly("attempt 1");
      KAIROS.advance(Duration.ofMinutes(20));

      assertThat(done).containsExactly("attempt 1", "attempt 2", "attempt 3");
      assertThat(KAIROS.client().get(id).state()).isEqualTo(TaskState.DEAD);
    }
  }

  @Test
  void ph01_a_schedule_fires_whenever_time_comes_to_it() {
    KAIROS
        .client()
        .schedules()
        .create(ScheduleSpec.named("daily").cron("0 9 * * *").handler("daily").build());
    try (Worker worker = Worker.connect(KAIROS.address())) {
      worker.handle(
          "daily", PayloadCodec.bytes(), (payload, context) -> done.add(KAIROS.now().toString()));
      worker.start();

      KAIROS.advance(Duration.ofDays(3));
    }
    KAIROS.client().schedules().delete("daily");

    assertThat(done).hasSize(3).allMatch(time -> time.endsWith("T09:00:00Z"));
  }

  @Test
  void what_has_no_worker_stays() {
    TaskId id = schedule("nobody", "x", Duration.ofMinutes(1));

    KAIROS.advance(Duration.ofMinutes(5));

    assertThat(KAIROS.client().get(id).state()).isEqualTo(TaskState.NEW);
  }

  @Test
  void da17_a_jump_over_the_lease_gives_the_task_to_another_attempt() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch lost = new CountDownLatch(1);
    schedule("slow", "x", Duration.ZERO);
    try (Worker worker = Worker.builder(KAIROS.address()).concurrency(2).build()) {
      worker.handle(
          "slow",
          PayloadCodec.bytes(),
          (payload, context) -> {
            done.add("attempt " + context.attempt());
            if (context.attempt() == 1) {
              context.onCancel(lost::countDown);
              begun.countDown();
              lost.await();
            }
          });
      worker.start();
      begun.await();

      KAIROS.jump(Duration.ofHours(2));
      lost.await();
      KAIROS.awaitQuiescence();

      assertThat(done).containsExactly("attempt 1", "attempt 2");
    }
  }

  @Test
  void time_never_goes_back() {
    assertThatThrownBy(() -> KAIROS.advanceTo(START.minusSeconds(1)))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("never goes back");
  }

  @Test // PD-11
  void without_kafka_there_are_no_topics() {
    assertThatThrownBy(
            () -> KAIROS.client().schedule(TaskRequest.toTopic("orders").payload("x").build()))
        .hasMessageContaining("topic.name");
  }

  @Nested
  class Within {
    @Test
    void the_node_and_the_workers_of_the_outer_class_are_there() {
      KAIROS.client().schedule(OF_CLASS.task("within").build());

      KAIROS.awaitQuiescence();

      assertThat(DONE_FOR_CLASS).contains("within");
    }
  }

  private static TaskId schedule(String handler, String payload, Duration delay) {
    return KAIROS.client().schedule(TaskRequest.to(handler).payload(payload).delay(delay).build());
  }
}
