package io.kairos.inprocess;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kairos.client.Backfill;
import io.kairos.client.Idempotency;
import io.kairos.client.KairosClient;
import io.kairos.client.ResultTaskType;
import io.kairos.client.ScheduleClient;
import io.kairos.client.ScheduleQuery;
import io.kairos.client.ScheduleSpec;
import io.kairos.client.TaskOutcome;
import io.kairos.client.TaskQuery;
import io.kairos.client.TaskRequest;
import io.kairos.client.TaskType;
import io.kairos.client.encryption.EncryptedPayloads;
import io.kairos.client.encryption.PayloadKeys;
import io.kairos.client.error.InvalidRequestException;
import io.kairos.client.error.KairosException;
import io.kairos.client.error.NodesUnavailableException;
import io.kairos.client.schedule.FireQuery;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.task.RetryPolicy;
import io.kairos.client.task.TaskId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** What applications do wrong, and what happens to them. */
@Timeout(180)
final class TroubleTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  private static final ResultTaskType<String, String> SHOUT =
      TaskType.of("shout", PayloadCodec.utf8())
          .defaults(task -> task.retryPolicy(RetryPolicy.attempts(3)))
          .returning(PayloadCodec.utf8());

  private final TestSource source = TestSource.create();

  private static Kairos.Builder shouting(DataSource source) {
    return Kairos.inProcess(source).handle(SHOUT, (text, context) -> text.toUpperCase(Locale.ROOT));
  }

  private static void assertWorks(Kairos kairos) {
    KairosClient client = kairos.client();
    TaskId id = client.schedule(SHOUT.task("hello").build());
    assertThat(client.await(SHOUT, id, SOON)).contains("HELLO");
  }

  private static void assertWorksInTransaction(Kairos kairos, Connection connection, String text)
      throws SQLException {
    connection.setAutoCommit(false);
    TaskId id = kairos.schedule(connection, SHOUT.task(text).build());
    connection.commit();
    assertThat(kairos.client().await(SHOUT, id, SOON)).contains(text.toUpperCase(Locale.ROOT));
  }

  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("kairos"))
        .filter(thread -> !thread.getName().startsWith("kairos-embedded"))
        .collect(Collectors.toSet());
  }

  private static void assertThreadsEnd(Duration within) throws InterruptedException {
    long until = System.nanoTime() + within.toNanos();
    for (Thread one : threads()) {
      one.join(Duration.ofNanos(Math.max(1, until - System.nanoTime())));
    }
    assertThat(threads()).isEmpty();
  }

  private static Duration took(Runnable action) {
    long since = System.nanoTime();
    action.run();
    return Duration.ofNanos(System.nanoTime() - since);
  }

  /** A pool that has none for a while, and fails as its owner says. */
  private static final class MoodySource extends PGSimpleDataSource {
    private static final long serialVersionUID = 1L;

    private final transient DataSource source;
    private final transient CountDownLatch asked = new CountDownLatch(20);
    private transient volatile @Nullable Callable<Connection> instead;

    MoodySource(DataSource source) {
      this.source = source;
    }

    /** From now on all connections are gone, and this is done when another is asked for. */
    void turn(TestSource database, Callable<Connection> newInstead) {
      instead = newInstead;
      database.execute(
          "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()");
    }

    void recover() {
      instead = null;
    }

    void awaitAsked() throws InterruptedException {
      assertThat(asked.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    @Override
    public Connection getConnection() throws SQLException {
      Callable<Connection> present = instead;
      if (present == null) {
        return source.getConnection();
      }
      asked.countDown();
      try {
        return present.call();
      } catch (SQLException | RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new SQLException(e);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "reWriteBatchedInserts=true",
        "stringtype=unspecified",
        "prepareThreshold=0",
        "preferQueryMode=simple",
        "preferQueryMode=extendedForPrepared",
        "preferQueryMode=extendedCacheEverything",
        "binaryTransfer=false",
        "autosave=always",
        "currentSchema=public,pg_catalog",
        "defaultRowFetchSize=10",
        "socketTimeout=1",
        "options=-c%20statement_timeout=200%20-c%20default_transaction_isolation=serializable%20-c%20bytea_output=escape%20-c%20datestyle=german%20-c%20intervalstyle=iso_8601%20-c%20timezone=Asia/Kathmandu%20-c%20standard_conforming_strings=on%20-c%20extra_float_digits=0",
        "preparedStatementCacheQueries=0",
      })
  void a_driver_with_settings_of_the_application_serves(String setting) throws Exception {
    TestSource set = source.bounded(100);
    set.setUrl(set.getUrl() + (set.getUrl().contains("?") ? "&" : "?") + setting);
    CountDownLatch ticked = new CountDownLatch(2);
    TaskType<String> tick = TaskType.of("tick", PayloadCodec.utf8());
    try (Kairos kairos =
        shouting(set).handle(tick, (text, context) -> ticked.countDown()).start()) {
      assertWorks(kairos);
      kairos
          .client()
          .schedules()
          .apply(
              ScheduleSpec.named("each-second")
                  .every(Duration.ofSeconds(1))
                  .task(tick.task("x").build())
                  .build());
      List<TaskRequest> batch = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        batch.add(SHOUT.task("t" + i).build());
      }
      for (TaskId one : kairos.client().schedule(batch)) {
        assertThat(kairos.client().await(one, SOON)).isInstanceOf(TaskOutcome.Succeeded.class);
      }
      assertThat(ticked.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
    assertThat(set.open()).isZero();
  }

  @Test
  void all_threads_end_with_the_node() throws Exception {
    try (Kairos kairos = shouting(source).start()) {
      assertWorks(kairos);
      assertThat(threads()).isNotEmpty().allMatch(Thread::isDaemon);
    }
    assertThreadsEnd(Duration.ofSeconds(10));
    assertThat(source.open()).isZero();
  }

  @Test
  void closing_twice_and_at_once_is_closing() throws Exception {
    Kairos kairos = shouting(source).start();
    assertWorks(kairos);
    try (ExecutorService closers = Executors.newFixedThreadPool(4)) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        all.add(closers.submit(kairos::close));
      }
      for (Future<?> one : all) {
        one.get(SOON.toSeconds(), TimeUnit.SECONDS);
      }
    }
    kairos.close();
    assertThat(source.open()).isZero();
  }

  @Test
  void a_handler_that_closes_its_node_is_bounded_and_gives_back() throws Exception {
    AtomicReference<Kairos> node = new AtomicReference<>();
    CompletableFuture<Duration> closed = new CompletableFuture<>();
    CountDownLatch ready = new CountDownLatch(1);
    Kairos kairos =
        Kairos.inProcess(source)
            .drainTime(Duration.ofSeconds(2))
            .handle(
                SHOUT,
                (text, context) -> {
                  ready.await();
                  closed.complete(took(node.get()::close));
                  return "";
                })
            .start();
    node.set(kairos);
    kairos.client().schedule(SHOUT.task("x").build());
    ready.countDown();

    assertThat(closed.get(30, TimeUnit.SECONDS)).isLessThan(Duration.ofSeconds(10));
    assertThat(source.open()).isZero();
    assertThat(source.number("select count(*) from kairos.node where retired_at is null"))
        .as("nodes that have not said goodbye")
        .isZero();
    assertThreadsEnd(Duration.ofSeconds(15));
  }

  @Test
  void a_close_on_an_interrupted_thread_says_goodbye() throws Exception {
    Kairos kairos = shouting(source).start();
    assertWorks(kairos);
    Thread closing =
        Thread.ofPlatform()
            .start(() -> {
              Thread.currentThread().interrupt();
              kairos.close();
            });
    closing.join(Duration.ofSeconds(40));
    assertThat(closing.isAlive()).isFalse();
    assertThat(source.open()).isZero();
    assertThat(source.number("select count(*) from kairos.node where retired_at is null"))
        .as("nodes that have not said goodbye")
        .isZero();
    assertThreadsEnd(Duration.ofSeconds(15));
  }

  @Test
  void a_handler_that_ignores_the_end_does_not_hold_up_the_close() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    AtomicBoolean release = new AtomicBoolean();
    Kairos kairos =
        Kairos.inProcess(source)
            .drainTime(Duration.ofSeconds(1))
            .handle(
                SHOUT,
                (text, context) -> {
                  begun.countDown();
                  while (!release.get()) {
                    Thread.onSpinWait();
                  }
                  return "late";
                })
            .start();
    TaskId id = kairos.client().schedule(SHOUT.task("x").build());
    assertThat(begun.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();

    assertThat(took(kairos::close)).isLessThan(Duration.ofSeconds(8));
    assertThat(source.open()).isZero();
    try (Kairos heir = shouting(source).start()) {
      assertThat(heir.client().await(SHOUT, id, SOON)).contains("X");
      release.set(true);
    }
    assertThreadsEnd(Duration.ofSeconds(20));
  }

  @Test
  void calls_while_and_after_the_node_closes_are_answered() throws Exception {
    Kairos kairos = shouting(source).start();
    KairosClient client = kairos.client();
    TaskId far = client.schedule(SHOUT.task("far").delay(Duration.ofDays(1)).build());
    CompletableFuture<?> waiting = client.async().await(far, Duration.ofSeconds(50));
    AtomicBoolean over = new AtomicBoolean();
    CountDownLatch answered = new CountDownLatch(100);
    List<CompletableFuture<TaskId>> later = new ArrayList<>();
    List<TaskId> stored = new ArrayList<>();
    try (ExecutorService callers = Executors.newFixedThreadPool(8)) {
      List<Future<Integer>> all = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        boolean async = i % 2 == 0;
        all.add(
            callers.submit(() -> {
              int failed = 0;
              while (!over.get() || failed == 0) {
                try {
                  if (async) {
                    CompletableFuture<TaskId> one =
                        client.async().schedule(SHOUT.task("x").build());
                    synchronized (later) {
                      later.add(one);
                    }
                    one.get(60, TimeUnit.SECONDS);
                  } else {
                    client.get(far);
                  }
                  answered.countDown();
                } catch (KairosException | ExecutionException e) {
                  failed++;
                  if (failed > 3) {
                    return failed;
                  }
                }
              }
              return failed;
            }));
      }
      assertThat(answered.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
      Duration took = took(kairos::close);
      over.set(true);
      assertThat(took).isLessThan(Duration.ofSeconds(10));
      for (Future<Integer> one : all) {
        assertThat(one.get(60, TimeUnit.SECONDS)).isPositive();
      }
    }
    for (CompletableFuture<TaskId> one : later) {
      assertThat(one).isDone();
      if (!one.isCompletedExceptionally()) {
        stored.add(one.join());
      }
    }
    waiting.handle((value, failure) -> true).get(10, TimeUnit.SECONDS);
    assertThatExceptionOfType(KairosException.class).isThrownBy(() -> client.get(far));
    assertThatExceptionOfType(KairosException.class)
        .isThrownBy(() -> client.schedule(SHOUT.task("x").build()));
    try (Kairos next = shouting(source).start()) {
      for (TaskId one : stored) {
        assertThat(next.client().await(one, SOON)).isInstanceOf(TaskOutcome.Succeeded.class);
      }
    }
    assertThreadsEnd(Duration.ofSeconds(10));
  }

  @Test
  void a_pool_that_is_closed_first_does_not_hold_up_the_close() throws Exception {
    TestSource dying = source.bounded(100);
    Kairos kairos = shouting(dying).start();
    assertWorks(kairos);
    dying.die();
    assertThat(took(kairos::close)).isLessThan(Duration.ofSeconds(40));
    assertThreadsEnd(Duration.ofSeconds(10));
  }

  @Test
  void a_data_source_that_throws_for_a_while_does_not_break_the_node() throws Exception {
    MoodySource moody = new MoodySource(source);
    try (Kairos kairos = shouting(moody).start()) {
      assertWorks(kairos);
      moody.turn(
          source,
          () -> {
            throw new IllegalStateException("no tenant is chosen");
          });
      moody.awaitAsked();
      moody.recover();

      assertWorksAgain(kairos);
    }
  }

  /** A call that was cut off may have had an effect, so it is not repeated by itself. */
  private static void assertWorksAgain(Kairos kairos) {
    for (int attempt = 1; ; attempt++) {
      try {
        assertWorks(kairos);
        return;
      } catch (NodesUnavailableException e) {
        assertThat(attempt).isLessThan(20);
      }
    }
  }

  @Test
  void a_node_lives_on_when_the_database_ends_all_its_connections() {
    MoodySource moody = new MoodySource(source);
    try (Kairos kairos = shouting(moody).start()) {
      for (int i = 0; i < 3; i++) {
        assertWorksAgain(kairos);
        moody.turn(source, source::getConnection);
      }
      assertWorksAgain(kairos);
    }
  }

  @Test
  void a_pool_that_never_answers_again_does_not_hold_up_the_close() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    CountDownLatch asked = new CountDownLatch(1);
    MoodySource hanging = new MoodySource(source);
    Kairos kairos = shouting(hanging).start();
    assertWorks(kairos);
    hanging.turn(
        source,
        () -> {
          asked.countDown();
          while (true) {
            try {
              never.await();
              throw new SQLException("over");
            } catch (InterruptedException ignored) {
              // as pools do that wait with monitors
            }
          }
        });
    assertThat(asked.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();

    assertThat(took(kairos::close)).isLessThan(Duration.ofSeconds(45));
    never.countDown();
  }

  @Test
  void a_refused_task_leaves_the_transactions_search_path_as_it_was() throws Exception {
    source.execute("create table task (id text)");
    try (Kairos kairos = shouting(source).start();
        Connection connection = source.getConnection()) {
      connection.setAutoCommit(false);
      assertThatExceptionOfType(InvalidRequestException.class)
          .isThrownBy(() ->
              kairos.schedule(
                  connection,
                  SHOUT.task("x").idempotency(Idempotency.key("k").whileWaiting()).build()));
      try (Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery("show search_path")) {
        row.next();
        assertThat(row.getString(1)).isEqualTo("\"$user\", public");
      }
      connection.commit();
    }
  }

  @Test
  void a_transaction_may_not_schedule_for_a_handler_that_nobody_has() throws Exception {
    try (Kairos kairos = shouting(source).start();
        Connection connection = source.getConnection()) {
      connection.setAutoCommit(false);
      assertThatExceptionOfType(InvalidRequestException.class)
          .isThrownBy(
              () -> kairos.schedule(connection, TaskRequest.to("shuot").payload("x").build()))
          .withMessageContaining("[shout]");
    }
  }

  @Test
  void a_payload_that_is_too_large_is_refused() throws Exception {
    try (Kairos kairos = shouting(source).start();
        Connection connection = source.getConnection()) {
      String large = "x".repeat((1 << 20) + 1);
      assertThatExceptionOfType(InvalidRequestException.class)
          .isThrownBy(() -> kairos.client().schedule(SHOUT.task(large).build()))
          .withMessageContaining("payload");
      connection.setAutoCommit(false);
      assertThatExceptionOfType(Exception.class)
          .isThrownBy(() -> kairos.schedule(connection, SHOUT.task(large).build()))
          .withMessageContaining("payload");
    }
  }

  @Test
  @SuppressWarnings("NullAway") // null is one of them
  void settings_that_break_a_rule_are_refused_where_they_are_made() {
    Kairos.Builder builder = Kairos.inProcess(source);
    assertThatExceptionOfType(NullPointerException.class)
        .isThrownBy(() -> Kairos.inProcess(null))
        .withMessageContaining("dataSource");
    for (String schema : List.of("", "Jobs", "a,b", "pg_x", "x\"y")) {
      assertThatExceptionOfType(IllegalArgumentException.class)
          .isThrownBy(() -> builder.schema(schema))
          .withMessageContaining("schema");
    }
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> builder.connections(2))
        .withMessageContaining("3 to 100");
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> builder.concurrency(0))
        .withMessageContaining("concurrency");
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> builder.drainTime(Duration.ofSeconds(-1)))
        .withMessageContaining("drainTime");
    for (Duration most :
        List.of(Duration.ofSeconds(-1), Duration.ofNanos(1), Duration.ofDays(100))) {
      assertThatExceptionOfType(IllegalArgumentException.class)
          .isThrownBy(() -> builder.statementTimeout(most))
          .withMessageContaining("statementTimeout");
    }
    assertThat(source.number("select count(*) from pg_namespace where nspname = 'kairos'"))
        .isZero();
  }

  @Test
  void a_user_who_may_not_change_the_schema_does_all_else() throws Exception {
    Kairos.inProcess(source).start().close();
    source.execute(
        """
        drop role if exists trouble_app; create role trouble_app login password 'x';
        grant usage on schema kairos to trouble_app;
        grant select, insert, update, delete on all tables in schema kairos to trouble_app;
        revoke insert, update, delete on kairos.flyway_schema_history from trouble_app;
        grant usage, select, update on all sequences in schema kairos to trouble_app;
        grant execute on all functions in schema kairos to trouble_app
        """);
    TestSource weak = source.bounded(100);
    weak.setUser("trouble_app");
    weak.setPassword("x");
    for (boolean migrates : new boolean[] {true, false}) {
      Kairos.Builder builder = shouting(weak);
      try (Kairos kairos = (migrates ? builder : builder.withoutMigration()).start();
          Connection connection = weak.getConnection()) {
        assertWorks(kairos);
        kairos.client().schedules().apply(nightly("0 2 * * *", "x"));
        assertWorksInTransaction(kairos, connection, "both");
      }
    }
  }

  @Test
  void a_node_that_somebody_breaks_gives_up_its_tasks_and_can_be_closed() throws Exception {
    StuckHandler stuck = new StuckHandler();
    Kairos broken =
        Kairos.inProcess(source).drainTime(Duration.ofSeconds(1)).handle(SHOUT, stuck).start();
    TaskId id = broken.client().schedule(SHOUT.task("x").build());
    stuck.awaitBegun();

    threads().stream()
        .filter(thread -> thread.getName().equals("kairos-liveness"))
        .forEach(Thread::interrupt);

    try (Kairos heir = shouting(source).start()) {
      assertThat(heir.client().await(SHOUT, id, SOON)).contains("X");
      assertThatExceptionOfType(NodesUnavailableException.class)
          .isThrownBy(() -> broken.client().get(id));
      assertThat(took(broken::close)).isLessThan(Duration.ofSeconds(10));
    }
    assertThat(source.open()).isZero();
    assertThreadsEnd(Duration.ofSeconds(10));
  }

  @Test
  void two_nodes_of_one_process_end_one_by_one() {
    TestSource other = TestSource.create();
    Kairos one = shouting(source).start();
    Kairos two = shouting(other).start();
    assertWorks(one);
    assertWorks(two);
    one.close();
    assertWorks(two);
    two.close();
    assertThat(Map.of(source.open(), other.open())).isEqualTo(Map.of(0, 0));
  }

  @Test
  void an_encrypting_application_encrypts_in_transactions_too(@TempDir Path folder)
      throws Exception {
    Path keys = Files.writeString(folder.resolve("keys"), "k:" + "A".repeat(43) + "=");
    try (Kairos kairos =
            shouting(source).encryption(EncryptedPayloads.with(PayloadKeys.ofFile(keys))).start();
        Connection connection = source.getConnection()) {
      assertWorksInTransaction(kairos, connection, "secret");
    }
  }

  @Test
  void calls_that_wait_for_a_retry_end_with_the_node() throws Exception {
    MoodySource dying = new MoodySource(source);
    Kairos kairos = shouting(dying).start();
    TaskId far = kairos.client().schedule(SHOUT.task("far").delay(Duration.ofDays(1)).build());
    dying.turn(
        source,
        () -> {
          throw new SQLException("none left");
        });
    List<CompletableFuture<?>> calls = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      calls.add(kairos.client().async().get(far));
    }
    dying.awaitAsked();
    kairos.close();
    for (CompletableFuture<?> one : calls) {
      assertThat(
              one.handle((value, failure) -> Optional.ofNullable(failure))
                  .get(10, TimeUnit.SECONDS))
          .isPresent();
    }
  }

  @Test
  void a_call_with_more_bytes_than_a_server_takes_is_refused() {
    try (Kairos kairos = shouting(source).start()) {
      String large = "x".repeat(1 << 20);
      List<TaskRequest> batch = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        batch.add(SHOUT.task(large).build());
      }
      assertThatExceptionOfType(KairosException.class)
          .isThrownBy(() -> kairos.client().schedule(batch))
          .withMessageContaining("bytes; send less in one request");
    }
  }

  private static ScheduleSpec nightly(String cron, String payload) {
    return ScheduleSpec.named("nightly").cron(cron).task(SHOUT.task(payload).build()).build();
  }

  @Test
  void every_call_that_is_served_inside_needs_no_library_of_servers() {
    try (Kairos kairos = shouting(source).start()) {
      KairosClient client = kairos.client();
      ScheduleClient schedules = client.schedules();

      schedules.apply(nightly("0 2 * * *", "one"));
      assertThat(schedules.dryRun(nightly("0 4 * * *", "two")).changes()).isNotEmpty();
      assertThat(schedules.apply(nightly("0 3 * * *", "two")).changes()).isNotEmpty();
      assertThat(schedules.apply(nightly("0 3 * * *", "two")).changes()).isEmpty();
      schedules.update(nightly("0 5 * * *", "three"), List.of("cron", "target.payload"));
      assertThat(schedules.get("nightly").name()).isEqualTo("nightly");
      assertThat(schedules.list(ScheduleQuery.all())).hasSize(1);
      schedules.pause("nightly", "a note");
      schedules.resume("nightly");
      schedules.trigger("nightly");
      assertThat(schedules.preview(nightly("0 5 * * *", "x"), 3).fires()).hasSize(3);
      schedules.backfill(
          Backfill.of(
              "nightly", Instant.now().minus(Duration.ofDays(3)), Instant.now().minusSeconds(1)));
      schedules.fires(FireQuery.of("nightly"));
      schedules.explain("nightly");
      schedules.putCalendar("holidays", "week MON-FRI 09:00-17:00");
      schedules.checkCalendar("holidays", "week MON-FRI 09:00-18:00");
      schedules.calendar("holidays");
      assertThat(schedules.calendars()).hasSize(1);
      schedules.deleteCalendar("holidays");
      schedules.delete("nightly");

      TaskId far = client.schedule(SHOUT.task("far").delay(Duration.ofDays(1)).build());
      client.reschedule(far, Duration.ofDays(2));
      assertThat(client.list(TaskQuery.all()).tasks()).isNotEmpty();
      client.graph(far);
      client.cancel(far);
      client.cancelGraph(far);
      assertThatExceptionOfType(InvalidRequestException.class)
          .isThrownBy(() -> schedules.apply(nightly("never", "x")));
      assertThatExceptionOfType(KairosException.class)
          .isThrownBy(() -> schedules.get("unknown"))
          .withMessageContaining("unknown");
    }
  }
}
