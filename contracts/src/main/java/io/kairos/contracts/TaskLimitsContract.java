package io.kairos.contracts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.limit.LimitName;
import io.kairos.domain.task.limit.LimitPattern;
import io.kairos.domain.task.limit.LimitRoom;
import io.kairos.domain.task.limit.TaskLimits;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.TaskQueueLimit;
import io.kairos.engine.task.port.ClaimResult;
import io.kairos.engine.task.port.EnqueuedTask;
import io.kairos.engine.task.port.NewTask;
import io.kairos.engine.task.port.Settlement;
import io.kairos.engine.task.port.SettlementResult;
import io.kairos.engine.task.port.SweptLimits;
import io.kairos.engine.task.port.TaskClaim;
import io.kairos.engine.task.port.operator.KeyLimitChange;
import io.kairos.engine.task.port.operator.KeyLimitOperations;
import io.kairos.engine.task.port.operator.KeyLimitUse;
import io.kairos.engine.task.port.operator.LimitNameUse;
import io.kairos.engine.task.port.operator.RedriveRequest;
import io.kairos.engine.task.port.operator.TaskPause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The contract of every task store for limits by key, checked from outside through the port. */
public abstract class TaskLimitsContract extends TaskContract {
  private static final String API = "api:stripe";
  private static final Duration LOST_TURN = LimitRoom.GRACE.plusMinutes(3);

  private static TaskQueueLimit most(int running) {
    return new TaskQueueLimit(running, null, null);
  }

  private void limit(String pattern, TaskQueueLimit limit) {
    assertThat(tasks.setKeyLimit(new LimitPattern(pattern), limit))
        .isInstanceOf(KeyLimitChange.Done.class);
  }

  private NewTask naming(QueueId queue, long secondsFromNow, String... limits) {
    return task(
        queue,
        micros(secondsFromNow),
        TaskDetails.of(new byte[] {1}).withLimits(TaskLimits.of(Arrays.asList(limits))));
  }

  private EnqueuedTask due(String... limits) {
    return onQueue(naming(mail, -60, limits));
  }

  private static TaskClaim claim(EnqueuedTask enqueued) {
    return new TaskClaim(
        enqueued.task(),
        enqueued.queue(),
        WORKER,
        enqueued.keyId(),
        null,
        !enqueued.details().limits().isNone());
  }

  private Set<FencedTask> claim(List<EnqueuedTask> enqueued) {
    ClaimResult result =
        tasks.claim(enqueued.stream().map(TaskLimitsContract::claim).toList(), LEASE);
    assertThat(result.heldBack()).isEmpty();
    return result.claimed();
  }

  /** A worker begins this task. */
  private FencedTask begin(EnqueuedTask enqueued) {
    assertThat(claim(List.of(enqueued))).containsExactly(enqueued.task());
    return enqueued.task().next();
  }

  /** A limit does not let this task begin. */
  private TaskId refuse(EnqueuedTask enqueued) {
    assertThat(claim(List.of(enqueued))).isEmpty();
    return enqueued.task().id();
  }

  private SettlementResult end(FencedTask processing) {
    SettlementResult result = tasks.settle(List.of(finish(processing, TaskState.SUCCEEDED)));
    assertThat(result.tasks()).containsExactly(processing);
    return result;
  }

  private SweptLimits sweep() {
    return tasks.sweepLimits(null, Set.of(), MANY);
  }

  private void pausePrinting() {
    tasks.setPause(new TaskPause(PRINT.handler(), null, TaskPause.Mode.PAUSE, null, ""));
  }

  private KeyLimitUse use(String pattern) {
    return tasks.keyLimits().stream()
        .filter(one -> one.pattern().value().equals(pattern))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void names_of_limits_are_kept_until_the_task_has_ended_and_after_it_was_put_back() {
    EnqueuedTask task = due("tenant:acme", API);
    TaskLimits names = TaskLimits.of(List.of(API, "tenant:acme"));

    assertThat(view(task.task()).details().limits()).isEqualTo(names);
    FencedTask processing = begin(task);
    settle(finish(processing, TaskState.DEAD));
    assertThat(view(task.task()).details().limits()).isEqualTo(names);
    tasks.redrive(
        new RedriveRequest(
            new RedriveRequest.Ids(List.of(task.task().id())), null, Duration.ZERO, 10));

    assertThat(enqueue(NODE))
        .singleElement()
        .satisfies(again -> assertThat(again.details().limits()).isEqualTo(names));
  }

  @Test
  void no_more_run_at_a_time_than_the_limit_whatever_their_handlers() {
    limit(API, most(2));
    EnqueuedTask first = due(API);
    EnqueuedTask printed = onQueue(naming(print, -50, API));
    EnqueuedTask third = due(API);
    EnqueuedTask other = due("api:other");

    assertThat(claim(List.of(first, printed, third, other)))
        .containsExactlyInAnyOrder(first.task(), third.task(), other.task());

    assertThat(use(API).running()).isEqualTo(2);
    assertThat(use(API).waiting()).isEqualTo(1);
    assertThat(use(API).names()).isEqualTo(1);
    assertThat(stateOf(printed.task())).isEqualTo(TaskState.NEW);
    assertThat(view(printed.task()).progress().holder()).isNull();
    assertThat(view(printed.task()).progress().nextTrigger()).isNull();
    assertThat(enqueue(NODE)).isEmpty();
  }

  @Test
  void a_name_without_a_limit_limits_nothing() {
    limit(API, most(0));

    assertThat(claim(List.of(due("free"), due("free"), due("free")))).hasSize(3);

    assertThat(tasks.keyLimits()).singleElement().extracting(KeyLimitUse::running).isEqualTo(0L);
  }

  @Test
  void an_end_wakes_the_next_in_due_order_and_says_where_it_waits() {
    limit(API, most(1));
    FencedTask running = begin(due(API));
    TaskId later = refuse(onQueue(naming(mail, -10, API)));
    TaskId earlier = refuse(onQueue(naming(print, -30, API)));

    assertThat(end(running).roomIn()).containsExactly(print);

    EnqueuedTask next = enqueue(NODE).getFirst();
    assertThat(next.task().id()).isEqualTo(earlier);
    assertThat(end(begin(next)).roomIn()).containsExactly(mail);
    assertThat(ids(enqueue(NODE))).containsExactly(later);
  }

  @Test
  void every_end_of_an_attempt_makes_room() {
    limit(API, most(6));
    List<FencedTask> six = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      six.add(begin(due(API)));
    }
    tasks.cancel(six.get(5).id());

    settle(
        finish(six.get(0), TaskState.SUCCEEDED),
        finish(six.get(1), TaskState.FAILED),
        new Settlement.Retry(six.get(2), LONG, "why"),
        new Settlement.NotBegun(six.get(3)),
        new Settlement.Snooze(six.get(4), LONG),
        new Settlement.Retry(six.get(5), LONG, "cancelled"));

    assertThat(stateOf(six.get(5))).isEqualTo(TaskState.CANCELLED);
    assertThat(use(API).running()).isZero();
  }

  @Test
  void an_attempt_counts_until_its_lease_has_lapsed() {
    limit(API, most(1));
    FencedTask lost = begin(due(API));
    TaskId waiting = refuse(due(API));
    sweep();
    assertThat(enqueue(NODE)).isEmpty();

    stores.letPass(LONG);
    assertThat(reap(new Settlement.Retry(lost, LONG, "lapsed"))).containsExactly(lost);

    assertThat(ids(enqueue(NODE))).containsExactly(waiting);
    assertThat(use(API).running()).isZero();
  }

  @Test
  void each_name_of_a_pattern_has_a_limit_of_its_own_and_a_longer_one_goes_before() {
    limit("tenant:*", most(1));
    limit("tenant:a*", most(2));
    limit("tenant:acme", most(3));

    assertThat(claim(List.of(due("tenant:b"), due("tenant:b"), due("tenant:c")))).hasSize(2);
    assertThat(claim(List.of(due("tenant:ab"), due("tenant:ab"), due("tenant:ab")))).hasSize(2);
    List<EnqueuedTask> acme = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      acme.add(due("tenant:acme"));
    }
    assertThat(claim(acme)).hasSize(3);

    assertThat(use("tenant:*").running()).isEqualTo(2);
    assertThat(use("tenant:*").waiting()).isEqualTo(1);
    assertThat(tasks.keyLimitUses(new LimitPattern("tenant:*"), null, 10))
        .extracting(LimitNameUse::name, LimitNameUse::running)
        .containsExactly(
            tuple(new LimitName("tenant:b"), 1L), tuple(new LimitName("tenant:c"), 1L));
    assertThat(tasks.keyLimitUses(new LimitPattern("tenant:*"), new LimitName("tenant:b"), 10))
        .hasSize(1);
  }

  @Test
  void a_task_that_one_of_its_limits_refuses_takes_nothing_of_the_others() {
    limit("a", most(1));
    limit("b", most(1));
    limit("c", most(1));
    FencedTask running = begin(due("b"));
    TaskId all = refuse(due("c", "b", "a"));

    FencedTask ofA = begin(due("a"));
    FencedTask ofC = begin(due("c"));

    end(running);
    EnqueuedTask woken = enqueue(NODE).getFirst();
    assertThat(woken.task().id()).isEqualTo(all);
    refuse(woken); // by another
    end(ofC);
    end(ofA);
    begin(enqueue(NODE).getFirst());
    assertThat(use("a").running() + use("b").running() + use("c").running()).isEqualTo(3);
  }

  @Test
  void a_turn_that_another_limit_refuses_goes_to_the_next_at_once() {
    limit("a", most(1));
    limit("b", most(1));
    FencedTask ofA = begin(due("a"));
    FencedTask ofB = begin(due("b"));
    TaskId both = refuse(onQueue(naming(mail, -90, "a", "b")));
    TaskId next = refuse(onQueue(naming(print, -60, "a")));
    end(ofA);
    EnqueuedTask woken = enqueue(NODE).getFirst();
    assertThat(woken.task().id()).isEqualTo(both);

    ClaimResult refused = tasks.claim(List.of(claim(woken)), LEASE);

    assertThat(refused.claimed()).isEmpty();
    assertThat(refused.roomIn()).containsExactly(print);
    EnqueuedTask after = enqueue(NODE).getFirst();
    assertThat(after.task().id()).isEqualTo(next);
    end(begin(after));
    end(ofB);
    begin(enqueue(NODE).getFirst());
  }

  @Test
  void two_tasks_that_keep_each_a_place_which_the_other_needs_do_not_hold_up_each_other() {
    limit("a", most(1));
    limit("b", most(1));
    FencedTask ofB = begin(due("b"));
    refuse(due("a", "b")); // by b
    FencedTask ofA = begin(due("a"));
    refuse(due("a", "b")); // by a
    end(ofA);
    end(ofB);

    List<EnqueuedTask> woken = enqueue(NODE);
    assertThat(woken).hasSize(2);
    Set<FencedTask> first = claim(woken);

    assertThat(first).hasSize(1);
    end(first.iterator().next().next());
    begin(enqueue(NODE).getFirst());
  }

  @Test
  void a_rate_lets_a_burst_begin_and_wakes_the_others_as_tokens_come() {
    limit(API, new TaskQueueLimit(null, 1.0 / 600, 2)); // one in ten minutes
    List<EnqueuedTask> five = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      five.add(due(API));
    }

    assertThat(claim(five)).containsExactlyInAnyOrder(five.get(0).task(), five.get(1).task());
    sweep();
    assertThat(enqueue(NODE)).isEmpty();
    assertThat(use(API).waiting()).isEqualTo(3);

    stores.letPass(Duration.ofMinutes(11));
    assertThat(sweep().queues()).containsExactly(mail);
    EnqueuedTask third = enqueue(NODE).getFirst();
    assertThat(third.task().id()).isEqualTo(five.get(2).task().id());
    begin(third);
    assertThat(tasks.keyLimitUses(new LimitPattern(API), null, 1).getFirst().tokens())
        .isBetween(0.0, 0.9);

    stores.letPass(Duration.ofMinutes(25));
    sweep();
    assertThat(enqueue(NODE)).hasSize(2);
  }

  @Test
  void tasks_that_a_rate_refuses_for_a_moment_wait_each_for_its_turn() {
    limit(API, new TaskQueueLimit(null, 2.0, 1));
    List<EnqueuedTask> three = List.of(due(API), due(API), due(API));

    assertThat(claim(three)).containsExactly(three.getFirst().task());

    assertThat(view(three.get(1).task()).progress().nextTrigger())
        .isBefore(view(three.get(2).task()).progress().nextTrigger());
    List<EnqueuedTask> next =
        enqueue(NODE, Map.of(mail, MANY), PLENTY_BYTES, Duration.ofSeconds(10));
    assertThat(ids(next)).containsExactly(three.get(1).task().id(), three.get(2).task().id());
  }

  @Test
  void a_limit_that_is_set_counts_what_runs() {
    FencedTask one = begin(due(API));
    begin(due(API));

    limit("api:*", most(2));

    assertThat(use("api:*").running()).isEqualTo(2);
    refuse(due(API));
    end(one);
    assertThat(enqueue(NODE)).hasSize(1);
  }

  @Test
  void a_limit_that_is_raised_or_removed_wakes_those_who_wait() {
    limit(API, most(1));
    begin(due(API));
    for (int i = 0; i < 5; i++) {
      refuse(due(API));
    }

    limit(API, most(3));
    sweep();
    List<EnqueuedTask> two = enqueue(NODE);
    assertThat(two).hasSize(2);
    assertThat(claim(two)).hasSize(2);

    assertThat(tasks.removeKeyLimit(new LimitPattern(API))).isTrue();
    assertThat(tasks.removeKeyLimit(new LimitPattern(API))).isFalse();
    sweep();
    List<EnqueuedTask> three = enqueue(NODE);
    assertThat(claim(three)).hasSize(3);
    assertThat(tasks.keyLimits()).isEmpty();
  }

  @Test
  void a_lowered_limit_lets_those_go_on_that_run() {
    limit(API, most(3));
    List<FencedTask> three = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      three.add(begin(due(API)));
    }

    limit(API, most(1));

    TaskId waiting = refuse(due(API));
    end(three.get(0));
    end(three.get(1));
    assertThat(enqueue(NODE)).isEmpty();
    end(three.get(2));
    assertThat(ids(enqueue(NODE))).containsExactly(waiting);
  }

  @Test
  void nobody_overtakes_a_task_that_was_woken() {
    limit(API, most(1));
    FencedTask running = begin(due(API));
    TaskId first = refuse(due(API));

    end(running);
    TaskId fresh = refuse(due(API));

    EnqueuedTask woken = enqueue(NODE).getFirst();
    assertThat(woken.task().id()).isEqualTo(first);
    end(begin(woken));
    assertThat(ids(enqueue(NODE))).containsExactly(fresh);
  }

  @Test
  void a_woken_task_that_does_not_come_loses_its_turn_and_is_not_forgotten() {
    limit(API, most(1));
    FencedTask running = begin(due(API));
    TaskId away = refuse(due(API));
    end(running);

    stores.letPass(LOST_TURN);
    assertThat(sweep().takenOut()).isEqualTo(1);
    FencedTask other = begin(due(API));

    EnqueuedTask late = enqueue(NODE).getFirst();
    assertThat(late.task().id()).isEqualTo(away);
    refuse(late);
    end(other);
    begin(enqueue(NODE).getFirst());
  }

  @Test
  void tasks_that_have_left_the_line_hold_up_nobody() {
    limit(API, most(1));
    FencedTask running = begin(due(API));
    TaskId cancelled = refuse(due(API));
    TaskId putOff = refuse(due(API));
    TaskId waiting = refuse(due(API));
    tasks.cancel(cancelled);
    tasks.reschedule(putOff, micros(3_600));

    end(running);

    assertThat(ids(enqueue(NODE))).containsExactly(waiting);
    assertThat(use(API).waiting()).isZero();
  }

  @Test
  void a_woken_task_that_cannot_come_any_more_gives_its_turn_to_the_next() {
    limit(API, most(1));
    FencedTask running = begin(due(API));
    TaskId cancelled = refuse(due(API));
    TaskId putOff = refuse(due(API));
    TaskId paused = refuse(onQueue(naming(print, -55, API)));
    TaskId next = refuse(onQueue(naming(mail, -50, API)));
    end(running);

    tasks.cancel(cancelled);
    assertThat(sweep().woken()).isEqualTo(1);
    tasks.reschedule(putOff, micros(3_600));
    assertThat(sweep().woken()).isEqualTo(1);
    pausePrinting();
    assertThat(sweep().woken()).isEqualTo(1);

    EnqueuedTask woken = enqueue(NODE).getFirst();
    assertThat(woken.task().id()).isEqualTo(next);
    FencedTask begun = begin(woken);
    tasks.endPause(PRINT.handler(), null);
    refuse(enqueue(NODE).getFirst());
    end(begun);
    assertThat(ids(enqueue(NODE))).containsExactly(paused);
  }

  @Test
  void tasks_in_line_that_are_paused_are_passed_over() {
    limit(API, most(1));
    FencedTask running = begin(due(API));
    for (int i = 0; i < 5; i++) {
      refuse(onQueue(naming(print, -100, API)));
    }
    TaskId waiting = refuse(due(API));
    pausePrinting();

    end(running);

    EnqueuedTask woken = enqueue(NODE).getFirst();
    assertThat(woken.task().id()).isEqualTo(waiting);
    assertThat(use(API).waiting()).isZero();
  }

  @Test
  void tasks_without_a_worker_hold_up_others_once() {
    limit(API, most(1));
    FencedTask running = begin(due(API));
    Set<TaskId> away = new HashSet<>();
    for (int i = 0; i < 5; i++) {
      away.add(refuse(onQueue(naming(print, -100, API))));
    }
    TaskId waiting = refuse(due(API));
    end(running);

    stores.letPass(LOST_TURN);
    SweptLimits swept = sweep();

    assertThat(swept.woken()).isEqualTo(1);
    assertThat(swept.takenOut()).isEqualTo(5);
    List<EnqueuedTask> all = enqueue(NODE);
    EnqueuedTask woken =
        all.stream().filter(one -> one.task().id().equals(waiting)).findFirst().orElseThrow();
    FencedTask begun = begin(woken);
    all.stream().filter(one -> away.contains(one.task().id())).forEach(this::refuse);
    end(begun);
    assertThat(enqueue(NODE)).singleElement().matches(one -> away.contains(one.task().id()));
  }

  @Test
  void tasks_that_something_else_keeps_in_a_queue_hold_up_others_once() {
    limit(API, most(1));
    FencedTask running = begin(due(API));
    for (int i = 0; i < 5; i++) {
      refuse(onQueue(naming(print, -100, API)));
    }
    TaskId waiting = refuse(due(API));
    end(running);
    assertThat(enqueue(NODE)).as("and not begun, as a limit of its queue is used up").hasSize(1);

    stores.letPass(LOST_TURN);
    SweptLimits swept = sweep();

    assertThat(swept.unserved()).containsExactly(print);
    assertThat(swept.takenOut()).isEqualTo(5);
    assertThat(enqueue(NODE)).extracting(one -> one.task().id()).contains(waiting);
  }

  @Test
  void tasks_of_a_queue_that_is_known_to_be_unserved_give_way_at_once() {
    limit(API, most(1));
    FencedTask running = begin(due(API));
    refuse(onQueue(naming(print, -100, API)));
    refuse(onQueue(naming(print, -100, API)));
    TaskId waiting = refuse(due(API));
    limit(API, most(2));

    SweptLimits swept = tasks.sweepLimits(null, Set.of(print), MANY);

    assertThat(swept.takenOut()).isEqualTo(2);
    assertThat(swept.unserved()).containsExactly(print);
    assertThat(swept.queues()).doesNotContain(print);
    assertThat(swept.woken()).isEqualTo(1);
    assertThat(enqueue(NODE)).extracting(one -> one.task().id()).contains(waiting);
    end(running);
  }

  @Test
  void a_start_deadline_ends_a_task_that_waits() {
    limit(API, most(0));
    NewTask task =
        task(
            mail,
            micros(-60),
            TaskDetails.of(new byte[] {1})
                .withLimits(TaskLimits.of(List.of(API)))
                .withStartDeadline(micros(300)));
    refuse(onQueue(task));

    stores.letPass(LONG);
    assertThat(tasks.expire(BELIEVED, 10)).isEqualTo(1);

    assertThat(view(task.id()).state()).isEqualTo(TaskState.FAILED);
  }

  @Test
  void a_head_that_waits_for_a_limit_holds_up_its_ordering_key() {
    limit(API, most(1));
    FencedTask running = begin(due(API));
    OrderingKey key = new OrderingKey("customer");
    NewTask head =
        task(
            mail,
            micros(-60),
            TaskDetails.of(new byte[] {1}).withKey(key).withLimits(TaskLimits.of(List.of(API))));
    NewTask next = task(mail, micros(-50), TaskDetails.of(new byte[] {1}).withKey(key));
    refuse(onQueue(head));
    storeWaiting(next);

    assertThat(view(next.id()).state()).isEqualTo(TaskState.BLOCKED);
    end(running);
    EnqueuedTask woken = enqueue(NODE).getFirst();
    assertThat(woken.task().id()).isEqualTo(head.id());
    end(begin(woken));

    assertThat(ids(enqueue(NODE))).containsExactly(next.id());
  }

  @Test
  void counts_are_corrected_and_names_forgotten_that_nobody_uses() {
    limit("tenant:*", most(1));
    FencedTask running = begin(due("tenant:a"));

    tasks.recountLimits();
    assertThat(use("tenant:*").running()).isEqualTo(1);
    end(running);
    tasks.recountLimits();

    assertThat(use("tenant:*").running()).isZero();
    begin(due("tenant:a"));
  }

  @Test
  void there_is_a_bound_on_the_number_of_limits() {
    for (int i = 0; i < KeyLimitOperations.MOST_LIMITS; i++) {
      limit("name-" + i, most(1));
    }

    assertThat(tasks.setKeyLimit(new LimitPattern("one-more"), most(1)))
        .isInstanceOf(KeyLimitChange.TooMany.class);
    limit("name-0", most(2));
    assertThat(tasks.keyLimits()).hasSize(KeyLimitOperations.MOST_LIMITS);
  }

  @Test
  void a_line_is_swept_in_parts() {
    limit("tenant:*", most(0));
    for (int i = 0; i < 120; i++) {
      refuse(due("tenant:" + (100 + i)));
    }
    limit("tenant:*", most(1));

    int woken = 0;
    @Nullable LimitName after = null;
    do {
      SweptLimits part = tasks.sweepLimits(after, Set.of(), MANY);
      woken += part.woken();
      after = part.last();
    } while (after != null);

    assertThat(woken).isEqualTo(120);
  }

  /** Random ends, cancels and claims: never more than allowed, and all have their turn. */
  @Test
  void whatever_happens_no_limit_is_exceeded_and_nobody_is_forgotten() {
    for (int seed = 0; seed < 5; seed++) {
      start_fresh();
      new RandomRun(new SplittableRandom(seed)).run();
    }
  }

  private final class RandomRun {
    private final SplittableRandom random;
    private final Map<String, Integer> limits = Map.of("a", 1, "b", 2, "c", 3);
    private final Map<FencedTask, TaskLimits> running = new HashMap<>();
    private final Set<TaskId> left = new HashSet<>();
    private List<EnqueuedTask> memory = new ArrayList<>();

    RandomRun(SplittableRandom random) {
      this.random = random;
      limits.forEach((name, most) -> limit(name, most(most)));
    }

    void run() {
      for (int i = 0; i < 60; i++) {
        EnqueuedTask task =
            onQueue(
                naming(
                    random.nextBoolean() ? mail : print,
                    -random.nextInt(1, 600),
                    List.of("a", "b", "c", "d").stream()
                        .filter(_ -> random.nextInt(3) == 0)
                        .limit(TaskLimits.MOST)
                        .toArray(String[]::new)));
        left.add(task.task().id());
        memory.add(task);
      }
      for (int round = 0; round < 2_000 && !left.isEmpty(); round++) {
        step();
      }
      assertThat(left).isEmpty();
    }

    private void step() {
      if (memory.isEmpty()) {
        sweep();
        memory = new ArrayList<>(enqueue(NODE));
      }
      int some = Math.min(memory.size(), random.nextInt(1, 8));
      List<EnqueuedTask> batch = new ArrayList<>(memory.subList(0, some));
      memory.subList(0, some).clear();
      Set<FencedTask> claimed = claimAll(batch);
      for (EnqueuedTask task : batch) {
        if (claimed.contains(task.task())) {
          running.put(task.task().next(), task.details().limits());
        }
      }
      limits.forEach((name, most) ->
          assertThat(
                  running.values().stream()
                      .filter(names -> names.names().contains(new LimitName(name))))
              .hasSizeLessThanOrEqualTo(most));
      if (random.nextInt(3) > 0) {
        List<Settlement> ends =
            List.copyOf(running.keySet()).stream()
                .filter(_ -> random.nextBoolean())
                .<Settlement>map(this::anyEnd)
                .toList();
        assertThat(tasks.settle(ends).tasks()).hasSize(ends.size());
      }
    }

    private Set<FencedTask> claimAll(List<EnqueuedTask> batch) {
      return batch.isEmpty() ? Set.of() : claim(batch);
    }

    private Settlement anyEnd(FencedTask task) {
      running.remove(task);
      if (random.nextInt(4) == 0) {
        return retry(task);
      }
      left.remove(task.id());
      return finish(task, TaskState.SUCCEEDED);
    }
  }
}
