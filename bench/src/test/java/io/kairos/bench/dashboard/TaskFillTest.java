package io.kairos.bench.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.bench.load.LoadClock;
import io.kairos.bench.measure.BenchSql;
import io.kairos.domain.task.ErrorFingerprint;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.CollectionName;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.embedded.EmbeddedPostgres;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.engine.task.port.operator.FailureGroup;
import io.kairos.engine.task.port.operator.ListQuery;
import io.kairos.engine.task.port.operator.ListQuery.Search;
import io.kairos.engine.task.port.operator.TaskView;
import io.kairos.postgres.PostgresConfig;
import io.kairos.postgres.PostgresStores;
import io.kairos.postgres.SchemaConfig;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the store itself finds of a thousand rows of each kind. */
class TaskFillTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final int ROWS = 1_000;
  private static final int MANY = 10_000;
  private static final Set<TaskState> ALL = EnumSet.allOf(TaskState.class);
  private static PostgresStores stores;
  private static Connection connection;

  @BeforeAll
  static void fill() throws SQLException {
    EmbeddedPostgres postgres = EmbeddedPostgres.shared();
    String url = postgres.newDatabase();
    stores =
        PostgresStores.open(
            new PostgresConfig(
                url,
                postgres.user(),
                postgres.password(),
                2,
                PATIENCE,
                PATIENCE,
                false,
                SchemaConfig.defaults()));
    connection = DriverManager.getConnection(url, postgres.user(), postgres.password());
    new TaskFill(ROWS, ROWS, 20, 10).run(connection, LoadClock.micros(), _ -> {});
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
    stores.close();
  }

  private static TaskStore tasks() {
    return stores.tasks();
  }

  private static List<TaskView> list(
      @Nullable TaskHandler handler, Set<TaskState> states, Search search) {
    return tasks()
        .list(new ListQuery(handler, null, null, states, null, null, null, MANY, search))
        .tasks();
  }

  private static int found(TaskState... states) {
    return list(null, Set.of(states), Search.NONE).size();
  }

  private static long count(String sql) throws SQLException {
    return BenchSql.number(connection, "select count(*) from " + sql);
  }

  @Test
  void every_row_is_found_page_by_page() {
    int found = 0;
    TaskId before = null;
    do {
      var page =
          tasks().list(new ListQuery(null, null, null, ALL, null, null, before, 300, Search.NONE));
      found += page.tasks().size();
      before = page.next();
    } while (before != null);

    assertThat(found).isEqualTo(2 * ROWS);
  }

  @Test
  void rows_are_in_the_states_that_were_asked_for() {
    assertThat(found(TaskState.PROCESSING)).isEqualTo(10);
    assertThat(found(TaskState.RETRIABLE_FAILURE)).isEqualTo(10);
    assertThat(found(TaskState.BLOCKED)).isEqualTo(10);
    assertThat(found(TaskState.PAUSED)).isEqualTo(10);
    assertThat(found(TaskState.NEW)).isEqualTo(960);
    assertThat(found(TaskState.SUCCEEDED)).isEqualTo(955);
    assertThat(found(TaskState.DEAD)).isEqualTo(30);
    assertThat(found(TaskState.FAILED)).isEqualTo(10);
    assertThat(found(TaskState.CANCELLED)).isEqualTo(5);
  }

  @Test
  void one_in_a_hundred_is_a_run_half_of_them_of_one_schedule() throws SQLException {
    for (String table : List.of("task", "finished_task")) {
      assertThat(count(table + " where schedule_id is not null")).isEqualTo(10);
      assertThat(count(table + " where schedule_id = md5('dashboard-10')::uuid")).isEqualTo(6);
    }
  }

  @Test
  void failures_have_the_fingerprints_of_their_texts_and_are_found_by_them() throws SQLException {
    List<TaskView> failed =
        list(
            null,
            Set.of(TaskState.DEAD, TaskState.FAILED, TaskState.RETRIABLE_FAILURE),
            Search.NONE);
    assertThat(failed)
        .hasSize(50)
        .allSatisfy(task -> {
          TaskView.Failure last = task.progress().failures().getLast();
          assertThat(last.fingerprint())
              .isEqualTo(ErrorFingerprint.of(last.errorClass(), last.error()));
        });
    String fingerprint = TaskFill.fingerprint();
    List<TaskId> alike =
        failed.stream()
            .filter(task -> task.progress().failures().getLast().fingerprint().equals(fingerprint))
            .map(TaskView::id)
            .toList();
    assertThat(alike).isNotEmpty();
    assertThat(list(null, ALL, error("", fingerprint)))
        .extracting(TaskView::id)
        .containsExactlyElementsOf(alike);
    assertThat(list(null, ALL, error(TaskFill.errorClass(), ""))).hasSizeGreaterThan(alike.size());
    assertThat(count("task_error")).isEqualTo(40);
  }

  private static Search error(String errorClass, String fingerprint) {
    return new Search(null, 0, errorClass, fingerprint, null, null, "", null, null);
  }

  @Test
  void dead_and_failed_tasks_are_in_groups() {
    FailureGroup.Listing groups = tasks().failures(new FailureGroup.Query(null, null, MANY));

    assertThat(groups.isIncomplete()).isFalse();
    assertThat(groups.groups().stream().mapToInt(FailureGroup::count).sum()).isEqualTo(40);
    assertThat(groups.groups()).noneMatch(group -> group.fingerprint().isEmpty());
  }

  @Test
  void tasks_behind_a_key_wait_for_its_dead_head() throws SQLException {
    TaskHandler keyed = new HandlerName(TaskFill.KEYED_HANDLER);
    List<TaskView> behind =
        tasks()
            .list(
                new ListQuery(
                    keyed,
                    null,
                    new OrderingKey(TaskFill.KEY),
                    ALL,
                    null,
                    null,
                    null,
                    MANY,
                    Search.NONE))
            .tasks();

    assertThat(behind)
        .extracting(task -> task.progress().state())
        .containsOnly(TaskState.BLOCKED, TaskState.DEAD)
        .hasSize(11);
    assertThat(
            count(
                "task_key k join finished_task f on f.id = k.blocked_by and f.key = k.key and f.state = 'D'"))
        .isEqualTo(1)
        .isEqualTo(count("task_key"));
  }

  @Test
  void what_is_counted_is_counted_right() throws SQLException {
    assertThat(BenchSql.number(connection, "select running from task_limit")).isEqualTo(10);
    assertThat(
            BenchSql.number(
                connection, "select unfinished from task_handler where handler = 'handler-03'"))
        .isEqualTo(
            list(
                    new HandlerName("handler-03"),
                    EnumSet.complementOf(
                        EnumSet.of(
                            TaskState.SUCCEEDED,
                            TaskState.FAILED,
                            TaskState.CANCELLED,
                            TaskState.DEAD)),
                    Search.NONE)
                .size())
        .isPositive();
  }

  @Test
  void the_paused_collection_is_paused() {
    List<TaskView> paused =
        tasks()
            .list(
                new ListQuery(
                    new HandlerName(TaskFill.PAUSED_HANDLER),
                    new CollectionName(TaskFill.PAUSED_COLLECTION),
                    null,
                    ALL,
                    null,
                    null,
                    null,
                    MANY,
                    Search.NONE))
            .tasks();

    assertThat(paused)
        .hasSize(10)
        .extracting(task -> task.progress().state())
        .containsOnly(TaskState.PAUSED);
  }
}
