package io.kairos.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskIdempotency;
import io.kairos.domain.task.TaskResult;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.graph.GraphEdge;
import io.kairos.domain.task.graph.OnFailure;
import io.kairos.domain.task.queue.CollectionName;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.engine.task.port.ArrivingTask;
import io.kairos.engine.task.port.ClaimResult;
import io.kairos.engine.task.port.EnqueuedTask;
import io.kairos.engine.task.port.FollowedEnds;
import io.kairos.engine.task.port.InsertRequest;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.NewTask;
import io.kairos.engine.task.port.PredecessorQuery;
import io.kairos.engine.task.port.Predecessors;
import io.kairos.engine.task.port.Predecessors.Predecessor;
import io.kairos.engine.task.port.Settlement;
import io.kairos.engine.task.port.SettlementResult;
import io.kairos.engine.task.port.SweptEdges;
import io.kairos.engine.task.port.TaskClaim;
import io.kairos.engine.task.port.TaskReceipt;
import io.kairos.engine.task.port.TaskStepStore;
import io.kairos.engine.task.port.operator.AdmissionQuota;
import io.kairos.engine.task.port.operator.CancelResult;
import io.kairos.engine.task.port.operator.RedriveRequest;
import io.kairos.engine.task.port.operator.TaskGraphView;
import io.kairos.engine.task.port.operator.TaskPause;
import io.kairos.engine.task.port.operator.UnfinishedTasks;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A task store holds a task back until its predecessors have ended as its edges ask, readies it
 * once and in the call that ends the last of them, and stores a graph as a whole or not at all.
 */
public abstract class TaskGraphContract extends TaskContract {
  private static final OrderingKey KEY = new OrderingKey("key");
  private static final HandlerName MAILER = new HandlerName("mail");

  private static GraphEdge edge(TaskId predecessor, NewTask successor, OnFailure onFailure) {
    return new GraphEdge(predecessor, successor.id(), onFailure);
  }

  private static GraphEdge edge(NewTask predecessor, NewTask successor) {
    return edge(predecessor.id(), successor, OnFailure.FAIL);
  }

  private InsertResult store(List<NewTask> tasks, GraphEdge... edges) {
    return storeArriving(
        tasks.stream().map(task -> ArrivingTask.withoutIdempotency(task, true)).toList(), edges);
  }

  private InsertResult storeArriving(List<ArrivingTask> arriving, GraphEdge... edges) {
    InsertRequest request = new InsertRequest(arriving, List.of(edges));
    return tasks.insert(NODE, List.of(request), ENQUEUE_TIMEOUT).getFirst();
  }

  private List<TaskReceipt> stored(List<NewTask> tasks, GraphEdge... edges) {
    return ((InsertResult.Stored) store(tasks, edges)).receipts();
  }

  private NewTask dueTask() {
    return task(micros(-60));
  }

  /** A task that a worker performs and another one that waits for it. */
  private NewTask behind(FencedTask predecessor, OnFailure onFailure) {
    NewTask successor = dueTask();
    stored(List.of(successor), edge(predecessor.id(), successor, onFailure));
    return successor;
  }

  private TaskState stateOf(NewTask task) {
    return view(task.id()).state();
  }

  private SettlementResult end(FencedTask processing, TaskState state) {
    SettlementResult result = tasks.settle(List.of(finish(processing, state)));
    assertThat(result.tasks()).containsExactly(processing);
    return result;
  }

  /** Enqueues a task that must be due, and has a worker begin it. */
  private FencedTask begun(NewTask task) {
    EnqueuedTask enqueued =
        enqueue(NODE).stream()
            .filter(one -> one.task().id().equals(task.id()))
            .findFirst()
            .orElseThrow();
    TaskClaim claim = new TaskClaim(enqueued.task(), enqueued.queue(), WORKER, enqueued.keyId());
    assertThat(tasks.claim(List.of(claim), LEASE).claimed()).containsExactly(enqueued.task());
    return enqueued.task().next();
  }

  private void follow() {
    int rounds = 0;
    while (tasks.followEnds(MANY) > 0) {
      assertThat(rounds++).as("rounds").isLessThan(1_000);
    }
  }

  @Test
  void a_successor_awaits_its_predecessor_and_is_ready_when_that_succeeds() {
    FencedTask first = processing();
    NewTask second = behind(first, OnFailure.FAIL);

    assertThat(stateOf(second)).isEqualTo(TaskState.AWAITING);
    assertThat(enqueue(NODE)).isEmpty();

    SettlementResult result = end(first, TaskState.SUCCEEDED);

    assertThat(stateOf(second)).isEqualTo(TaskState.NEW);
    assertThat(result.roomIn()).containsExactly(mail);
    assertThat(enqueueOne(NODE).id()).isEqualTo(second.id());
    assertThat(tasks.followEnds(MANY)).isZero();
  }

  @Test
  void a_graph_is_stored_by_one_call_and_runs_in_order() {
    NewTask root = dueTask();
    NewTask left = dueTask();
    NewTask right = dueTask();
    NewTask join = dueTask();
    List<TaskReceipt> receipts =
        stored(
            List.of(root, left, right, join),
            edge(root, left),
            edge(root, right),
            edge(left, join),
            edge(right, join));

    assertThat(receipts)
        .extracting(TaskReceipt::onQueue)
        .containsExactly(true, false, false, false);
    FencedTask first = claimed(new FencedTask(root.id(), 1), WORKER);
    end(first, TaskState.SUCCEEDED);
    List<EnqueuedTask> branches = enqueue(NODE);
    assertThat(ids(branches)).containsExactly(left.id(), right.id());
    end(claimed(branches.getFirst().task(), WORKER), TaskState.SUCCEEDED);
    assertThat(stateOf(join)).isEqualTo(TaskState.AWAITING);
    end(claimed(branches.getLast().task(), WORKER), TaskState.SUCCEEDED);
    assertThat(stateOf(join)).isEqualTo(TaskState.NEW);
  }

  @Test
  void predecessors_that_end_in_one_call_ready_their_successor_once() {
    FencedTask first = processing();
    FencedTask second = processing();
    NewTask join = dueTask();
    stored(
        List.of(join),
        edge(first.id(), join, OnFailure.FAIL),
        edge(second.id(), join, OnFailure.CONTINUE));

    tasks.settle(List.of(finish(first, TaskState.SUCCEEDED), finish(second, TaskState.FAILED)));

    assertThat(enqueueOne(NODE)).isEqualTo(new FencedTask(join.id(), 1));
  }

  @Test
  void a_failure_fails_the_successors_that_fail_with_it_and_theirs_with_them() {
    FencedTask first = processing();
    NewTask second = behind(first, OnFailure.FAIL);
    NewTask third = dueTask();
    stored(List.of(third), edge(second, third));

    end(first, TaskState.DEAD);
    follow();

    assertThat(stateOf(second)).isEqualTo(TaskState.FAILED);
    assertThat(errorsOf(second.id())).containsExactly("its predecessor " + first.id() + " failed");
    assertThat(stateOf(third)).isEqualTo(TaskState.FAILED);
    assertThat(errorsOf(third.id())).containsExactly("its predecessor " + second.id() + " failed");
  }

  @Test
  void a_successor_that_goes_on_is_ready_at_once_when_its_predecessor_fails() {
    FencedTask first = processing();
    NewTask second = behind(first, OnFailure.CONTINUE);

    assertThat(end(first, TaskState.FAILED).roomIn()).containsExactly(mail);

    assertThat(stateOf(second)).isEqualTo(TaskState.NEW);
  }

  @Test
  void a_retry_is_no_end() {
    FencedTask first = processing();
    NewTask second = behind(first, OnFailure.CONTINUE);

    FencedTask again = afterRetry(first);
    follow();

    assertThat(stateOf(second)).isEqualTo(TaskState.AWAITING);
    end(again, TaskState.SUCCEEDED);
    assertThat(stateOf(second)).isEqualTo(TaskState.NEW);
  }

  @Test
  void a_failure_that_blocks_holds_the_successor_until_the_predecessor_was_put_back_and_succeeds() {
    FencedTask first = processing();
    NewTask second = behind(first, OnFailure.BLOCK);

    end(first, TaskState.DEAD);
    follow();
    assertThat(stateOf(second)).isEqualTo(TaskState.AWAITING);

    redrive(first.id());
    follow();
    assertThat(stateOf(second)).isEqualTo(TaskState.AWAITING);
    FencedTask again = claimed(enqueueOne(NODE), WORKER);
    end(again, TaskState.SUCCEEDED);
    assertThat(stateOf(second)).isEqualTo(TaskState.NEW);
  }

  private void redrive(TaskId... ids) {
    assertThat(
            tasks
                .redrive(
                    new RedriveRequest(
                        new RedriveRequest.Ids(List.of(ids)), null, Duration.ZERO, MANY))
                .tasks())
        .containsExactlyInAnyOrder(ids);
  }

  @Test
  void a_successor_that_failed_and_is_put_back_alone_fails_again() {
    FencedTask first = processing();
    NewTask second = behind(first, OnFailure.FAIL);
    end(first, TaskState.DEAD);
    follow();

    redrive(second.id());

    assertThat(stateOf(second)).isEqualTo(TaskState.AWAITING);
    follow();
    assertThat(stateOf(second)).isEqualTo(TaskState.FAILED);
  }

  @Test
  void a_successor_that_is_put_back_with_its_predecessor_runs_after_it() {
    FencedTask first = processing();
    NewTask second = behind(first, OnFailure.FAIL);
    end(first, TaskState.DEAD);
    follow();

    redrive(second.id(), first.id());
    follow();

    assertThat(stateOf(second)).isEqualTo(TaskState.AWAITING);
    FencedTask again = claimed(enqueueOne(NODE), WORKER);
    assertThat(again.id()).isEqualTo(first.id());
    end(again, TaskState.SUCCEEDED);
    assertThat(stateOf(second)).isEqualTo(TaskState.NEW);
  }

  @Test
  void an_edge_that_went_on_after_a_failure_counts_once_when_the_predecessor_ends_again() {
    FencedTask first = processing();
    FencedTask other = processing();
    NewTask join = dueTask();
    stored(
        List.of(join),
        edge(first.id(), join, OnFailure.CONTINUE),
        edge(other.id(), join, OnFailure.FAIL));
    end(first, TaskState.DEAD);
    redrive(first.id());
    end(claimed(enqueueOne(NODE), WORKER), TaskState.SUCCEEDED);

    assertThat(stateOf(join)).isEqualTo(TaskState.AWAITING);
    end(other, TaskState.SUCCEEDED);
    assertThat(stateOf(join)).isEqualTo(TaskState.NEW);
  }

  @Test
  void the_cancel_of_a_predecessor_cancels_the_successors_but_those_that_go_on() {
    NewTask first = storedWaiting(task(micros(3600)));
    NewTask blocks = dueTask();
    NewTask fails = dueTask();
    NewTask goesOn = dueTask();
    stored(
        List.of(blocks, fails, goesOn),
        edge(first.id(), blocks, OnFailure.BLOCK),
        edge(first.id(), fails, OnFailure.FAIL),
        edge(first.id(), goesOn, OnFailure.CONTINUE));

    assertThat(tasks.cancel(first.id())).isEqualTo(CancelResult.CANCELLED);
    follow();

    assertThat(List.of(stateOf(blocks), stateOf(fails), stateOf(goesOn)))
        .containsExactly(TaskState.CANCELLED, TaskState.CANCELLED, TaskState.NEW);
  }

  @Test
  void an_attempt_that_is_cancelled_cancels_the_successor() {
    FencedTask first = processing();
    NewTask second = behind(first, OnFailure.FAIL);
    tasks.cancel(first.id());

    assertThat(settle(retry(first))).containsExactly(first);
    follow();

    assertThat(stateOf(second)).isEqualTo(TaskState.CANCELLED);
  }

  @Test
  void a_cancelled_successor_is_not_readied_by_its_predecessor() {
    FencedTask first = processing();
    NewTask second = behind(first, OnFailure.FAIL);
    assertThat(tasks.cancel(second.id())).isEqualTo(CancelResult.CANCELLED);

    end(first, TaskState.SUCCEEDED);
    follow();

    assertThat(stateOf(second)).isEqualTo(TaskState.CANCELLED);
  }

  @Test
  void predecessors_that_have_ended_count_as_if_they_ended_just_now() {
    FencedTask good = processing();
    FencedTask bad = processing();
    end(good, TaskState.SUCCEEDED);
    end(bad, TaskState.FAILED);
    NewTask afterGood = dueTask();
    NewTask afterBad = dueTask();
    NewTask goesOn = dueTask();
    NewTask blocked = dueTask();
    List<TaskReceipt> receipts =
        stored(
            List.of(afterGood, afterBad, goesOn, blocked),
            edge(good.id(), afterGood, OnFailure.BLOCK),
            edge(bad.id(), afterBad, OnFailure.FAIL),
            edge(bad.id(), goesOn, OnFailure.CONTINUE),
            edge(bad.id(), blocked, OnFailure.BLOCK));

    assertThat(receipts).extracting(TaskReceipt::onQueue).containsExactly(true, false, true, false);
    follow();
    assertThat(stateOf(afterGood)).isEqualTo(TaskState.ENQUEUED);
    assertThat(stateOf(afterBad)).isEqualTo(TaskState.FAILED);
    assertThat(stateOf(goesOn)).isEqualTo(TaskState.ENQUEUED);
    assertThat(stateOf(blocked)).isEqualTo(TaskState.AWAITING);

    redrive(bad.id());
    end(begunOf(bad.id()), TaskState.SUCCEEDED);
    assertThat(stateOf(blocked)).isEqualTo(TaskState.NEW);
  }

  private FencedTask begunOf(TaskId id) {
    FencedTask enqueued =
        enqueue(NODE).stream()
            .map(EnqueuedTask::task)
            .filter(task -> task.id().equals(id))
            .findFirst()
            .orElseThrow();
    return claimed(enqueued, WORKER);
  }

  @Test
  void an_unknown_or_removed_predecessor_is_refused_by_its_edge_and_nothing_is_stored() {
    FencedTask gone = processing();
    end(gone, TaskState.SUCCEEDED);
    stores.letPass(LONG);
    assertThat(tasks.prune(TaskState.SUCCEEDED, Duration.ofMinutes(1), MANY)).isEqualTo(1);
    NewTask first = dueTask();
    NewTask second = dueTask();

    InsertResult result =
        store(List.of(first, second), edge(first, second), edge(gone.id(), second, OnFailure.FAIL));

    assertThat(result).isEqualTo(new InsertResult.UnknownPredecessor(1, gone.id()));
    assertThat(tasks.find(first.id())).isEmpty();
    assertThat(tasks.find(second.id())).isEmpty();
    assertThat(tasks.graph(second.id(), MANY, MANY).edges()).isEmpty();
  }

  @Test
  void a_refused_graph_leaves_other_requests_of_the_call_alone() {
    NewTask alone = dueTask();
    NewTask bad = dueTask();
    InsertRequest refused =
        new InsertRequest(
            List.of(ArrivingTask.withoutIdempotency(bad, false)),
            List.of(edge(newId(), bad, OnFailure.FAIL)));

    List<InsertResult> results =
        tasks.insert(NODE, List.of(request(List.of(), List.of(alone)), refused), ENQUEUE_TIMEOUT);

    assertThat(results.getFirst()).isInstanceOf(InsertResult.Stored.class);
    assertThat(results.getLast()).isInstanceOf(InsertResult.UnknownPredecessor.class);
    assertThat(stateOf(alone)).isEqualTo(TaskState.NEW);
  }

  @Test
  void a_predecessor_that_is_removed_while_it_blocks_fails_its_successor() {
    FencedTask first = processing();
    NewTask second = behind(first, OnFailure.BLOCK);
    end(first, TaskState.DEAD);
    follow();
    stores.letPass(LONG);
    assertThat(tasks.prune(TaskState.DEAD, Duration.ofMinutes(1), MANY)).isEqualTo(1);

    sweep();
    follow();

    assertThat(stateOf(second)).isEqualTo(TaskState.FAILED);
    assertThat(errorsOf(second.id()))
        .containsExactly("its predecessor " + first.id() + " was removed before it had succeeded");
    redrive(second.id());
    assertThat(stateOf(second)).isEqualTo(TaskState.NEW);
  }

  @Test
  void a_successor_that_is_put_back_waits_for_those_predecessors_that_were_not_removed() {
    FencedTask removed = processing();
    FencedTask other = processing();
    NewTask join = dueTask();
    stored(
        List.of(join),
        edge(removed.id(), join, OnFailure.FAIL),
        edge(other.id(), join, OnFailure.FAIL));
    end(removed, TaskState.DEAD);
    follow();
    assertThat(stateOf(join)).isEqualTo(TaskState.FAILED);
    stores.letPass(LONG);
    assertThat(tasks.prune(TaskState.DEAD, Duration.ofMinutes(1), MANY)).isEqualTo(1);

    redrive(join.id());
    sweep();
    follow();

    assertThat(stateOf(join)).isEqualTo(TaskState.AWAITING);
    end(other, TaskState.SUCCEEDED);
    assertThat(stateOf(join)).isEqualTo(TaskState.NEW);
  }

  /** Visits all edges, one after the other. */
  private int sweep() {
    int found = 0;
    Optional<SweptEdges.Position> after = Optional.empty();
    do {
      SweptEdges swept = tasks.sweepEdges(after, 1);
      found += swept.found();
      after = Optional.ofNullable(swept.last());
    } while (after.isPresent());
    return found;
  }

  @Test
  void edges_go_with_their_successor_and_no_sooner() {
    FencedTask first = processing();
    NewTask second = behind(first, OnFailure.FAIL);
    end(first, TaskState.SUCCEEDED);
    stores.letPass(LONG);
    tasks.prune(TaskState.SUCCEEDED, Duration.ofMinutes(1), MANY);

    assertThat(sweep()).isZero();
    assertThat(tasks.graph(second.id(), MANY, MANY).edges()).hasSize(1);

    end(begun(second), TaskState.SUCCEEDED);
    stores.letPass(LONG);
    tasks.prune(TaskState.SUCCEEDED, Duration.ofMinutes(1), MANY);
    assertThat(sweep()).isEqualTo(1);
    assertThat(tasks.graph(second.id(), MANY, MANY).edges()).isEmpty();
    assertThat(sweep()).isZero();
  }

  @Test
  void more_successors_than_one_call_readies_follow_later() {
    FencedTask first = processing();
    int more = TaskStepStore.MOST_READY_AT_ONCE + 3;
    List<NewTask> successors = IntStream.range(0, more).mapToObj(_ -> dueTask()).toList();
    stored(
        successors,
        successors.stream()
            .map(one -> edge(first.id(), one, OnFailure.FAIL))
            .toArray(GraphEdge[]::new));

    end(first, TaskState.SUCCEEDED);

    assertThat(counts(successors))
        .isEqualTo(Map.of(TaskState.NEW, TaskStepStore.MOST_READY_AT_ONCE, TaskState.AWAITING, 3));
    assertThat(tasks.followEnds(2)).isEqualTo(1);
    assertThat(counts(successors)).containsEntry(TaskState.AWAITING, 1);
    follow();
    assertThat(counts(successors)).isEqualTo(Map.of(TaskState.NEW, more));
  }

  @Test
  void ends_of_one_call_share_the_number_of_successors_that_it_readies() {
    FencedTask first = processing();
    FencedTask second = processing();
    int each = TaskStepStore.MOST_READY_AT_ONCE / 2 + 2;
    List<NewTask> successors = new ArrayList<>();
    for (FencedTask one : List.of(first, second)) {
      List<NewTask> own = IntStream.range(0, each).mapToObj(_ -> dueTask()).toList();
      stored(
          own,
          own.stream()
              .map(successor -> edge(one.id(), successor, OnFailure.FAIL))
              .toArray(GraphEdge[]::new));
      successors.addAll(own);
    }

    tasks.settle(List.of(finish(first, TaskState.SUCCEEDED), finish(second, TaskState.SUCCEEDED)));

    assertThat(counts(successors))
        .isEqualTo(Map.of(TaskState.NEW, TaskStepStore.MOST_READY_AT_ONCE, TaskState.AWAITING, 4));
    stores.letPass(LONG);
    int pruned = tasks.prune(TaskState.SUCCEEDED, Duration.ofMinutes(1), MANY);
    assertThat(pruned).as("those whose successors have all been told").isLessThan(2);
    follow();
    assertThat(counts(successors)).isEqualTo(Map.of(TaskState.NEW, 2 * each));
    assertThat(tasks.prune(TaskState.SUCCEEDED, Duration.ofMinutes(1), MANY)).isEqualTo(2 - pruned);
  }

  @Test
  void ends_that_block_as_they_should_do_not_keep_later_ends_from_being_followed() {
    int limit = 2;
    List<NewTask> blocked = new ArrayList<>();
    for (int i = 0; i < 2 * limit; i++) {
      FencedTask one = processing();
      blocked.add(behind(one, OnFailure.BLOCK));
      end(one, i % 2 == 0 ? TaskState.FAILED : TaskState.DEAD);
    }
    follow();
    FencedTask last = processing();
    NewTask failing = behind(last, OnFailure.FAIL);
    end(last, TaskState.FAILED);

    sweep();
    tasks.followEnds(limit);

    assertThat(stateOf(failing)).isEqualTo(TaskState.FAILED);
    assertThat(counts(blocked)).isEqualTo(Map.of(TaskState.AWAITING, 2 * limit));
    assertThat(tasks.followEnds(limit)).isZero();
  }

  @Test
  void ends_are_followed_round_by_round_from_where_the_last_round_has_come_to() {
    List<NewTask> failing = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      FencedTask one = processing();
      failing.add(behind(one, OnFailure.FAIL));
      end(one, TaskState.FAILED);
    }

    FollowedEnds first = tasks.followEnds(Optional.empty(), 2);

    assertThat(first.found()).isEqualTo(2);
    assertThat(first.last()).isNotNull();
    assertThat(counts(failing)).isEqualTo(Map.of(TaskState.FAILED, 2, TaskState.AWAITING, 1));
    assertThat(tasks.followEnds(Optional.ofNullable(first.last()), 2))
        .isEqualTo(new FollowedEnds(null, 1, null));
    assertThat(counts(failing)).isEqualTo(Map.of(TaskState.FAILED, 3));
  }

  private Map<TaskState, Integer> counts(List<NewTask> some) {
    Map<TaskState, Integer> counts = new EnumMap<>(TaskState.class);
    some.forEach(task -> counts.merge(stateOf(task), 1, Integer::sum));
    return counts;
  }

  @Test
  void many_successors_fail_some_at_a_time() {
    FencedTask first = processing();
    List<NewTask> successors = IntStream.range(0, 7).mapToObj(_ -> dueTask()).toList();
    stored(
        successors,
        successors.stream()
            .map(one -> edge(first.id(), one, OnFailure.FAIL))
            .toArray(GraphEdge[]::new));
    end(first, TaskState.FAILED);

    assertThat(tasks.followEnds(3)).isEqualTo(1);
    assertThat(counts(successors)).isEqualTo(Map.of(TaskState.FAILED, 3, TaskState.AWAITING, 4));
    follow();
    assertThat(counts(successors)).isEqualTo(Map.of(TaskState.FAILED, 7));
  }

  @Test
  void a_join_waits_for_many_predecessors() {
    List<FencedTask> many = new ArrayList<>();
    IntStream.range(0, 50).forEach(_ -> many.add(processing()));
    NewTask join = dueTask();
    stored(
        List.of(join),
        many.stream().map(one -> edge(one.id(), join, OnFailure.FAIL)).toArray(GraphEdge[]::new));

    tasks.settle(
        many.subList(1, 50).stream().map(one -> finish(one, TaskState.SUCCEEDED)).toList());
    assertThat(stateOf(join)).isEqualTo(TaskState.AWAITING);
    end(many.getFirst(), TaskState.SUCCEEDED);
    assertThat(stateOf(join)).isEqualTo(TaskState.NEW);
  }

  @Test
  void a_ready_task_waits_for_its_due_time() {
    FencedTask first = processing();
    NewTask later = task(micros(3600));
    stored(List.of(later), edge(first.id(), later, OnFailure.FAIL));

    end(first, TaskState.SUCCEEDED);

    assertThat(stateOf(later)).isEqualTo(TaskState.NEW);
    assertThat(enqueue(NODE)).isEmpty();
    assertIn(LONG, view(later.id()).progress().nextTrigger());
  }

  @Test
  void an_awaiting_task_that_is_rescheduled_goes_on_awaiting() {
    FencedTask first = processing();
    NewTask second = behind(first, OnFailure.FAIL);

    assertThat(tasks.reschedule(second.id(), micros(3600))).isTrue();

    assertThat(stateOf(second)).isEqualTo(TaskState.AWAITING);
    end(first, TaskState.SUCCEEDED);
    assertThat(enqueue(NODE)).isEmpty();
    assertIn(LONG, view(second.id()).progress().nextTrigger());
  }

  @Test
  void an_awaiting_task_past_its_start_deadline_fails_and_its_successors_with_it() {
    FencedTask first = processing();
    NewTask second =
        task(mail, micros(-60), TaskDetails.of(new byte[0]).withStartDeadline(micros(60)));
    NewTask third = dueTask();
    stored(
        List.of(second, third), edge(first.id(), second, OnFailure.CONTINUE), edge(second, third));
    stores.letPass(LONG);

    assertThat(tasks.expire(BELIEVED, MANY)).isEqualTo(1);
    follow();

    assertThat(stateOf(second)).isEqualTo(TaskState.FAILED);
    assertThat(stateOf(third)).isEqualTo(TaskState.FAILED);
    end(first, TaskState.SUCCEEDED);
    assertThat(stateOf(second)).isEqualTo(TaskState.FAILED);
  }

  @Test
  void an_awaiting_task_holds_up_no_other_of_its_ordering_key() {
    FencedTask first = processing();
    NewTask awaiting = keyed(micros(-120));
    stored(List.of(awaiting), edge(first.id(), awaiting, OnFailure.FAIL));
    NewTask other = keyed(micros(-60));
    storeWaiting(other);

    assertThat(stateOf(other)).isEqualTo(TaskState.NEW);
    FencedTask running = begun(other);
    end(first, TaskState.SUCCEEDED);

    assertThat(stateOf(awaiting)).isEqualTo(TaskState.NEW);
    EnqueuedTask early = enqueue(NODE).getFirst();
    TaskClaim claim = new TaskClaim(early.task(), mail, WORKER, early.keyId());
    assertThat(tasks.claim(List.of(claim), LEASE).claimed()).isEmpty();
    assertThat(stateOf(awaiting)).isEqualTo(TaskState.BLOCKED);
    end(running, TaskState.SUCCEEDED);
    assertThat(stateOf(awaiting)).isEqualTo(TaskState.NEW);
  }

  private NewTask keyed(long dueMicros) {
    return task(mail, dueMicros, TaskDetails.of(new byte[] {1}).withKey(KEY));
  }

  @Test
  void
      the_end_of_a_task_with_an_ordering_key_readies_its_successor_and_wakes_the_next_of_the_key() {
    NewTask head = keyed(micros(-120));
    NewTask next = keyed(micros(-60));
    storeWaiting(head, next);
    FencedTask running = begun(head);
    NewTask successor = behind(running, OnFailure.FAIL);

    end(running, TaskState.SUCCEEDED);

    assertThat(stateOf(successor)).isEqualTo(TaskState.NEW);
    assertThat(stateOf(next)).isNotEqualTo(TaskState.BLOCKED);
  }

  @Test
  void a_key_is_kept_while_a_task_that_has_it_awaits_others() {
    FencedTask first = processing();
    NewTask awaiting = keyed(micros(-120));
    stored(List.of(awaiting), edge(first.id(), awaiting, OnFailure.FAIL));

    tasks.sweepKeys(Optional.empty(), MANY);
    end(first, TaskState.SUCCEEDED);

    assertThat(view(awaiting.id()).details().key()).isEqualTo(KEY);
    end(begun(awaiting), TaskState.SUCCEEDED);
    assertThat(view(awaiting.id()).details().key()).isEqualTo(KEY);
  }

  @Test
  void a_task_that_becomes_ready_while_its_handler_is_paused_waits_for_the_end_of_the_pause() {
    FencedTask first = processing();
    NewTask second = behind(first, OnFailure.FAIL);
    tasks.setPause(new TaskPause(MAILER, null, TaskPause.Mode.PAUSE, null, ""));

    end(first, TaskState.SUCCEEDED);

    assertThat(stateOf(second)).isEqualTo(TaskState.NEW);
    assertThat(enqueue(NODE)).isEmpty();
    tasks.endPause(MAILER, null);
    assertThat(enqueueOne(NODE).id()).isEqualTo(second.id());
  }

  @Test
  void an_awaiting_task_of_a_dropped_collection_is_dropped_when_it_is_ready() {
    CollectionName collection = new CollectionName("eu");
    FencedTask first = processing();
    NewTask second =
        task(mail, micros(-60), TaskDetails.of(new byte[0]).withCollection(collection));
    stored(List.of(second), edge(first.id(), second, OnFailure.FAIL));
    tasks.setPause(new TaskPause(MAILER, collection, TaskPause.Mode.DROP, null, ""));

    tasks.applyPauses(MANY);
    assertThat(stateOf(second)).isEqualTo(TaskState.AWAITING);
    end(first, TaskState.SUCCEEDED);
    tasks.applyPauses(MANY);
    assertThat(stateOf(second)).isEqualTo(TaskState.CANCELLED);
  }

  @Test
  void a_graph_that_is_stored_again_under_its_idempotency_keys_changes_nothing() {
    NewTask first = dueTask();
    NewTask second = dueTask();
    assertThat(storeArriving(idempotent(first, second), edge(first, second)))
        .isInstanceOf(InsertResult.Stored.class);
    NewTask again = dueTask();
    NewTask againSecond = dueTask();
    NewTask more = dueTask();
    List<ArrivingTask> arriving = new ArrayList<>(idempotent(again, againSecond));
    arriving.add(ArrivingTask.withoutIdempotency(more, false));

    InsertResult result =
        storeArriving(arriving, edge(again, againSecond), edge(againSecond, more));

    assertThat(((InsertResult.Stored) result).receipts())
        .extracting(TaskReceipt::id)
        .containsExactly(first.id(), second.id(), more.id());
    assertThat(tasks.graph(first.id(), MANY, MANY).edges())
        .extracting(TaskGraphView.Edge::edge)
        .containsExactly(edge(first, second), edge(second, more));
    assertThat(stateOf(more)).isEqualTo(TaskState.AWAITING);
  }

  /** Both tasks, with the same idempotency keys in each call. */
  private static List<ArrivingTask> idempotent(NewTask first, NewTask second) {
    return List.of(
        new ArrivingTask(first, false, idempotency("first")),
        new ArrivingTask(second, false, idempotency("second")));
  }

  private static TaskIdempotency idempotency(String key) {
    return new TaskIdempotency(
        key, new TaskIdempotency.Window.Forever(), TaskIdempotency.OnConflict.KEEP);
  }

  @Test
  void an_awaiting_task_that_is_replaced_goes_on_awaiting() {
    FencedTask first = processing();
    NewTask second = dueTask();
    TaskIdempotency replacing =
        new TaskIdempotency(
            "key", new TaskIdempotency.Window.Forever(), TaskIdempotency.OnConflict.REPLACE);
    storeArriving(
        List.of(new ArrivingTask(second, false, replacing)),
        edge(first.id(), second, OnFailure.FAIL));
    QueueId urgent = queue(new QueueName(MAILER, 60));
    NewTask other = task(urgent, micros(-30), "other".getBytes(StandardCharsets.UTF_8));

    storeArriving(List.of(new ArrivingTask(other, false, replacing)));

    assertThat(stateOf(second)).isEqualTo(TaskState.AWAITING);
    end(first, TaskState.SUCCEEDED);
    assertThat(ids(enqueue(NODE, Map.of(mail, MANY, urgent, MANY), PLENTY_BYTES, Duration.ZERO)))
        .containsExactly(second.id());
    assertThat(view(second.id()).details().payload())
        .isEqualTo("other".getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void an_awaiting_task_counts_for_the_quota_of_its_handler() {
    FencedTask first = processing();
    tasks.setQuota(MAILER, 2L);
    NewTask second = behind(first, OnFailure.FAIL);
    tasks.recountQuotas();

    assertThat(tasks.quota(MAILER)).contains(new AdmissionQuota(2, 2));
    assertThat(store(List.of(dueTask()))).isInstanceOf(InsertResult.Exhausted.class);
    tasks.cancel(second.id());
    assertThat(tasks.quota(MAILER)).contains(new AdmissionQuota(2, 1));
  }

  @Test
  void a_graph_is_shown_from_each_of_its_tasks() {
    NewTask root = dueTask();
    NewTask left = dueTask();
    NewTask right = dueTask();
    NewTask join = dueTask();
    storeWaiting(dueTask());
    stored(
        List.of(root, left, right, join),
        edge(root, left),
        edge(root.id(), right, OnFailure.BLOCK),
        edge(left, join),
        edge(right.id(), join, OnFailure.CONTINUE));
    end(claimed(new FencedTask(root.id(), 1), WORKER), TaskState.SUCCEEDED);

    for (NewTask task : List.of(root, left, right, join)) {
      TaskGraphView view = tasks.graph(task.id(), 4, MANY);
      assertThat(view.states())
          .isEqualTo(
              Map.of(
                  root.id(), TaskState.SUCCEEDED,
                  left.id(), TaskState.NEW,
                  right.id(), TaskState.NEW,
                  join.id(), TaskState.AWAITING));
      assertThat(view.edges())
          .containsExactly(
              new TaskGraphView.Edge(edge(root, left), false),
              new TaskGraphView.Edge(edge(root.id(), right, OnFailure.BLOCK), false),
              new TaskGraphView.Edge(edge(left, join), true),
              new TaskGraphView.Edge(edge(right.id(), join, OnFailure.CONTINUE), true));
      assertThat(view.hasMore()).isFalse();
    }
    TaskGraphView some = tasks.graph(root.id(), 3, MANY);
    assertThat(some.states()).containsOnlyKeys(root.id(), left.id(), right.id());
    assertThat(some.hasMore()).isTrue();
    TaskGraphView fewEdges = tasks.graph(root.id(), 4, 3);
    assertThat(fewEdges.states()).hasSize(4);
    assertThat(fewEdges.edges()).hasSize(3);
    assertThat(fewEdges.hasMore()).isTrue();
    assertThat(tasks.graph(root.id(), 4, 4).hasMore()).isFalse();
  }

  @Test
  void what_is_unfinished_behind_a_task_is_found_also_behind_ended_ones_and_nothing_beside_it() {
    FencedTask shared = processing();
    NewTask one = behind(shared, OnFailure.FAIL);
    NewTask other = behind(shared, OnFailure.FAIL);
    NewTask last = dueTask();
    stored(List.of(last), edge(one, last));

    assertThat(tasks.unfinishedFrom(shared.id(), 4))
        .isEqualTo(unfinished(shared.id(), one.id(), other.id(), last.id()));
    assertThat(tasks.unfinishedFrom(one.id(), MANY)).isEqualTo(unfinished(one.id(), last.id()));
    UnfinishedTasks some = tasks.unfinishedFrom(shared.id(), 3);
    assertThat(some.tasks()).hasSize(3);
    assertThat(some.hasMore()).isTrue();

    tasks.cancel(shared.id()); // its worker is asked
    assertThat(tasks.unfinishedFrom(shared.id(), MANY))
        .isEqualTo(unfinished(one.id(), other.id(), last.id()));
    end(shared, TaskState.SUCCEEDED);
    tasks.cancel(one.id());
    assertThat(tasks.unfinishedFrom(shared.id(), MANY))
        .isEqualTo(unfinished(other.id(), last.id()));
    assertThat(tasks.unfinishedFrom(newId(), MANY)).isEqualTo(unfinished());
  }

  private static UnfinishedTasks unfinished(TaskId... ids) {
    return new UnfinishedTasks(Stream.of(ids).sorted(Comparator.reverseOrder()).toList(), false);
  }

  @Test
  void a_task_alone_is_a_graph_without_edges() {
    NewTask alone = storedWaiting(dueTask());

    assertThat(tasks.graph(alone.id(), MANY, MANY))
        .isEqualTo(new TaskGraphView(Map.of(alone.id(), TaskState.NEW), List.of(), false));
  }

  /**
   * Enqueues a task that must be due and begins it; returns what the claim says of predecessors.
   */
  private boolean beginsWithPredecessors(NewTask task) {
    EnqueuedTask enqueued =
        enqueue(NODE).stream()
            .filter(one -> one.task().id().equals(task.id()))
            .findFirst()
            .orElseThrow();
    TaskClaim claim = new TaskClaim(enqueued.task(), enqueued.queue(), WORKER, enqueued.keyId());
    ClaimResult result = tasks.claim(List.of(claim), LEASE);
    assertThat(result.claimed()).containsExactly(enqueued.task());
    return result.withPredecessors().contains(enqueued.task());
  }

  private Predecessors predecessorsOf(NewTask task, int bytes) {
    return tasks.predecessors(List.of(new PredecessorQuery(task.id(), bytes))).get(task.id());
  }

  private void succeed(FencedTask processing, TaskResult value) {
    assertThat(tasks.settle(List.of(new Settlement.Finish(processing, value))).tasks())
        .containsExactly(processing);
  }

  @Test
  void a_task_is_claimed_with_what_it_has_waited_for() {
    FencedTask computed = processing();
    FencedTask failed = processing();
    FencedTask silent = processing();
    NewTask join = dueTask();
    stored(
        List.of(join),
        edge(computed.id(), join, OnFailure.FAIL),
        edge(failed.id(), join, OnFailure.CONTINUE),
        edge(silent.id(), join, OnFailure.FAIL));
    TaskResult value = new TaskResult(new byte[] {1, 2, 3}, "a/b");
    succeed(computed, value);
    end(failed, TaskState.DEAD);
    end(silent, TaskState.SUCCEEDED);
    follow();

    assertThat(beginsWithPredecessors(join)).isTrue();

    Predecessors found = predecessorsOf(join, Predecessors.MOST_ROOM);
    assertThat(found.isWhole()).isTrue();
    assertThat(found.some())
        .containsExactlyInAnyOrder(
            new Predecessor(computed.id(), MAILER, TaskState.SUCCEEDED, value, 3, false),
            new Predecessor(failed.id(), MAILER, TaskState.DEAD, null, 0, false),
            new Predecessor(silent.id(), MAILER, TaskState.SUCCEEDED, null, 0, false));
    assertThat(found.some()).isSortedAccordingTo(Comparator.comparing(Predecessor::id));
  }

  @Test
  void predecessors_that_had_ended_before_are_told_too_and_others_have_none() {
    FencedTask past = processing();
    succeed(past, TaskResult.text("41"));
    NewTask successor = behind(past, OnFailure.FAIL);
    NewTask alone = dueTask();
    stored(List.of(alone));

    assertThat(stateOf(successor)).isNotEqualTo(TaskState.AWAITING);
    ClaimResult result =
        tasks.claim(
            Stream.of(successor, alone)
                .map(one -> claimOn(EnqueuedTask.of(one, null).task(), WORKER))
                .toList(),
            LEASE);

    assertThat(result.claimed()).hasSize(2);
    assertThat(result.withPredecessors().stream().map(FencedTask::id))
        .containsExactly(successor.id());
    assertThat(predecessorsOf(successor, Predecessors.MOST_ROOM).some())
        .singleElement()
        .satisfies(one -> assertThat(one.value()).isEqualTo(TaskResult.text("41")));
    assertThat(predecessorsOf(alone, Predecessors.MOST_ROOM)).isEqualTo(Predecessors.NONE);
  }

  @Test
  void the_smallest_values_go_first_and_the_others_tell_their_length() {
    List<FencedTask> before = List.of(processing(), processing(), processing());
    NewTask join = dueTask();
    stored(
        List.of(join),
        before.stream().map(one -> edge(one.id(), join, OnFailure.FAIL)).toArray(GraphEdge[]::new));
    int[] bytes = {700, 100, 300};
    for (int i = 0; i < 3; i++) {
      succeed(before.get(i), new TaskResult(new byte[bytes[i]], ""));
    }

    Predecessors found = predecessorsOf(join, 3 * Predecessors.ENTRY_BYTES + 400);

    assertThat(found.isWhole()).isTrue();
    assertThat(found.some())
        .allSatisfy(one -> {
          int i = before.stream().map(FencedTask::id).toList().indexOf(one.id());
          assertThat(one.valueBytes()).isEqualTo(bytes[i]);
          assertThat(one.value() == null).isEqualTo(bytes[i] == 700);
        });
    Predecessors fewer = predecessorsOf(join, 2 * Predecessors.ENTRY_BYTES + 100);
    assertThat(fewer.isWhole()).isFalse();
    assertThat(fewer.some()).hasSize(2);
  }

  @Test
  void of_all_values_no_more_are_given_than_one_result_may_have() {
    List<FencedTask> before = List.of(processing(), processing());
    NewTask join = dueTask();
    stored(
        List.of(join),
        before.stream().map(one -> edge(one.id(), join, OnFailure.FAIL)).toArray(GraphEdge[]::new));
    succeed(before.getFirst(), new TaskResult(new byte[TaskResult.MOST_BYTES], ""));
    succeed(before.getLast(), new TaskResult(new byte[1], ""));

    assertThat(
            predecessorsOf(join, Predecessors.MOST_ROOM).some().stream()
                .filter(one -> one.value() != null)
                .map(Predecessor::id))
        .containsExactly(before.getLast().id());
  }

  @Test
  void a_task_that_was_put_back_has_its_predecessors_again() {
    FencedTask first = processing();
    NewTask second = behind(first, OnFailure.FAIL);
    end(first, TaskState.SUCCEEDED);
    end(begun(second), TaskState.DEAD);
    redrive(second.id());

    assertThat(beginsWithPredecessors(second)).isTrue();
  }
}
