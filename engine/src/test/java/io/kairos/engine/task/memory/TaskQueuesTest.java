package io.kairos.engine.task.memory;

import static io.kairos.engine.task.memory.TaskSamples.MAIL;
import static io.kairos.engine.task.memory.TaskSamples.PRINT;
import static io.kairos.engine.task.memory.TaskSamples.request;
import static io.kairos.engine.task.memory.TaskSamples.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.task.edge.ClaimedTask;
import io.kairos.engine.task.edge.NoAnswerRoom;
import io.kairos.engine.task.edge.NodeStopping;
import io.kairos.engine.task.edge.TaskEdge.Waiting;
import io.kairos.engine.task.edge.WorkRequest;
import io.kairos.engine.task.memory.TaskSamples.Heard;
import io.kairos.engine.task.memory.TaskSamples.Signals;
import io.kairos.engine.task.port.ClaimResult;
import io.kairos.engine.task.port.EnqueuedTask;
import io.kairos.engine.task.port.Predecessors;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TaskQueuesTest {
  private static final QueueId MAILS = new QueueId(1);
  private static final QueueId PRINTS = new QueueId(2);
  private static final int MANY = 1_000;
  private static final long PLENTY = 1 << 20;
  private static final long DUE = 0;

  private long nanos;
  private final Signals claim = new Signals();
  private final Signals consume = new Signals();
  private final TaskQueues queues =
      new TaskQueues(
          TaskSamples.config(100, 1 << 20, 1_000, 100),
          () -> Instant.EPOCH,
          () -> nanos,
          claim,
          consume);

  TaskQueuesTest() {
    queues.know(Map.of(MAILS, TaskSamples.queue(MAIL, 50), PRINTS, TaskSamples.queue(PRINT, 50)));
  }

  private Heard<List<ClaimedTask>> ask(String worker, int maxTasks, TaskHandler... handlers) {
    Heard<List<ClaimedTask>> answer = new Heard<>();
    queues.await(request(worker, maxTasks, PLENTY, handlers), answer);
    return answer;
  }

  private void offer(EnqueuedTask... tasks) {
    queues.offer(List.of(tasks), Map.of(), PLENTY);
  }

  private static ClaimResult all(List<TaskMatch> matches) {
    return new ClaimResult(
        matches.stream().map(match -> match.task().task()).collect(Collectors.toSet()), Map.of());
  }

  /** Time passes, and the store still has these queues alone. */
  private void passWith(Duration length, QueueId... inStore) {
    queues.forgetOthers(Set.of(inStore));
    nanos += length.toNanos();
    queues.forgetOthers(Set.of(inStore));
  }

  @Test
  void a_queue_that_the_store_has_forgotten_is_forgotten_here_too() {
    passWith(Duration.ofMinutes(9), PRINTS);
    assertThat(queues.name(MAILS)).as("calls may name it").isNotNull();

    passWith(Duration.ofMinutes(1), PRINTS);

    assertThat(queues.name(MAILS)).isNull();
    assertThat(queues.name(PRINTS)).isNotNull();
    queues.know(Map.of(new QueueId(3), TaskSamples.queue(MAIL, 50)));
    ask("a", 1, MAIL);
    assertThat(queues.room().ahead()).containsOnlyKeys(new QueueId(3));
  }

  @Test
  void a_queue_that_is_in_use_is_not_forgotten() {
    offer(task(PRINTS, 1, DUE, 10));
    passWith(Duration.ofMinutes(9));
    queues.know(Map.of(MAILS, TaskSamples.queue(MAIL, 50))); // somebody has taken it back
    passWith(Duration.ofMinutes(9));

    assertThat(queues.name(MAILS)).isNotNull();
    assertThat(queues.name(PRINTS)).as("holds a task").isNotNull();

    ask("a", 1, MAIL);
    passWith(Duration.ofMinutes(9));
    assertThat(queues.name(MAILS)).as("a worker asks for it").isNotNull();
  }

  @Test
  void a_worker_waits_until_a_task_is_claimed_for_it() {
    Heard<List<ClaimedTask>> answer = ask("a", 2, MAIL);
    assertThat(queues.waiting()).isEqualTo(1);
    offer(task(MAILS, 1, DUE, 10));

    List<TaskMatch> matches = queues.match(DUE, MANY);
    assertThat(answer.isAnswered()).isFalse();
    queues.hand(matches, all(matches));

    assertThat(answer.value).hasSize(1);
    assertThat(queues.waiting()).isZero();
    assertThat(queues.size()).isZero();
  }

  @Test
  void workers_whose_tasks_have_waited_for_none_get_them_first() {
    Heard<List<ClaimedTask>> plain = ask("a", 1, MAIL);
    Heard<List<ClaimedTask>> mixed = ask("b", 2, MAIL);
    Heard<List<ClaimedTask>> unclaimed = ask("c", 1, MAIL);
    offer(
        task(MAILS, 1, DUE, 10),
        task(MAILS, 2, DUE, 10),
        task(MAILS, 3, DUE, 10),
        task(MAILS, 4, DUE, 10));
    List<TaskMatch> matches = queues.match(DUE, MANY);
    ClaimResult some = all(matches.subList(0, 3));
    ClaimResult claims =
        new ClaimResult(some.claimed(), Map.of(), Set.of(matches.get(2).task().task()));

    List<TaskMatch> left = queues.handOthers(matches, claims);

    assertThat(plain.value).hasSize(1);
    assertThat(mixed.isAnswered()).isFalse();
    queues.hand(left, claims, Map.of());
    assertThat(mixed.value)
        .extracting(ClaimedTask::predecessors)
        .containsExactly(Predecessors.NONE, Predecessors.LEFT_OUT);
    assertThat(unclaimed.isAnswered()).isFalse();
  }

  @Test
  void a_wait_that_ends_is_answered_with_nothing_unless_work_is_on_its_way() {
    Heard<List<ClaimedTask>> answer = new Heard<>();
    Waiting waiting = queues.await(request("a", 1, PLENTY, MAIL), answer);
    offer(task(MAILS, 1, DUE, 10));
    List<TaskMatch> matches = queues.match(DUE, MANY);
    waiting.end();
    assertThat(answer.isAnswered()).isFalse();
    queues.hand(matches, all(matches));
    assertThat(answer.value).hasSize(1);

    Heard<List<ClaimedTask>> idle = ask("b", 1, MAIL);
    queues.leave("b", null);
    assertThat(idle.value).isEmpty();
  }

  @Test
  void a_wait_is_ended_by_its_own_caller_only() {
    Heard<List<ClaimedTask>> farms = new Heard<>();
    queues.await(new WorkRequest("w", Set.of(MAIL), 1, PLENTY, false, "farm"), farms);
    Heard<List<ClaimedTask>> nobodys = ask("w", 1, MAIL);

    queues.leave("w", "thief");
    assertThat(farms.isAnswered() || nobodys.isAnswered()).isFalse();
    queues.leave("w", "farm");

    assertThat(farms.value).isEmpty();
    assertThat(nobodys.isAnswered()).isFalse();
  }

  @Test
  void a_worker_gets_no_more_bytes_than_there_is_room_for_and_its_wait_ends_without_any_room() {
    Heard<List<ClaimedTask>> some = ask("a", 3, MAIL);
    some.room = 20;
    Heard<List<ClaimedTask>> none = ask("b", 3, MAIL);
    none.room = 9;
    offer(task(MAILS, 1, DUE, 10), task(MAILS, 2, DUE, 10), task(MAILS, 3, DUE, 10));

    List<TaskMatch> matches = queues.match(DUE, MANY);
    queues.hand(matches, all(matches));

    assertThat(some.value).hasSize(2);
    assertThat(none.failure).isInstanceOf(NoAnswerRoom.class);
    assertThat(queues.waiting()).isZero();
    assertThat(queues.size()).isEqualTo(1);
  }

  @Test
  void room_for_an_answer_is_given_back_with_what_is_not_claimed() {
    Heard<List<ClaimedTask>> none = ask("a", 1, MAIL);
    Heard<List<ClaimedTask>> some = ask("b", 2, MAIL);
    offer(task(MAILS, 1, DUE, 10), task(MAILS, 2, DUE, 20), task(MAILS, 3, DUE, 30));
    List<TaskMatch> matches = queues.match(DUE, MANY);
    assertThat(none.taken).isEqualTo(10);
    assertThat(some.taken).isEqualTo(50);

    queues.hand(matches, all(matches.subList(1, 2)));

    assertThat(none.isAnswered()).isFalse();
    assertThat(none.taken).isZero();
    assertThat(some.value).hasSize(1);
    assertThat(some.taken).isEqualTo(20);
  }

  @Test
  void closed_queues_end_every_wait_and_take_nothing() {
    Heard<List<ClaimedTask>> waiting = ask("a", 1, MAIL);
    queues.close();

    assertThat(waiting.value).isEmpty();
    assertThat(ask("b", 1, MAIL).failure).isInstanceOf(NodeStopping.class);
    assertThat(queues.reserve(MAILS, 1, true, null)).isFalse();
    assertThat(queues.room().ahead()).isEmpty();
    assertThat(queues.roomForNext().queues()).isEmpty();
  }

  @Test
  void only_what_a_worker_has_asked_for_gets_room() {
    assertThat(queues.reserve(MAILS, 1, true, null)).isFalse();
    ask("a", 1, MAIL);

    assertThat(queues.reserve(MAILS, 1, true, null)).isTrue();
    assertThat(queues.reserve(PRINTS, 1, true, null)).isFalse();
    assertThat(queues.reserve(new QueueId(99), 1, true, null)).isFalse();
    assertThat(queues.room().ahead()).containsOnlyKeys(MAILS);
    assertThat(queues.roomForNext().queues()).containsOnlyKeys(MAILS);
    assertThat(queues.wanted()).containsExactly(MAIL);
  }

  @Test
  void a_new_wish_wakes_the_store_consumer_and_every_wish_the_matching() {
    ask("a", 1, MAIL);
    ask("b", 1, MAIL);

    assertThat(consume.count).isEqualTo(1);
    assertThat(claim.count).isEqualTo(2);
  }

  @Test
  void a_new_life_hands_nothing_of_the_former_out_and_gives_it_back() {
    NodeId former = new NodeId(new UUID(0, 1));
    queues.liveAs(former);
    ask("a", 5, MAIL);
    offer(task(MAILS, 1, DUE, 10));
    queues.liveAs(former);
    assertThat(queues.size()).isEqualTo(1);

    queues.liveAs(new NodeId(new UUID(0, 2)));
    assertThat(queues.match(DUE, MANY)).isEmpty();
    assertThat(TaskSamples.numbers(queues.superfluous())).containsExactly(1);
    assertThat(queues.superfluous()).isEmpty();
  }

  @Test
  void what_nobody_asks_for_any_more_is_given_back() {
    ask("a", 5, MAIL);
    offer(task(MAILS, 1, DUE, 10), task(MAILS, 2, DUE, 10));
    assertThat(queues.superfluous()).isEmpty();

    queues.leave("a", null);
    nanos += Duration.ofSeconds(1).toNanos() + 1;

    assertThat(TaskSamples.numbers(queues.superfluous())).containsExactlyInAnyOrder(1, 2);
    assertThat(queues.size()).isZero();
  }

  @Test
  void a_call_that_fails_leaves_a_doubt_that_is_resolved_once() {
    assertThat(queues.doubting(() -> 7)).isEqualTo(7);
    assertThat(queues.resolveDoubt()).isFalse();

    StoreUnavailable lost = new StoreUnavailable("for the test");
    assertThatThrownBy(() ->
            queues.doubting(() -> {
              throw lost;
            }))
        .isSameAs(lost);
    assertThat(queues.resolveDoubt()).isTrue();
    assertThat(queues.resolveDoubt()).isFalse();
  }

  @Test
  void the_store_has_more_where_it_gave_all_that_was_asked_for_or_the_bytes_ran_out() {
    ask("a", 5, MAIL);
    EnqueuedTask one = task(MAILS, 1, DUE, 10);
    EnqueuedTask two = task(MAILS, 2, DUE, 10);

    assertThat(queues.offer(List.of(one), Map.of(MAILS, 2), PLENTY)).isFalse();
    assertThat(queues.offer(List.of(two), Map.of(MAILS, 1), PLENTY)).isTrue();
    assertThat(queues.offer(List.of(), Map.of(MAILS, 2), PLENTY)).isFalse();
    assertThat(queues.offer(List.of(task(MAILS, 3, DUE, 10)), Map.of(MAILS, 9), 20)).isTrue();
  }

  @Test
  void freed_tasks_wake_the_matching_here_or_are_for_others() {
    assertThat(queues.moreMayBegin(Set.of(MAILS))).isTrue();

    ask("a", 5, MAIL);
    offer(task(MAILS, 1, DUE, 10));
    int before = claim.count;
    assertThat(queues.moreMayBegin(Set.of(MAILS))).isFalse();
    assertThat(claim.count).isEqualTo(before + 1);
    assertThat(queues.moreMayBegin(Set.of(MAILS, PRINTS))).isTrue();
  }

  /** Whatever happens, a task that came in is here, or has left by exactly one way. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void no_task_is_lost_or_handed_out_twice(long seed) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    Set<FencedTask> here = new HashSet<>();
    Set<FencedTask> gone = new HashSet<>();
    Map<FencedTask, EnqueuedTask> promised = new HashMap<>();
    List<Heard<List<ClaimedTask>>> answers = new ArrayList<>();
    for (int i = 1; i < 4_000; i++) {
      nanos += random.nextLong(20_000_000);
      QueueId id = random.nextBoolean() ? MAILS : PRINTS;
      EnqueuedTask fresh = task(id, i, DUE - random.nextInt(3), random.nextInt(5_000));
      switch (random.nextInt(9)) {
        case 0, 1 -> {
          if (queues.reserve(id, fresh.details().bytes(), true, null)) {
            promised.put(fresh.task(), fresh);
          }
        }
        case 2 -> {
          queues.offerReserved(List.copyOf(promised.values()));
          here.addAll(promised.keySet());
          promised.clear();
        }
        case 3 -> {
          offer(fresh);
          here.add(fresh.task());
        }
        case 4, 5 ->
            answers.add(ask("w" + i, random.nextInt(5) + 1, random.nextBoolean() ? MAIL : PRINT));
        case 6, 7 -> {
          List<TaskMatch> matches = queues.match(DUE, random.nextInt(8) + 1);
          Set<FencedTask> claimed = new HashSet<>();
          Map<FencedTask, Duration> heldBack = new HashMap<>();
          for (TaskMatch match : matches) {
            FencedTask taken = match.task().task();
            assertThat(here).contains(taken);
            switch (random.nextInt(4)) {
              case 0 -> heldBack.put(taken, Duration.ofMillis(random.nextInt(50)));
              case 1 -> {
                gone.add(taken); // claimed by another node
                here.remove(taken);
              }
              default -> claimed.add(taken);
            }
          }
          queues.hand(matches, new ClaimResult(claimed, heldBack));
          here.removeAll(claimed);
          assertThat(gone)
              .doesNotContainAnyElementsOf(claimed.isEmpty() ? Set.of(fresh.task()) : claimed);
          gone.addAll(claimed);
        }
        default -> {
          for (EnqueuedTask task : queues.superfluous()) {
            assertThat(here.remove(task.task())).isTrue();
            gone.add(task.task());
          }
        }
      }

      assertThat(queues.size()).isEqualTo(here.size() + promised.size());
      assertThat(queues.absent(List.copyOf(here))).isEmpty();
    }
    assertThat(gone).hasSizeGreaterThan(100);
    assertThat(answers.stream().filter(Heard::isAnswered).count()).isGreaterThan(50);
    List<FencedTask> rest = queues.clear().stream().map(EnqueuedTask::task).toList();
    assertThat(rest).containsExactlyInAnyOrderElementsOf(here);
  }
}
