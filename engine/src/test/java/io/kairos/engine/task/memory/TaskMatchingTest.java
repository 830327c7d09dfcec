package io.kairos.engine.task.memory;

import static io.kairos.engine.task.memory.TaskSamples.MAIL;
import static io.kairos.engine.task.memory.TaskSamples.PRINT;
import static io.kairos.engine.task.memory.TaskSamples.request;
import static io.kairos.engine.task.memory.TaskSamples.task;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.engine.task.edge.ClaimedTask;
import io.kairos.engine.task.edge.WorkRequest;
import io.kairos.engine.task.memory.TaskMatching.Matches;
import io.kairos.engine.task.memory.TaskSamples.Heard;
import io.kairos.engine.task.memory.WaitingWorkers.Waiter;
import io.kairos.engine.task.port.ClaimResult;
import io.kairos.engine.task.port.PredecessorQuery;
import io.kairos.engine.task.port.Predecessors;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TaskMatchingTest {
  private static final int MANY = 1_000;
  private static final long PLENTY = 1 << 20;
  private static final Duration LONGEST = Duration.ofSeconds(1);

  private final MemoryBudget budget =
      new MemoryBudget(TaskSamples.config(100, 1 << 20, 1_000, 100), () -> Instant.EPOCH, () -> 0);
  private final WaitingWorkers waiters = new WaitingWorkers(() -> 0);
  private final ReadyQueue mail = queue(1, MAIL, 50);
  private final ReadyQueue urgent = queue(2, MAIL, 90);
  private final ReadyQueue print = queue(3, PRINT, 50);
  private final TaskMatching matching =
      new TaskMatching(
          Map.of(MAIL, List.of(mail, urgent), PRINT, List.of(print)), waiters, budget, LONGEST);

  private ReadyQueue queue(int id, TaskHandler handler, int priority) {
    return new ReadyQueue(new QueueId(id), TaskSamples.queue(handler, priority), budget.newPace());
  }

  private void put(ReadyQueue queue, int number, long triggerMicros, int bytes) {
    budget.add(queue, task(queue.id, number, triggerMicros, bytes));
  }

  private Waiter waits(String worker, int maxTasks, long maxBytes, TaskHandler... handlers) {
    Waiter waiter = new Waiter(request(worker, maxTasks, maxBytes, handlers), new Heard<>());
    waiters.add(waiter);
    return waiter;
  }

  /** As worker and number of the task. */
  private List<String> matched(long nowMicros, int max) {
    return matching.match(nowMicros, 0, max).all().stream()
        .map(match ->
            match.waiter().request.worker() + " " + TaskSamples.number(match.task().task()))
        .toList();
  }

  @Test // DA-3
  void the_longest_waiting_gets_the_best_tasks_by_priority_then_by_trigger() {
    put(mail, 1, 10, 1);
    put(mail, 2, 5, 1);
    put(urgent, 3, 20, 1);
    put(print, 4, 1, 1);
    waits("a", 2, PLENTY, MAIL);
    waits("b", 5, PLENTY, MAIL, PRINT);

    assertThat(matched(100, MANY)).containsExactly("a 3", "a 2", "b 4", "b 1");
    assertThat(budget.heldBytes()).isZero();
    assertThat(matched(100, MANY)).isEmpty();
  }

  @Test
  void handlers_take_turns_whatever_their_priorities() {
    for (int i = 1; i <= 6; i++) {
      put(urgent, i, i, 1);
    }
    put(print, 7, 50, 1);
    put(print, 8, 51, 1);
    waits("a", 5, PLENTY, MAIL);
    waits("b", 3, PLENTY, MAIL, PRINT);

    assertThat(matched(100, MANY)).startsWith("a 1", "a 2", "a 3", "a 4", "a 5", "b 7");
    waits("c", 1, PLENTY, MAIL, PRINT);
    assertThat(matched(100, MANY)).isEmpty(); // b has had 7, 6 and 8
  }

  @Test
  void a_strict_worker_gets_the_highest_priority_of_all_its_handlers() {
    put(urgent, 1, 50, 1);
    put(urgent, 2, 51, 1);
    put(mail, 3, 2, 1);
    put(print, 4, 1, 1);
    mail.passedOver = 1_000;
    WorkRequest strict = new WorkRequest("a", Set.of(MAIL, PRINT), 4, PLENTY, true);
    waiters.add(new Waiter(strict, new Heard<>()));

    assertThat(matched(100, MANY)).containsExactly("a 1", "a 2", "a 4", "a 3");
  }

  @Test
  void a_due_task_is_passed_over_at_most_as_often_as_its_priority_lacks_and_once_by_each_other() {
    SplittableRandom random = new SplittableRandom(17);
    for (int round = 0; round < 200; round++) {
      List<ReadyQueue> some = new ArrayList<>();
      for (int i = random.nextInt(2, 6); i > 0; i--) {
        some.add(queue(some.size() + 1, MAIL, random.nextInt(101)));
      }
      TaskMatching matchingThem = new TaskMatching(Map.of(MAIL, some), waiters, budget, LONGEST);
      Map<ReadyQueue, Integer> before = new HashMap<>();
      for (int handOut = 1; handOut <= 500; handOut++) {
        // Some queues never end; the others get a task now and then.
        some.stream()
            .filter(queue -> queue.isEmpty() && (queue.id.value() % 2 == 0 || random.nextBoolean()))
            .forEach(queue -> put(queue, 1, random.nextInt(100), 1));
        waits("a", 1, PLENTY, MAIL);
        List<ReadyQueue> waiting = some.stream().filter(queue -> !queue.isEmpty()).toList();
        List<TaskMatch> matches = matchingThem.match(100, 0, MANY).all();
        boolean isClaimed = random.nextInt(4) > 0;
        Set<FencedTask> claimed =
            isClaimed ? Set.of(matches.getFirst().task().task()) : Set.<FencedTask>of();
        matchingThem.settle(matches, new ClaimResult(claimed, Map.of()), Map.of(), 0);
        if (!isClaimed) {
          waiters.all().forEach(waiters::end);
          continue;
        }
        waiting.forEach(queue -> before.merge(queue, 1, Integer::sum));
        before.remove(matches.getFirst().queue());
        before.forEach((queue, count) ->
            assertThat(count)
                .as("tasks before the first of %s of %s", queue.name, some)
                .isLessThanOrEqualTo(100 - queue.name.priority() + some.size() - 1));
      }
    }
  }

  @Test
  void what_is_not_yet_due_and_what_nobody_asks_for_stays() {
    put(mail, 1, 101, 1);
    put(print, 2, 1, 1);
    waits("a", 5, PLENTY, MAIL);

    assertThat(matched(100, MANY)).isEmpty();
    assertThat(matched(101, MANY)).containsExactly("a 1");
  }

  @Test
  void a_round_is_bounded_and_leaves_the_rest_for_the_next() {
    for (int i = 1; i <= 5; i++) {
      put(mail, i, i, 1);
    }
    waits("a", 2, PLENTY, MAIL);
    waits("b", 5, PLENTY, MAIL);

    assertThat(matched(100, 3)).containsExactly("a 1", "a 2", "b 3");
    assertThat(mail.size()).isEqualTo(2);
  }

  @Test
  void an_answer_is_bounded_in_bytes_but_one_task_is_always_given() {
    put(mail, 1, 1, 500);
    put(mail, 2, 2, 60);
    put(mail, 3, 3, 40);
    put(mail, 4, 4, 1);
    waits("a", 5, 100, MAIL);
    waits("b", 5, 100, MAIL);

    assertThat(matched(100, MANY)).containsExactly("a 1", "b 2", "b 3");
  }

  @Test
  void a_closed_queue_is_passed_over_until_it_opens() {
    put(urgent, 1, 1, 1);
    put(mail, 2, 1, 1);
    urgent.close(urgent.openings(), 1_000);
    waits("a", 1, PLENTY, MAIL);

    assertThat(matched(100, MANY)).containsExactly("a 2");
    assertThat(matching.toNextTask(100, 0, LONGEST)).isEqualTo(LONGEST);
    waits("b", 1, PLENTY, MAIL);
    assertThat(matching.toNextTask(100, 400, LONGEST)).isEqualTo(Duration.ofNanos(600));
    assertThat(matching.match(100, 1_000, MANY).all()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"100, 0", "150, 50000", "5000000, 1000000000"})
  void it_says_how_long_until_the_next_task_may_go(long triggerMicros, long nanos) {
    put(mail, 1, triggerMicros, 1);
    assertThat(matching.toNextTask(100, 0, LONGEST)).isEqualTo(LONGEST);

    waits("a", 1, PLENTY, MAIL);
    assertThat(matching.toNextTask(100, 0, LONGEST)).isEqualTo(Duration.ofNanos(nanos));
  }

  @Test
  void a_queue_that_is_drained_asks_for_more_only_if_the_store_has_some() {
    put(mail, 1, 1, 1);
    put(mail, 2, 1, 1);
    waits("a", 1, PLENTY, MAIL);
    assertThat(matching.match(100, 0, MANY).refill()).isFalse();

    mail.moreInStore = true;
    waits("b", 1, PLENTY, MAIL);
    assertThat(matching.match(100, 0, MANY).refill()).isTrue();
  }

  @Test
  void claimed_tasks_go_to_their_workers_and_who_gets_none_waits_on() {
    put(mail, 1, 1, 1);
    put(mail, 2, 2, 1);
    Waiter first = waits("a", 1, PLENTY, MAIL);
    Waiter second = waits("b", 1, PLENTY, MAIL);
    Matches matches = matching.match(100, 0, MANY);
    ClaimResult claims = new ClaimResult(Set.of(matches.all().getFirst().task().task()), Map.of());

    Map<Waiter, List<ClaimedTask>> works = matching.settle(matches.all(), claims, Map.of(), 0);

    assertThat(works).containsOnlyKeys(first);
    assertThat(works.get(first)).singleElement().extracting(ClaimedTask::attempt).isEqualTo(1);
    assertThat(waiters.unserved()).containsExactly(second);
    assertThat(budget.heldBytes()).isZero(); // what is gone was claimed by somebody else
  }

  @ParameterizedTest
  @CsvSource({"0, 5000000", "20, 20000000", "60000, 1000000000"})
  void what_a_limit_holds_back_returns_to_its_queue_which_closes_for_a_while(
      long heldBackMillis, long closedNanos) {
    put(mail, 1, 1, 7);
    waits("a", 1, PLENTY, MAIL);
    Matches matches = matching.match(100, 0, MANY);
    ClaimResult claims =
        new ClaimResult(
            Set.of(),
            Map.of(matches.all().getFirst().task().task(), Duration.ofMillis(heldBackMillis)));

    assertThat(matching.settle(matches.all(), claims, Map.of(), 0)).isEmpty();
    assertThat(budget.heldBytes()).isEqualTo(7);
    assertThat(mail.nanosToOpening(0)).isEqualTo(closedNanos);
    assertThat(mail.pace().bound(0)).isEqualTo(16);
  }

  @Test
  void a_queue_that_was_opened_while_claims_were_under_way_stays_open() {
    put(mail, 1, 1, 1);
    waits("a", 1, PLENTY, MAIL);
    Matches matches = matching.match(100, 0, MANY);
    mail.open();
    ClaimResult claims =
        new ClaimResult(
            Set.of(), Map.of(matches.all().getFirst().task().task(), ClaimResult.UNTIL_CHANGED));

    matching.settle(matches.all(), claims, Map.of(), 0);

    assertThat(mail.isOpen(0)).isTrue();
  }

  @Test
  void predecessors_get_less_when_there_is_no_room_for_an_answer_with_all_of_them() {
    put(mail, 1, 1, 1_000);
    Heard<List<ClaimedTask>> answer = new Heard<>();
    waiters.add(new Waiter(request("a", 1, PLENTY, MAIL), answer));
    Matches matches = matching.match(100, 0, MANY);
    Set<FencedTask> one = Set.of(matches.all().getFirst().task().task());
    ClaimResult claims = new ClaimResult(one, Map.of(), one);

    answer.room = 1_000 + Predecessors.MOST_ROOM / 10;
    assertThat(PredecessorRoom.taken(matches.all(), claims))
        .extracting(PredecessorQuery::bytes)
        .containsExactly(Predecessors.MOST_ROOM / 16);
    answer.room = 1_000;
    assertThat(PredecessorRoom.taken(matches.all(), claims)).isEmpty();
  }

  @Test
  void predecessors_share_the_bytes_that_payloads_leave() {
    put(mail, 1, 1, 1_000);
    put(mail, 2, 2, 1_000);
    waits("a", 2, 5_000, MAIL);
    Matches matches = matching.match(100, 0, MANY);
    Set<FencedTask> both =
        Set.copyOf(matches.all().stream().map(match -> match.task().task()).toList());

    assertThat(
            PredecessorRoom.taken(matches.all(), new ClaimResult(both, Map.of(), both)).stream()
                .map(PredecessorQuery::bytes))
        .containsExactly(1_500, 1_500);
    assertThat(PredecessorRoom.taken(matches.all(), new ClaimResult(both, Map.of()))).isEmpty();
  }
}
