package io.kairos.postgres.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.engine.task.port.operator.ChangeRequest;
import io.kairos.engine.task.port.operator.ChangeResult;
import io.kairos.engine.task.port.operator.FailureGroup;
import io.kairos.engine.task.port.operator.ListQuery;
import io.kairos.engine.task.port.operator.RedriveRequest;
import io.kairos.engine.task.port.operator.RedriveResult;
import io.kairos.engine.task.port.operator.TaskListing;
import io.kairos.engine.task.port.operator.TaskView;
import io.kairos.postgres.PostgresStores;
import io.kairos.postgres.TestDatabase;
import io.kairos.postgres.task.row.TaskStateColumn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Lists that match little of much. */
final class TaskListTest {
  private static final QueueName RARE = new QueueName(new HandlerName("rare"), 50);
  private static final QueueName MAIL = new QueueName(new HandlerName("mail"), 50);
  private static final Set<TaskState> ALL = EnumSet.allOf(TaskState.class);

  private static final String ID = "(lpad(to_hex(n), 12, '0') || '70008000000000000000')::uuid";

  private static final TestDatabase DATABASE = TestDatabase.create();
  private static PostgresStores stores;
  private static TaskStore tasks;

  @BeforeAll
  static void open() {
    stores = DATABASE.open();
    tasks = stores.tasks();
  }

  @AfterAll
  static void close() {
    stores.close();
  }

  @BeforeEach
  void empty() {
    DATABASE.execute("truncate task, finished_task, task_error, schedule, schedule_fire");
  }

  @ParameterizedTest
  @EnumSource(names = {"NEW", "SUCCEEDED", "DEAD"})
  void a_list_reads_a_bounded_number_of_rows_and_says_where_it_goes_on(TaskState state) {
    int others = 2 * TaskViews.MOST_LOOKED + 10;
    insert(RARE, state, 1, 2);
    insert(MAIL, state, 3, 2 + others);
    insert(RARE, state, 3 + others, 3 + others);

    List<TaskListing> pages = pages(ListQuery.ofHandler(RARE.handler(), ALL, null, 10));

    assertThat(pages)
        .extracting(page -> page.tasks().stream().map(TaskView::id).toList())
        .containsExactly(List.of(id(3 + others)), List.of(), List.of(id(2), id(1)));
  }

  @ParameterizedTest
  @CsvSource({"NEW, DEAD", "DEAD, NEW", "SUCCEEDED, FAILED", "FAILED, SUCCEEDED"})
  void what_one_kind_has_below_the_end_of_another_comes_with_a_later_page(
      TaskState much, TaskState little) {
    int others = TaskViews.MOST_LOOKED + 10;
    insert(RARE, little, 1, 1);
    insert(MAIL, much, 2, 1 + others);

    List<TaskListing> pages =
        pages(ListQuery.ofHandler(RARE.handler(), Set.of(much, little), null, 10));

    assertThat(pages.getLast().tasks()).extracting(TaskView::id).containsExactly(id(1));
    assertThat(pages).hasSize(2);
  }

  @Test
  void an_end_of_a_page_that_has_looked_far_says_so() {
    insert(MAIL, TaskState.DEAD, 1, 2 * TaskViews.MOST_LOOKED + 10);

    TaskListing page = tasks.list(ListQuery.ofHandler(RARE.handler(), ALL, null, 10));
    TaskListing full = tasks.list(ListQuery.ofHandler(MAIL.handler(), ALL, null, 10));

    assertThat(page.isIncomplete()).isTrue();
    assertThat(full.isIncomplete()).isFalse();
    assertThat(full.next()).isNotNull();
  }

  @Test
  void waiting_tasks_of_an_ordering_key_are_found_however_many_others_wait() {
    insert(RARE, TaskState.NEW, 1, 3);
    DATABASE.execute(
        "insert into task_key (handler, key) values ('rare', 'a');"
            + " update task set key_id = (select max(id) from task_key) where queue_id ="
            + " (select q.id from task_queue q where q.handler = 'rare')");
    insert(MAIL, TaskState.NEW, 4, 2 * TaskViews.MOST_LOOKED);
    ListQuery ofKey =
        new ListQuery(
            RARE.handler(),
            null,
            new OrderingKey("a"),
            Set.of(TaskState.NEW, TaskState.BLOCKED),
            null,
            null,
            null,
            2);

    List<TaskListing> pages = pages(ofKey);

    assertThat(pages)
        .extracting(page -> page.tasks().stream().map(TaskView::id).toList())
        .containsExactly(List.of(id(3), id(2)), List.of(id(1)));
    assertThat(pages).noneMatch(TaskListing::isIncomplete);
  }

  /** Few in a time are all read, many are walked past. */
  @Test
  void what_ended_within_a_time_is_found_among_much_that_ended_at_other_times() {
    insert(RARE, TaskState.SUCCEEDED, 1, 1);
    insert(RARE, TaskState.DEAD, 2, 2);
    DATABASE.execute("update finished_task set finished_at = 100");
    insert(MAIL, TaskState.SUCCEEDED, 3, 3 * TaskViews.MOST_LOOKED);

    TaskListing few = tasks.list(ended(100L, 101L));
    TaskListing many = tasks.list(ended(1L, 2L));

    assertThat(few.tasks()).extracting(TaskView::id).containsExactly(id(2), id(1));
    assertThat(few.next()).isNull();
    assertThat(many.tasks()).hasSize(10);
    assertThat(many.next()).isNotNull();
  }

  @Test
  void a_list_of_much_that_ended_within_a_time_stops_among_what_was_accepted_long_before() {
    insert(MAIL, TaskState.SUCCEEDED, 1, 3 * TaskViews.MOST_LOOKED);
    insert(RARE, TaskState.NEW, 1, 1);
    long soon = EpochMicros.lengthOf(TaskViews.LONGEST_LIFE);
    long late = EpochMicros.lengthOf(TaskViews.LONGEST_LIFE.plusDays(1));

    DATABASE.execute("update finished_task set finished_at = " + late);
    List<TaskListing> pages = pages(endedOf(RARE.handler(), late, late + 1));
    DATABASE.execute("update finished_task set finished_at = " + soon);
    List<TaskListing> toTheBegin = pages(endedOf(RARE.handler(), soon, soon + 1));

    assertThat(pages)
        .singleElement()
        .satisfies(page -> {
          assertThat(page.tasks()).isEmpty();
          assertThat(page.lookedDownTo()).isEqualTo(id(2 * TaskViews.MOST_LOOKED));
        });
    assertThat(toTheBegin).hasSize(3);
    assertThat(toTheBegin.getLast().isIncomplete()).isFalse();
  }

  private static ListQuery ended(long from, long to) {
    return endedOf(null, from, to);
  }

  private static ListQuery endedOf(@Nullable TaskHandler handler, long from, long to) {
    return new ListQuery(
        handler,
        null,
        null,
        ALL,
        null,
        null,
        null,
        10,
        new ListQuery.Search(null, 0, "", "", from, to, "", null, null));
  }

  @Test
  void a_change_of_many_reads_a_bounded_number_of_rows_and_goes_on() {
    int others = TaskViews.MOST_LOOKED + 10;
    insert(MAIL, TaskState.NEW, 1, others);
    insert(RARE, TaskState.NEW, others + 1, others + 1);

    ChangeResult first = tasks.change(cancelRare(null, false));
    ChangeResult counted = tasks.change(cancelRare(null, true));
    ChangeResult second = tasks.change(cancelRare(first.next(), false));

    assertThat(first.count()).isZero();
    assertThat(first.next()).isEqualTo(id(TaskViews.MOST_LOOKED + 1));
    assertThat(counted.count()).isEqualTo(1);
    assertThat(counted.next()).isNull();
    assertThat(second.count()).isEqualTo(1);
    assertThat(second.next()).isNull();
  }

  private static ChangeRequest cancelRare(@Nullable TaskId after, boolean isDryRun) {
    return new ChangeRequest(
        new ChangeRequest.Filter(
            RARE.handler(),
            ChangeRequest.UNFINISHED,
            null,
            null,
            null,
            null,
            0,
            "",
            "",
            null,
            after),
        new ChangeRequest.Cancel(),
        10,
        isDryRun);
  }

  @Test
  void failures_that_an_older_node_has_ended_are_a_group_without_a_fingerprint() {
    insert(RARE, TaskState.DEAD, 1, 3);
    DATABASE.execute(
        "update finished_task set failures = '[{\"attempt\": 1, \"at\": 1, \"class\": \"X\","
            + " \"error\": \"old\"}]'");

    FailureGroup.Listing found = tasks.failures(new FailureGroup.Query(null, null, 10));

    assertThat(found.groups())
        .singleElement()
        .satisfies(group -> {
          assertThat(group.fingerprint()).isEmpty();
          assertThat(group.errorClass()).isEqualTo("X");
          assertThat(group.error()).isEqualTo("old");
          assertThat(group.count()).isEqualTo(3);
        });
  }

  @Test
  void failures_of_others_beyond_those_examined_leave_the_groups_of_a_handler_incomplete() {
    insert(RARE, TaskState.NEW, 1, 1);
    note(MAIL, 1, FailureGroup.MOST_EXAMINED);

    FailureGroup.Listing found = tasks.failures(new FailureGroup.Query(RARE.handler(), null, 10));

    assertThat(found.groups()).isEmpty();
    assertThat(found.isIncomplete()).isTrue();
  }

  @Test
  void what_an_older_node_has_put_back_is_in_no_group() {
    insert(RARE, TaskState.DEAD, 1, 2);
    insert(RARE, TaskState.SUCCEEDED, 3, 3);
    note(RARE, 1, 4);

    FailureGroup.Listing found = tasks.failures(new FailureGroup.Query(null, null, 10));

    assertThat(found.groups()).extracting(FailureGroup::count).containsExactly(2);
    assertThat(DATABASE.number("select count(*) from task_error")).isEqualTo(2);
  }

  private static void note(QueueName name, int from, int to) {
    QueueId queue = tasks.queues(List.of(name)).values().iterator().next();
    DATABASE.execute(
        "insert into task_error (task_id, state, queue_id, ended_at, fingerprint, error_class)"
            + " select "
            + ID
            + ", 'D', "
            + queue.value()
            + ", n, 'abc', '' from generate_series("
            + from
            + ", "
            + to
            + ") n");
  }

  @Test
  void a_dry_run_counts_what_there_was_at_its_time() {
    insert(RARE, TaskState.NEW, 1, 3);
    DATABASE.execute(
        "update task set created_at = 9e15 where id = (select max(id::text)::uuid from task)");
    insert(RARE, TaskState.DEAD, 4, 6);
    DATABASE.execute(
        "update finished_task set finished_at = 9e15 where id = (select max(id::text)::uuid from"
            + " finished_task)");

    assertThat(tasks.change(cancelRare(null, true)).count()).isEqualTo(2);
    assertThat(
            tasks
                .redrive(new RedriveRequest(rare(null).which(), null, Duration.ZERO, 10, true))
                .count())
        .isEqualTo(2);
  }

  @Test
  void runs_of_a_schedule_are_found_behind_any_number_of_skipped_fire_times() {
    assertThat(pagesBehindSkipped(3 * TaskViews.MOST_RUNS, "null")).isEqualTo(4);
  }

  @Test
  void a_list_of_runs_that_are_graphs_looks_at_fewer_runs() {
    int most = TaskViews.MOST_LOOKED / TaskViews.TASKS_OF_A_GRAPH;
    assertThat(pagesBehindSkipped(3 * most, "'x'")).isEqualTo(4);
  }

  /** Returns how many pages a list takes that finds the run before so many fire times. */
  private int pagesBehindSkipped(int skipped, String steps) {
    insert(RARE, TaskState.SUCCEEDED, 1, 1);
    String schedule = "'00000007-0000-0000-0000-000000000001'::uuid";
    DATABASE.execute(
        "insert into schedule_fire (schedule_id, fire_at, until, decision, cause, decided_at,"
            + " run_at, run) values ("
            + schedule
            + ", 1000, 1000, 'FIRED', 'SCHEDULE', 1, 1, '"
            + id(1)
            + "')");
    DATABASE.execute(
        "insert into schedule_fire (schedule_id, fire_at, until, decision, reason, cause,"
            + " decided_at) select "
            + schedule
            + ", n * 1000, n * 1000, 'SKIPPED', 'OVERLAP', 'SCHEDULE', 1 from generate_series(2, "
            + skipped
            + ") n");
    DATABASE.execute(
        "insert into schedule (id, name, generation, created_at, updated_at, rule_kind, rule_text,"
            + " dialect, day_match, zone, gap, repeated, spread_micros, queue_id, payload, overlap,"
            + " catch_up, catch_up_window_micros, catch_up_max, pause_on_failure, status, note,"
            + " since, decided_to, runs, decider, steps) values ("
            + schedule
            + ", 'night', 1, 1, 1, 'CRON', '0 * * * *', 'UNIX', 'EITHER', 'UTC', 'SKIP', 'FIRST',"
            + " 0, 1, '', 'SKIP', 'LATEST', 1, 1, false, 'PAUSED', '', 1, 1, 0, 'NODE', "
            + steps
            + ")");
    ListQuery.Search search =
        new ListQuery.Search(null, 0, "", "", null, null, "", null, new ScheduleName("night"));

    List<TaskListing> pages = new ArrayList<>();
    TaskId next = null;
    do {
      TaskListing page =
          tasks.list(new ListQuery(null, null, null, ALL, null, null, next, 10, search));
      pages.add(page);
      next = page.next();
    } while (next != null);

    assertThat(pages.stream().flatMap(page -> page.tasks().stream()).map(TaskView::id))
        .containsExactly(id(1));
    return pages.size();
  }

  @Test
  void daf3_a_redrive_reads_a_bounded_number_of_rows_and_says_where_it_goes_on() {
    int others = TaskViews.MOST_LOOKED + 10;
    insert(MAIL, TaskState.DEAD, 1, others);
    insert(RARE, TaskState.DEAD, others + 1, others + 1);

    RedriveResult first = tasks.redrive(rare(null));
    RedriveResult second = tasks.redrive(rare(first.next()));

    assertThat(first.tasks()).isEmpty();
    assertThat(first.next()).isEqualTo(id(TaskViews.MOST_LOOKED + 1));
    assertThat(second.tasks()).containsExactly(id(others + 1));
    assertThat(second.next()).isNull();
  }

  private static RedriveRequest rare(@Nullable TaskId after) {
    return new RedriveRequest(
        new RedriveRequest.Filter(RARE.handler(), RedriveRequest.REDRIVABLE, null, "", after),
        null,
        Duration.ZERO,
        10);
  }

  private static List<TaskListing> pages(ListQuery first) {
    List<TaskListing> pages = new ArrayList<>();
    TaskListing page = tasks.list(first);
    pages.add(page);
    while (page.next() != null) {
      page =
          tasks.list(
              new ListQuery(
                  first.handler(),
                  first.collection(),
                  first.key(),
                  first.states(),
                  first.fromMicros(),
                  first.toMicros(),
                  page.next(),
                  first.limit(),
                  first.search()));
      pages.add(page);
    }
    return pages;
  }

  private static TaskId id(int number) {
    return TaskId.at(number, 0, 0);
  }

  /** Ids as {@link #id} makes them, from one number to another. */
  private static void insert(QueueName name, TaskState state, int from, int to) {
    QueueId queue = tasks.queues(List.of(name)).values().iterator().next();
    String source = " from generate_series(" + from + ", " + to + ") n";
    DATABASE.execute(
        state.isFinished()
            ? "insert into finished_task (id, finished_at, due_at, created_at, queue_id, attempt,"
                + " fence, payload, state) select "
                + ID
                + ", 1, 1, 1, "
                + queue.value()
                + ", 1, 1, '', '"
                + TaskStateColumn.code(state)
                + "'"
                + source
            : "insert into task (id, queue_id, state, due_at, created_at, next_trigger, fence,"
                + " attempt, payload) select "
                + ID
                + ", "
                + queue.value()
                + ", 'N', 1, 1, 1, 0, 0, ''"
                + source);
  }
}
