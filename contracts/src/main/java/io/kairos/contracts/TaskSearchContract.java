package io.kairos.contracts;

import static io.kairos.domain.task.TaskState.CANCELLED;
import static io.kairos.domain.task.TaskState.DEAD;
import static io.kairos.domain.task.TaskState.FAILED;
import static io.kairos.domain.task.TaskState.NEW;
import static io.kairos.domain.task.TaskState.PROCESSING;
import static io.kairos.domain.task.TaskState.RETRIABLE_FAILURE;
import static io.kairos.domain.task.TaskState.SUCCEEDED;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.task.ErrorFingerprint;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskResult;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.CollectionName;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.EnqueuedTask;
import io.kairos.engine.task.port.NewTask;
import io.kairos.engine.task.port.ReportedBy;
import io.kairos.engine.task.port.Settlement;
import io.kairos.engine.task.port.TaskClaim;
import io.kairos.engine.task.port.operator.ChangeRequest;
import io.kairos.engine.task.port.operator.ChangeRequest.Cancel;
import io.kairos.engine.task.port.operator.ChangeRequest.Reschedule;
import io.kairos.engine.task.port.operator.ChangeResult;
import io.kairos.engine.task.port.operator.FailureGroup;
import io.kairos.engine.task.port.operator.ListQuery;
import io.kairos.engine.task.port.operator.ListQuery.Search;
import io.kairos.engine.task.port.operator.RedriveRequest;
import io.kairos.engine.task.port.operator.RedriveResult;
import io.kairos.engine.task.port.operator.TaskView;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Finding tasks by what happened to them, groups of failures, and changes of all tasks that match.
 */
public abstract class TaskSearchContract extends TaskContract {
  private static final Set<TaskState> ALL = EnumSet.allOf(TaskState.class);
  private static final Search NONE = Search.NONE;
  private static final String TIMEOUT = "java.net.SocketTimeoutException";
  private static final String REFUSED = "java.net.ConnectException";
  private static final ChangeRequest.Filter ANY = filter(null, null, ChangeRequest.UNFINISHED);

  private FencedTask ended(TaskState state, String errorClass, String text) {
    return ended(processing(), state, errorClass, text);
  }

  private FencedTask ended(FencedTask processing, TaskState state, String errorClass, String text) {
    Settlement end =
        state == TaskState.SUCCEEDED
            ? new Settlement.Finish(processing, TaskResult.text(text))
            : new Settlement.Finish(processing, state, text, errorClass, ReportedBy.ANY);
    assertThat(settle(end)).hasSize(1);
    return processing;
  }

  private FencedTask failedForNow(String errorClass, String text) {
    FencedTask processing = processing();
    settle(new Settlement.Retry(processing, LONG, text, errorClass, ReportedBy.ANY));
    return processing;
  }

  private FencedTask deadOfPrint(String errorClass, String text) {
    NewTask task = task(print, micros(0), new byte[] {1});
    FencedTask enqueued = enqueued(task);
    tasks.claim(List.of(new TaskClaim(enqueued, print, WORKER, null)), LEASE);
    return ended(enqueued.next(), DEAD, errorClass, text);
  }

  private List<TaskId> listed(Search search) {
    return listed(search, ALL, null, null, MANY);
  }

  private List<TaskId> listed(
      Search search, Set<TaskState> states, @Nullable Long from, @Nullable Long to, int limit) {
    return tasks
        .list(new ListQuery(null, null, null, states, from, to, null, limit, search))
        .tasks()
        .stream()
        .map(TaskView::id)
        .toList();
  }

  private static Search failed(String errorClass, String fingerprint) {
    return new Search(null, 0, errorClass, fingerprint, null, null, "", null, null);
  }

  private static Search within(@Nullable Long from, @Nullable Long to, String text) {
    return new Search(null, 0, "", "", from, to, text, null, null);
  }

  private static ChangeRequest.Filter filter(
      @Nullable TaskHandler handler, @Nullable TaskId after, Set<TaskState> states) {
    return new ChangeRequest.Filter(
        handler, states, null, null, null, null, 0, "", "", null, after);
  }

  private ChangeResult cancel(ChangeRequest.Filter filter, int limit) {
    return tasks.change(new ChangeRequest(filter, new Cancel(), limit, false));
  }

  private ChangeResult reschedule(ChangeRequest.Filter filter, @Nullable Long start, int apart) {
    return tasks.change(
        new ChangeRequest(filter, new Reschedule(start, Duration.ofSeconds(apart)), MANY, false));
  }

  private static List<TaskId> ids(FencedTask... some) {
    return Arrays.stream(some).map(FencedTask::id).toList();
  }

  // Fingerprints

  @Test
  void a_failure_has_the_fingerprint_of_its_class_and_text() {
    FencedTask first = ended(DEAD, TIMEOUT, "no answer in 500 ms");
    FencedTask retried = failedForNow(TIMEOUT, "no answer in 700 ms");
    FencedTask expired = enqueued(task(mail, micros(-9), startBy(micros(-5))));
    tasks.expire(BELIEVED, MANY);

    String fingerprint = ErrorFingerprint.of(TIMEOUT, "no answer in 500 ms");
    assertThat(fingerprintsOf(first)).containsExactly(fingerprint);
    assertThat(fingerprintsOf(retried)).containsExactly(fingerprint);
    assertThat(fingerprintsOf(expired))
        .containsExactly(ErrorFingerprint.of("", "not started by its start deadline"));
  }

  private static TaskDetails startBy(long micros) {
    return TaskDetails.of(new byte[] {1}).withStartDeadline(micros);
  }

  private List<String> fingerprintsOf(FencedTask task) {
    return view(task).progress().failures().stream().map(TaskView.Failure::fingerprint).toList();
  }

  // Lists

  @Test
  void tasks_are_listed_by_the_class_and_the_fingerprint_of_their_latest_failure() {
    FencedTask dead = ended(DEAD, TIMEOUT, "no answer in 500 ms");
    FencedTask failed = ended(FAILED, TIMEOUT, "no room");
    FencedTask waiting = failedForNow(TIMEOUT, "no answer in 7 ms");
    ended(DEAD, REFUSED, "no answer in 500 ms");
    FencedTask recovered = failedForNow(TIMEOUT, "no answer in 7 ms");
    stores.letPass(LONG.plus(LONG));
    List<EnqueuedTask> again = enqueue(NODE);
    assertThat(ids(again)).contains(recovered.id(), waiting.id());
    for (EnqueuedTask one : again) {
      if (one.task().id().equals(recovered.id())) {
        settle(finish(claimed(one.task(), WORKER), SUCCEEDED));
      }
    }
    String fingerprint = ErrorFingerprint.of(TIMEOUT, "no answer in 1 ms");

    assertThat(listed(failed(TIMEOUT, ""))).containsExactly(waiting.id(), failed.id(), dead.id());
    assertThat(listed(failed("", fingerprint))).containsExactly(waiting.id(), dead.id());
    assertThat(listed(failed(TIMEOUT, fingerprint), Set.of(DEAD, FAILED), null, null, MANY))
        .containsExactly(dead.id());
    assertThat(listed(failed(REFUSED, fingerprint))).isEmpty();
    assertThat(listed(failed("java.lang.Error", ""))).isEmpty();
  }

  @Test
  void a_list_by_errors_goes_on_page_by_page() {
    FencedTask first = ended(DEAD, TIMEOUT, "a");
    FencedTask second = ended(FAILED, TIMEOUT, "a");
    FencedTask third = ended(DEAD, TIMEOUT, "a");
    ListQuery query =
        new ListQuery(null, null, null, ALL, null, null, null, 2, failed(TIMEOUT, ""));

    assertThat(listed(query.search(), ALL, null, null, 2)).containsExactly(third.id(), second.id());
    TaskId next = tasks.list(query).next();
    assertThat(next).isEqualTo(second.id());
    assertThat(
            tasks
                .list(new ListQuery(null, null, null, ALL, null, null, next, 2, query.search()))
                .tasks())
        .extracting(TaskView::id)
        .containsExactly(first.id());
  }

  @Test
  void a_cancelled_task_is_found_by_the_failure_before_its_cancel() {
    FencedTask task = failedForNow(TIMEOUT, "a");
    tasks.cancel(task.id());

    assertThat(listed(failed(TIMEOUT, ""), Set.of(CANCELLED), null, null, MANY))
        .containsExactly(task.id());
  }

  @Test
  void tasks_are_listed_by_attempts_priority_and_a_range_of_ids() {
    FencedTask fresh = enqueued();
    FencedTask tried = failedForNow("", "a");
    NewTask urgent = task(queue(new QueueName(MAIL.handler(), 90)), micros(60), new byte[] {1});
    storeWaiting(urgent);
    FencedTask last = enqueued();

    assertThat(listed(new Search(null, 1, "", "", null, null, "", null, null)))
        .containsExactly(tried.id());
    assertThat(listed(new Search(null, 0, "", "", null, null, "", 90, null)))
        .containsExactly(urgent.id());
    assertThat(listed(new Search(tried.id(), 0, "", "", null, null, "", null, null)))
        .containsExactly(last.id(), urgent.id(), tried.id());
    assertThat(
            tasks
                .list(
                    new ListQuery(
                        MAIL.handler(),
                        null,
                        null,
                        ALL,
                        null,
                        null,
                        last.id(),
                        MANY,
                        new Search(fresh.id(), 0, "", "", null, null, "", 50, null)))
                .tasks())
        .extracting(TaskView::id)
        .containsExactly(tried.id(), fresh.id());
  }

  @Test
  void tasks_are_listed_by_the_time_of_their_end() {
    FencedTask old = ended(DEAD, TIMEOUT, "a");
    FencedTask oldSuccess = ended(SUCCEEDED, "", "");
    stores.letPass(LONG);
    long between = micros(-60);
    FencedTask late = ended(FAILED, TIMEOUT, "a");
    FencedTask lateSuccess = ended(SUCCEEDED, "", "");
    enqueued();

    assertThat(listed(within(null, between, ""))).containsExactly(oldSuccess.id(), old.id());
    assertThat(listed(within(between, null, ""))).containsExactly(lateSuccess.id(), late.id());
    assertThat(listed(within(between, micros(60), ""), Set.of(FAILED, DEAD), null, null, MANY))
        .containsExactly(late.id());
    assertThat(listed(within(between, micros(60), ""), Set.of(NEW), null, null, MANY)).isEmpty();
    assertThat(listed(new Search(null, 0, TIMEOUT, "", null, between, "", null, null)))
        .containsExactly(old.id());
  }

  @Test
  void tasks_are_listed_by_a_text_in_their_id_key_collection_result_or_latest_error() {
    long due = micros(0);
    FencedTask dead = ended(DEAD, TIMEOUT, "No Answer from SHOP");
    FencedTask succeeded = ended(SUCCEEDED, "", "sent to shop 7");
    NewTask keyed =
        storedWaiting(
            task(mail, due, TaskDetails.of(new byte[] {1}).withKey(new OrderingKey("shop/9"))));
    NewTask collected =
        storedWaiting(
            task(
                mail,
                due,
                TaskDetails.of(new byte[] {1}).withCollection(new CollectionName("Shops"))));
    FencedTask annoyed = ended(DEAD, TIMEOUT, "ÄRGER with the bank");
    Search shop = within(null, null, "sHOp");

    assertThat(listed(shop, ALL, micros(-600), micros(600), MANY))
        .containsExactly(collected.id(), keyed.id(), succeeded.id(), dead.id());
    assertThat(listed(within(micros(-600), null, "shop")))
        .containsExactly(succeeded.id(), dead.id());
    assertThat(listed(within(null, null, keyed.id().toString().substring(9))))
        .containsExactly(keyed.id());
    assertThat(listed(within(null, null, "%"))).isEmpty();
    assertThat(listed(within(null, null, "ÄRGER"))).containsExactly(annoyed.id());
  }

  @Test
  void a_task_is_shown_without_its_payload_when_that_is_not_asked_for() {
    FencedTask live = enqueued();
    FencedTask dead = ended(DEAD, "", "a");

    for (FencedTask task : List.of(live, dead)) {
      assertThat(tasks.find(task.id(), true).orElseThrow().details().payload()).isNotEmpty();
      assertThat(tasks.find(task.id(), false).orElseThrow().details().payload()).isEmpty();
    }
  }

  // Changes of many

  @Test
  void all_that_match_are_cancelled_each_as_by_itself() {
    NewTask waiting = storedWaiting(task(micros(60)));
    FencedTask onQueue = enqueued();
    FencedTask performed = processing();
    FencedTask retried = failedForNow("", "a");
    FencedTask ended = ended(SUCCEEDED, "", "");
    NewTask other = storedWaiting(task(print, micros(60), new byte[] {1}));

    ChangeResult result = cancel(filter(MAIL.handler(), null, ChangeRequest.UNFINISHED), MANY);

    assertThat(result.count()).isEqualTo(4);
    assertThat(result.next()).isNull();
    assertThat(view(waiting.id()).state()).isEqualTo(CANCELLED);
    assertThat(stateOf(onQueue)).isEqualTo(CANCELLED);
    assertThat(stateOf(retried)).isEqualTo(CANCELLED);
    assertThat(stateOf(performed)).isEqualTo(PROCESSING);
    assertThat(view(performed).progress().cancelRequested()).isTrue();
    assertThat(stateOf(ended)).isEqualTo(SUCCEEDED);
    assertThat(view(other.id()).state()).isEqualTo(NEW);
  }

  @Test
  void a_change_goes_on_behind_what_it_has_changed() {
    NewTask first = storedWaiting(task(micros(60)));
    NewTask second = storedWaiting(task(micros(50)));
    NewTask third = storedWaiting(task(micros(40)));

    ChangeResult one = cancel(ANY, 2);
    assertThat(one.count()).isEqualTo(2);
    assertThat(one.next()).isEqualTo(second.id());
    assertThat(view(first.id()).state()).isEqualTo(CANCELLED);
    assertThat(view(third.id()).state()).isEqualTo(NEW);
    ChangeResult two = cancel(filter(null, one.next(), ChangeRequest.UNFINISHED), 2);
    assertThat(two.count()).isEqualTo(1);
    assertThat(two.next()).isNull();
  }

  @Test
  void a_dry_run_counts_and_a_change_of_what_it_counted_leaves_later_tasks_alone() {
    storeWaiting(task(micros(60)), task(micros(60)));

    ChangeResult counted = tasks.change(new ChangeRequest(ANY, new Cancel(), MANY, true));
    assertIn(Duration.ZERO, counted.at());
    stores.letPass(LONG);
    NewTask later = storedWaiting(task(micros(60)));

    assertThat(counted.count()).isEqualTo(2);
    assertThat(counted.next()).isNull();
    assertThat(listed(NONE, Set.of(NEW), null, null, MANY)).hasSize(3);
    // An hour has passed for the stored tasks as well.
    ChangeRequest.Filter those =
        new ChangeRequest.Filter(
            null,
            ChangeRequest.UNFINISHED,
            null,
            null,
            null,
            null,
            0,
            "",
            "",
            EpochMicros.of(stores.now().minus(Duration.ofMinutes(30))),
            null);
    assertThat(cancel(those, MANY).count()).isEqualTo(2);
    assertThat(view(later.id()).state()).isEqualTo(NEW);
    assertThat(tasks.change(new ChangeRequest(ANY, new Cancel(), 1, true)).next())
        .isEqualTo(later.id());
  }

  @Test
  void a_change_is_of_what_has_the_collection_key_due_time_attempts_and_failure_asked_for() {
    OrderingKey anna = new OrderingKey("anna");
    CollectionName spring = new CollectionName("spring");
    long due = micros(600);
    storeWaiting(task(due - 1), task(due + 2));
    NewTask one =
        storedWaiting(
            task(mail, due, TaskDetails.of(new byte[] {1}).withKey(anna).withCollection(spring)));
    FencedTask failed = failedForNow(TIMEOUT, "no answer in 7 ms");
    String fingerprint = ErrorFingerprint.of(TIMEOUT, "no answer in 8 ms");

    assertThat(
            count(
                new ChangeRequest.Filter(
                    MAIL.handler(),
                    ChangeRequest.UNFINISHED,
                    spring,
                    anna,
                    due,
                    due + 1,
                    0,
                    "",
                    "",
                    null,
                    null)))
        .isEqualTo(1);
    assertThat(
            count(
                new ChangeRequest.Filter(
                    null,
                    Set.of(RETRIABLE_FAILURE),
                    null,
                    null,
                    null,
                    null,
                    1,
                    TIMEOUT,
                    fingerprint,
                    null,
                    null)))
        .isEqualTo(1);
    assertThat(
            count(
                new ChangeRequest.Filter(
                    null, ChangeRequest.UNFINISHED, null, null, null, null, 2, "", "", null, null)))
        .isZero();
    assertThat(
            count(
                new ChangeRequest.Filter(
                    PRINT.handler(),
                    ChangeRequest.UNFINISHED,
                    null,
                    anna,
                    null,
                    null,
                    0,
                    "",
                    "",
                    null,
                    null)))
        .isZero();
    assertThat(view(one.id()).state()).isEqualTo(NEW);
    assertThat(stateOf(failed)).isEqualTo(RETRIABLE_FAILURE);
  }

  private int count(ChangeRequest.Filter filter) {
    return tasks.change(new ChangeRequest(filter, new Cancel(), MANY, true)).count();
  }

  @Test
  void all_that_match_are_given_other_due_times_one_after_the_other() {
    NewTask waiting = storedWaiting(task(micros(3_600)));
    FencedTask performed = processing();
    FencedTask onQueue = enqueued();
    FencedTask retried = failedForNow("", "a");
    NewTask bound = storedWaiting(task(mail, micros(60), startBy(micros(120))));
    long start = micros(600);

    ChangeResult result = reschedule(ANY, start, 10);

    assertThat(result.count()).isEqualTo(3);
    assertThat(view(waiting.id()).dueAt()).isEqualTo(EpochMicros.toInstant(start));
    assertThat(view(onQueue).dueAt()).isEqualTo(EpochMicros.toInstant(start + 10_000_000));
    assertThat(stateOf(onQueue)).isEqualTo(NEW);
    assertThat(isClaimed(onQueue)).isFalse();
    assertThat(view(retried).dueAt()).isEqualTo(EpochMicros.toInstant(start + 20_000_000));
    assertThat(stateOf(retried)).isEqualTo(RETRIABLE_FAILURE);
    assertThat(stateOf(performed)).isEqualTo(PROCESSING);
    assertThat(view(bound.id()).dueAt()).isEqualTo(EpochMicros.toInstant(bound.dueMicros()));
  }

  @Test
  void a_dry_run_leaves_out_what_would_be_due_after_its_start_deadline() {
    long start = micros(600);
    storeWaiting(task(micros(60)), task(mail, micros(60), startBy(start + 5_000_000)));
    NewTask last = storedWaiting(task(mail, micros(60), startBy(start + 20_000_000)));
    Reschedule apart = new Reschedule(start, Duration.ofSeconds(10));

    ChangeResult dry = tasks.change(new ChangeRequest(ANY, apart, MANY, true));
    ChangeResult part = tasks.change(new ChangeRequest(ANY, apart, 3, true));

    assertThat(dry.count()).isEqualTo(2);
    assertThat(dry.next()).isNull();
    assertThat(part.count()).isEqualTo(2);
    assertThat(part.next()).isEqualTo(last.id());
    assertThat(reschedule(ANY, start, 10).count()).isEqualTo(2);
  }

  @Test
  void what_is_to_run_now_is_due_at_once() {
    NewTask far = storedWaiting(task(micros(3_600)));
    FencedTask retried = failedForNow("", "a");

    assertThat(
            tasks
                .change(new ChangeRequest(ANY, new Reschedule(null, Duration.ZERO), MANY, true))
                .count())
        .isEqualTo(2);
    assertThat(enqueue(NODE)).isEmpty();
    assertThat(reschedule(ANY, null, 0).count()).isEqualTo(2);

    assertThat(ids(enqueue(NODE))).containsExactlyInAnyOrder(far.id(), retried.id());
  }

  @Test
  void what_waits_behind_a_head_begins_when_the_head_is_cancelled_with_others() {
    OrderingKey anna = new OrderingKey("anna");
    TaskDetails details = TaskDetails.of(new byte[] {1}).withKey(anna);
    NewTask first = task(mail, micros(-3), details);
    NewTask second = task(mail, micros(-2), details);
    NewTask third = task(mail, micros(-1), details);
    storeWaiting(first, second, third);
    ChangeRequest.Filter both =
        new ChangeRequest.Filter(
            MAIL.handler(),
            ChangeRequest.UNFINISHED,
            null,
            anna,
            null,
            third.dueMicros(),
            0,
            "",
            "",
            null,
            null);

    assertThat(cancel(both, MANY).count()).isEqualTo(2);

    assertThat(ids(enqueue(NODE))).containsExactly(third.id());
  }

  // Putting back

  private RedriveResult redrive(String errorClass, String fingerprint, boolean isDryRun) {
    return tasks.redrive(
        new RedriveRequest(
            new RedriveRequest.Filter(
                null,
                RedriveRequest.REDRIVABLE,
                null,
                "",
                null,
                null,
                fingerprint,
                errorClass,
                null),
            null,
            Duration.ZERO,
            MANY,
            isDryRun));
  }

  @Test
  void failed_tasks_are_put_back_by_class_and_fingerprint_after_a_dry_run() {
    FencedTask first = ended(DEAD, TIMEOUT, "no answer in 500 ms");
    FencedTask second = ended(FAILED, TIMEOUT, "no answer in 7 ms");
    FencedTask other = ended(DEAD, TIMEOUT, "no room");
    String fingerprint = ErrorFingerprint.of(TIMEOUT, "no answer in 500 ms");

    RedriveResult dry = redrive("", fingerprint, true);
    assertThat(dry.count()).isEqualTo(2);
    assertThat(dry.tasks()).isEmpty();
    assertThat(dry.next()).isNull();
    assertIn(Duration.ZERO, dry.at());
    assertThat(redrive(TIMEOUT, "", true).count()).isEqualTo(3);
    assertThat(redrive("", "", true).count()).isEqualTo(3);
    assertThat(redrive(REFUSED, fingerprint, true).count()).isZero();

    RedriveResult back = redrive("", fingerprint, false);
    assertThat(back.tasks()).containsExactly(first.id(), second.id());
    assertThat(back.count()).isEqualTo(2);
    assertThat(stateOf(other)).isEqualTo(DEAD);
    assertThat(redrive(TIMEOUT, "", false).tasks()).containsExactly(other.id());
    assertThat(listed(failed("", fingerprint), Set.of(DEAD, FAILED), null, null, MANY)).isEmpty();
  }

  @Test
  void a_dry_run_of_ids_counts_what_could_be_put_back() {
    FencedTask dead = ended(DEAD, "", "a");
    FencedTask succeeded = ended(SUCCEEDED, "", "");

    RedriveResult dry =
        tasks.redrive(
            new RedriveRequest(
                new RedriveRequest.Ids(List.of(dead.id(), succeeded.id(), newId(), dead.id())),
                null,
                Duration.ZERO,
                MANY,
                true));

    assertThat(dry.count()).isEqualTo(1);
    assertThat(stateOf(dead)).isEqualTo(DEAD);
  }

  @Test
  void failed_tasks_are_put_back_by_collection_and_the_time_of_their_end() {
    CollectionName spring = new CollectionName("spring");
    FencedTask old = ended(DEAD, "", "a");
    stores.letPass(LONG);
    NewTask task = task(mail, micros(0), TaskDetails.of(new byte[] {1}).withCollection(spring));
    FencedTask fresh = ended(claimed(enqueued(task), WORKER), DEAD, "", "a");
    Instant since = stores.now().minus(Duration.ofMinutes(30));

    assertThat(
            redriven(
                new RedriveRequest.Filter(
                    null, RedriveRequest.REDRIVABLE, since, "", null, since, "", "", null)))
        .isEmpty();
    assertThat(
            redriven(
                new RedriveRequest.Filter(
                    null, RedriveRequest.REDRIVABLE, null, "", null, since, "", "", spring)))
        .containsExactly(fresh.id());
    assertThat(
            redriven(
                new RedriveRequest.Filter(
                    null, RedriveRequest.REDRIVABLE, null, "", null, null, "", "", spring)))
        .isEmpty();
    assertThat(stateOf(old)).isEqualTo(DEAD);
  }

  private List<TaskId> redriven(RedriveRequest.Filter filter) {
    return tasks.redrive(new RedriveRequest(filter, null, Duration.ZERO, MANY)).tasks();
  }

  // Groups of failures

  private List<FailureGroup> groups(@Nullable TaskHandler handler) {
    return tasks.failures(new FailureGroup.Query(handler, null, MANY)).groups();
  }

  @Test
  void failures_are_grouped_by_handler_and_fingerprint_the_latest_group_first() {
    FencedTask oldest = ended(DEAD, TIMEOUT, "no answer in 1 ms");
    stores.letPass(LONG.multipliedBy(30));
    FencedTask old = ended(FAILED, TIMEOUT, "no answer in 2 ms");
    stores.letPass(LONG.multipliedBy(2));
    FencedTask fresh = ended(DEAD, TIMEOUT, "no answer in 3 ms");
    FencedTask printed = deadOfPrint(TIMEOUT, "no answer in 4 ms");
    stores.letPass(Duration.ofSeconds(1));
    FencedTask other = ended(DEAD, REFUSED, "no answer in 5 ms");
    failedForNow(TIMEOUT, "no answer in 6 ms");
    ended(SUCCEEDED, "", "");

    assertThat(groups(null))
        .extracting(FailureGroup::handler, FailureGroup::errorClass, FailureGroup::count)
        .satisfiesExactlyInAnyOrder(
            one -> assertThat(one.toList()).containsExactly(MAIL.handler(), REFUSED, 1),
            one -> assertThat(one.toList()).containsExactly(MAIL.handler(), TIMEOUT, 3),
            one -> assertThat(one.toList()).containsExactly(PRINT.handler(), TIMEOUT, 1));
    assertThat(groups(null).getFirst().samples()).containsExactlyElementsOf(ids(other));
    assertThat(groups(PRINT.handler()))
        .singleElement()
        .extracting(FailureGroup::samples)
        .isEqualTo(ids(printed));
    FailureGroup group = groups(MAIL.handler()).getLast();
    assertThat(group.fingerprint()).isEqualTo(ErrorFingerprint.of(TIMEOUT, "no answer in 9 ms"));
    assertThat(group.error()).isEqualTo("no answer in 3 ms");
    assertThat(group.samples()).containsExactlyElementsOf(ids(fresh, old, oldest));
    assertIn(LONG.multipliedBy(-32), group.firstEndedAt());
    assertIn(Duration.ZERO, group.lastEndedAt());
    assertThat(group.byHour()).hasSize(FailureGroup.HOURS);
    assertThat(group.byHour().subList(FailureGroup.HOURS - 3, FailureGroup.HOURS))
        .containsExactly(1, 0, 1);
    assertThat(group.byHour().stream().mapToInt(Integer::intValue).sum()).isEqualTo(2);
  }

  @Test
  void groups_are_of_what_ended_since_a_time_and_at_most_as_many_as_asked_for() {
    ended(DEAD, REFUSED, "a");
    stores.letPass(LONG);
    ended(DEAD, TIMEOUT, "a");
    long since = micros(-60);

    FailureGroup.Listing recent = tasks.failures(new FailureGroup.Query(null, since, MANY));
    FailureGroup.Listing one = tasks.failures(new FailureGroup.Query(null, null, 1));

    assertThat(recent.groups()).extracting(FailureGroup::errorClass).containsExactly(TIMEOUT);
    assertThat(recent.isIncomplete()).isFalse();
    assertThat(one.groups()).extracting(FailureGroup::errorClass).containsExactly(TIMEOUT);
    assertThat(one.isIncomplete()).isTrue();
  }

  @Test
  void what_is_put_back_or_pruned_is_in_no_group() {
    FencedTask back = ended(DEAD, TIMEOUT, "a");
    ended(DEAD, TIMEOUT, "a");

    tasks.redrive(
        new RedriveRequest(new RedriveRequest.Ids(List.of(back.id())), null, Duration.ZERO, MANY));
    assertThat(groups(null)).extracting(FailureGroup::count).containsExactly(1);
    stores.letPass(LONG);
    tasks.prune(DEAD, Duration.ofMinutes(1), MANY);
    assertThat(groups(null)).isEmpty();
    assertThat(listed(failed(TIMEOUT, ""), Set.of(DEAD), null, null, MANY)).isEmpty();
    FencedTask again = claimed(enqueueOne(NODE), WORKER);
    settle(new Settlement.Finish(again, DEAD, "a", TIMEOUT, ReportedBy.ANY));
    assertThat(groups(null)).extracting(FailureGroup::count).containsExactly(1);
  }
}
