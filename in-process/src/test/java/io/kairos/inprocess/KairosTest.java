package io.kairos.inprocess;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kairos.client.KairosClient;
import io.kairos.client.ResultTaskType;
import io.kairos.client.ScheduleSpec;
import io.kairos.client.TaskOutcome;
import io.kairos.client.TaskRequest;
import io.kairos.client.TaskType;
import io.kairos.client.error.InvalidRequestException;
import io.kairos.client.error.TaskNotFoundException;
import io.kairos.client.error.UnknownMethodException;
import io.kairos.client.handler.RetryLater;
import io.kairos.client.handler.Snooze;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.task.RetryPolicy;
import io.kairos.client.task.TaskId;
import io.kairos.client.task.TaskState;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** This module's tests run without gRPC, Netty, Armeria, Jackson, Flyway and HikariCP. */
final class KairosTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  private static final ResultTaskType<String, String> SHOUT =
      TaskType.of("shout", PayloadCodec.utf8())
          .defaults(task -> task.retryPolicy(RetryPolicy.attempts(3)))
          .returning(PayloadCodec.utf8());

  private static final TaskType<String> NOTE = TaskType.of("note", PayloadCodec.utf8());

  private final TestSource source = TestSource.create();

  private static String shouted(String text) {
    return text.toUpperCase(java.util.Locale.ROOT);
  }

  private Kairos.Builder shouting() {
    return Kairos.inProcess(source).handle(SHOUT, (text, context) -> shouted(text));
  }

  @Test
  void a_typed_task_is_scheduled_performed_and_awaited() {
    try (Kairos kairos = shouting().start()) {
      KairosClient client = kairos.client();

      TaskId id = client.schedule(SHOUT.task("hello").build());

      assertThat(client.await(SHOUT, id, SOON)).contains("HELLO");
      assertThat(client.get(id).state()).isEqualTo(TaskState.SUCCEEDED);
      assertThat(client.async().await(SHOUT, id, SOON).join()).contains("HELLO");
    }
  }

  @Test
  void a_handler_may_fail_ask_for_a_retry_and_put_its_task_off() {
    AtomicInteger attempts = new AtomicInteger();
    try (Kairos kairos =
        Kairos.inProcess(source)
            .handle(
                SHOUT,
                (text, context) ->
                    switch (attempts.incrementAndGet()) {
                      case 1 -> throw new RetryLater("not yet", Duration.ofMillis(1));
                      case 2 -> throw new Snooze(Duration.ofMillis(1));
                      default -> shouted(text);
                    })
            .handle(
                NOTE,
                (text, context) -> {
                  throw new IllegalStateException("broken");
                })
            .start()) {
      KairosClient client = kairos.client();

      TaskId retried = client.schedule(SHOUT.task("again").build());
      TaskId broken = client.schedule(NOTE.task("x").retryPolicy(RetryPolicy.attempts(1)).build());

      assertThat(client.await(SHOUT, retried, SOON)).contains("AGAIN");
      assertThat(attempts).hasValue(3);
      assertThat(client.await(broken, SOON)).isNotInstanceOf(TaskOutcome.StillRunning.class);
      assertThat(client.get(broken).failures().getFirst().error()).contains("broken");
    }
  }

  @Test
  void a_schedule_makes_tasks() throws Exception {
    CountDownLatch twice = new CountDownLatch(2);
    try (Kairos kairos =
        Kairos.inProcess(source).handle(NOTE, (text, context) -> twice.countDown()).start()) {
      kairos
          .client()
          .schedules()
          .apply(
              ScheduleSpec.named("each-second")
                  .every(Duration.ofSeconds(1))
                  .task(NOTE.task("tick").build())
                  .build());

      assertThat(twice.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(kairos.client().schedules().get("each-second").name()).isEqualTo("each-second");
    }
  }

  @Test
  void a_task_is_stored_with_the_applications_own_rows() throws Exception {
    source.execute("create table orders (id text)");
    try (Kairos kairos = shouting().start();
        Connection connection = source.getConnection()) {
      connection.setAutoCommit(false);
      connection.createStatement().execute("insert into orders values ('1')");
      TaskId dropped = kairos.schedule(connection, SHOUT.task("one").build());
      connection.rollback();

      connection.createStatement().execute("insert into orders values ('2')");
      TaskId kept = kairos.schedule(connection, SHOUT.task("two").build());
      connection.createStatement().execute("insert into orders values ('3')");
      connection.commit();

      assertThat(kairos.client().await(SHOUT, kept, SOON)).contains("TWO");
      assertThatExceptionOfType(TaskNotFoundException.class)
          .isThrownBy(() -> kairos.client().get(dropped));
      assertThat(source.number("select count(*) from orders")).isEqualTo(2);
    }
  }

  @Test
  void instances_share_the_tasks_and_none_is_performed_twice() {
    Set<String> performed = ConcurrentHashMap.newKeySet();
    AtomicInteger twice = new AtomicInteger();
    TestSource other = source.bounded(100);
    try (Kairos one = noting(source, performed, twice).start();
        Kairos two = noting(other, performed, twice).start()) {
      List<TaskId> ids = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        List<TaskRequest> batch = new ArrayList<>();
        for (int j = 0; j < 50; j++) {
          batch.add(NOTE.task(i + "-" + j).build());
        }
        ids.addAll((i % 2 == 0 ? one : two).client().schedule(batch));
      }

      ids.forEach(
          id -> assertThat(two.client().await(id, SOON)).isInstanceOf(TaskOutcome.Succeeded.class));
      assertThat(performed).hasSize(500);
      assertThat(twice).hasValue(0);
    }
  }

  private static Kairos.Builder noting(
      TestSource source, Set<String> performed, AtomicInteger twice) {
    return Kairos.inProcess(source)
        .handle(
            NOTE,
            (text, context) -> {
              if (!performed.add(text)) {
                twice.incrementAndGet();
              }
            });
  }

  @Test
  void what_a_dead_instance_performed_is_taken_over() throws Exception {
    StuckHandler stuck = new StuckHandler();
    TestSource dying = source.bounded(100);
    Kairos dead = Kairos.inProcess(dying).drainTime(Duration.ZERO).handle(SHOUT, stuck).start();
    TaskId id = dead.client().schedule(SHOUT.task("orphan").build());
    stuck.awaitBegun();

    dying.die();

    try (Kairos heir = shouting().start()) {
      assertThat(heir.client().await(SHOUT, id, SOON)).contains("ORPHAN");
    }
    dead.close();
  }

  @Test
  void closing_drains_what_has_begun_and_gives_the_connections_back() throws Exception {
    StuckHandler stuck = new StuckHandler();
    Kairos kairos = Kairos.inProcess(source).handle(SHOUT, stuck).start();
    TaskId id = kairos.client().schedule(SHOUT.task("late").build());
    stuck.awaitBegun();
    assertThat(source.open()).isBetween(3, 5);

    try (var closing = Executors.newSingleThreadExecutor()) {
      var closed = closing.submit(kairos::close);
      stuck.letGo();
      closed.get(SOON.toSeconds(), TimeUnit.SECONDS);
    }

    assertThat(source.open()).isZero();
    try (Kairos after = shouting().start()) {
      assertThat(after.client().get(id).state()).isEqualTo(TaskState.SUCCEEDED);
    }
  }

  @Test
  void a_connection_goes_back_with_the_settings_with_which_it_came() throws Exception {
    TestSource transactional = source.withoutAutoCommit();
    ReturnedConnections pool = new ReturnedConnections(transactional);

    try (Kairos kairos =
        Kairos.inProcess(pool).handle(SHOUT, (text, context) -> shouted(text)).start()) {
      TaskId id = kairos.client().schedule(SHOUT.task("hello").build());
      assertThat(kairos.client().await(SHOUT, id, SOON)).contains("HELLO");
    }

    assertThat(pool.idle()).hasSizeGreaterThanOrEqualTo(3);
    for (Connection one : pool.idle()) {
      assertThat(one.getAutoCommit()).isFalse();
      assertThat(one.getNetworkTimeout()).isZero();
      assertThat(setting(one, "enable_seqscan")).isEqualTo("on");
      assertThat(setting(one, "search_path")).isEqualTo("\"$user\", public");
      assertThat(setting(one, "statement_timeout")).isEqualTo("0");
      one.close();
    }
  }

  private static String setting(Connection connection, String name) throws Exception {
    try (var statement = connection.createStatement();
        var row = statement.executeQuery("show " + name)) {
      row.next();
      return requireNonNull(row.getString(1));
    }
  }

  @Test
  void too_few_connections_are_found_at_the_start() {
    assertThatExceptionOfType(InProcessStartException.class)
        .isThrownBy(() -> Kairos.inProcess(source.bounded(4)).start())
        .withMessageContaining("has given 4 connections, and Kairos keeps 5")
        .withMessageContaining("connections(...)");
    assertThatExceptionOfType(InProcessStartException.class)
        .isThrownBy(() -> Kairos.inProcess(source.bounded(1)).start())
        .withMessageContaining("has given 1 connections, and Kairos keeps 5");
    assertThatExceptionOfType(InProcessStartException.class)
        .isThrownBy(() -> Kairos.inProcess(source.bounded(3)).connections(3).start())
        .withMessageContaining("needs at least 4");

    Kairos.inProcess(source.bounded(4)).connections(3).start().close();
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> Kairos.inProcess(source).connections(2).start())
        .withMessageContaining("3 to 100");
  }

  @Test
  void a_schema_that_needs_a_newer_library_is_refused() {
    Kairos.inProcess(source).start().close();
    source.execute(
        "insert into kairos.flyway_schema_history select 1000, '999', 'contract after 998 drop it', 'SQL', 'V999', 1, 'x', now(), 1, true");

    assertThatExceptionOfType(InProcessStartException.class)
        .isThrownBy(() -> Kairos.inProcess(source).start())
        .withMessageContaining("version 999")
        .withMessageContaining("needs nodes that know version 998");
  }

  @Test
  void a_missing_schema_is_refused_where_it_may_not_be_made() {
    assertThatExceptionOfType(InProcessStartException.class)
        .isThrownBy(() -> Kairos.inProcess(source).withoutMigration().start())
        .withMessageContaining("kairos schema print");

    Kairos.inProcess(source).start().close();
    Kairos.inProcess(source).withoutMigration().start().close();
  }

  @Test
  void another_schema_beside_one_that_has_the_tables_is_refused() {
    Kairos.inProcess(source).start().close();

    assertThatExceptionOfType(InProcessStartException.class)
        .isThrownBy(() -> Kairos.inProcess(source).schema("other").start())
        .withMessageContaining("schema(\"kairos\")");
    assertThat(source.number("select count(*) from pg_namespace where nspname = 'other'")).isZero();
  }

  @Test
  void a_handler_that_nobody_has_and_one_that_is_there_twice_are_refused() {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> shouting().handle(SHOUT, (text, context) -> ""))
        .withMessageContaining("shout is registered already");

    try (Kairos kairos = shouting().handledElsewhere("theirs").start()) {
      KairosClient client = kairos.client();
      assertThatExceptionOfType(InvalidRequestException.class)
          .isThrownBy(() -> client.schedule(TaskRequest.to("shuot").payload("x").build()))
          .withMessageContaining("[shout]");
      assertThat(client.schedule(TaskRequest.to("theirs").payload("x").build())).isNotNull();
      assertThatExceptionOfType(InvalidRequestException.class)
          .isThrownBy(() -> client.schedule(SHOUT.task("x").priority(1_000).build()))
          .satisfies(refused -> assertThat(refused.field()).isEqualTo("priority"));
      assertThatExceptionOfType(InvalidRequestException.class)
          .isThrownBy(() -> client.schedule(TaskRequest.toPool("web", "/").payload("x").build()))
          .withMessageContaining("server");
      assertThatExceptionOfType(InvalidRequestException.class)
          .isThrownBy(() -> client.schedule(TaskRequest.toTopic("out").payload("x").build()))
          .withMessageContaining("broker");
      assertThatExceptionOfType(UnknownMethodException.class)
          .isThrownBy(client::cluster)
          .withMessageContaining("server");
    }
  }
}
