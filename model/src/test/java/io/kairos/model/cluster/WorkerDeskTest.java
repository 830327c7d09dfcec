package io.kairos.model.cluster;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.task.edge.TaskEdge;
import io.kairos.engine.task.port.HeldAttempt;
import io.kairos.engine.worker.WorkerDesk;
import io.kairos.engine.worker.WorkerDetails;
import io.kairos.engine.worker.WorkerKey;
import io.kairos.engine.worker.WorkerPlace;
import io.kairos.engine.worker.WorkerRoster;
import io.kairos.engine.worker.WorkerSign;
import io.kairos.engine.worker.WorkerView;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Nodes that share through a store which workers they have heard of, and which are drained. */
class WorkerDeskTest {
  private static final WorkerKey WORKER = new WorkerKey("worker-7", "");
  private static final WorkerDetails SAID = WorkerDetails.of("db-7", "1", 8, List.of("greet"));

  private Instant now = Instant.parse("2026-03-01T12:00:00Z");
  private boolean isAway;
  private int told;
  private final ModelWorkerStore store =
      new ModelWorkerStore(() -> now, _ -> 0) {
        @Override
        public synchronized void see(Collection<WorkerSign> signs) {
          if (isAway) {
            throw new StoreUnavailable("for the test");
          }
          told += signs.size();
          super.see(signs);
        }
      };
  private final TestedNode one = new TestedNode();
  private final TestedNode other = new TestedNode();

  /** A node, and the workers that it was told to send away. */
  private final class TestedNode {
    private final List<String> left = new ArrayList<>();
    private final WorkerRoster roster = new WorkerRoster();
    private final WorkerDesk desk = new WorkerDesk(store, roster, tasks());

    private TaskEdge tasks() {
      return (TaskEdge)
          Proxy.newProxyInstance(
              TaskEdge.class.getClassLoader(),
              new Class<?>[] {TaskEdge.class},
              (_, method, given) -> {
                assertThat(method.getName()).isEqualTo("leave");
                Object[] arguments = requireNonNull(given);
                assertThat(arguments[1]).isNull();
                left.add((String) arguments[0]);
                return null;
              });
    }

    private void asks(WorkerKey worker) {
      desk.asks(worker, () -> SAID);
    }

    private void run() {
      now = now.plus(desk.runOnce().after());
    }
  }

  private List<WorkerView> all() {
    return other.desk.list(WorkerPlace.FIRST, 10_000);
  }

  @Test
  void a_worker_of_one_node_is_listed_by_the_other() {
    one.asks(WORKER);
    assertThat(all()).isEmpty();

    one.run();

    assertThat(all())
        .singleElement()
        .satisfies(worker -> {
          assertThat(worker.key()).isEqualTo(WORKER);
          assertThat(worker.details()).isEqualTo(SAID);
        });
  }

  @Test
  void however_often_a_worker_asks_it_is_told_once_in_a_round() {
    for (int i = 0; i < 1_000; i++) {
      one.asks(WORKER);
      one.desk.beats(WORKER);
    }
    one.run();
    one.run();

    assertThat(told).isEqualTo(1);
  }

  @Test
  void a_heartbeat_does_not_hide_what_a_worker_says_afterwards() {
    one.desk.beats(WORKER);
    one.asks(WORKER);
    one.run();

    assertThat(all()).hasSize(1);
  }

  @Test
  void a_caller_that_invents_workers_meets_a_bound_and_others_are_noted() {
    for (int i = 0; i < 20_000; i++) {
      one.asks(new WorkerKey("invented-" + i, "hostile"));
    }
    one.asks(new WorkerKey("honest", "app"));
    one.run();

    assertThat(all())
        .hasSize(2_001)
        .extracting(WorkerView::key)
        .contains(new WorkerKey("honest", "app"));
  }

  @Test
  void what_a_worker_says_of_its_handlers_is_bounded() {
    List<String> many = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      many.add("h-" + i);
    }

    assertThat(WorkerDetails.of("", "", 0, many).handlers()).hasSize(100).isSorted();
    assertThat(WorkerDetails.of("", "", 0, Collections.nCopies(50, "same")).handlers()).hasSize(1);
    assertThat(
            WorkerDetails.of("", "", 0, List.of("a".repeat(1_500), "b".repeat(1_500))).handlers())
        .hasSize(1);
  }

  @Test
  void a_drain_is_in_force_on_the_asked_node_at_once_and_on_the_other_in_its_next_round() {
    one.asks(WORKER);
    one.run();

    assertThat(one.desk.drain("worker-7", true)).get().matches(WorkerView::isDrained);
    assertThat(one.desk.isDrained(WORKER)).isTrue();
    assertThat(one.left).containsExactly("worker-7");
    assertThat(other.desk.isDrained(WORKER)).isFalse();
    other.run();
    assertThat(other.desk.isDrained(WORKER)).isTrue();
    assertThat(other.left).containsExactly("worker-7");
    other.run();
    assertThat(other.left).hasSize(1);

    other.desk.drain("worker-7", false);
    one.run();

    assertThat(one.desk.isDrained(WORKER)).isFalse();
    assertThat(one.left).hasSize(2);
    assertThat(other.left).hasSize(2);
  }

  @Test
  void a_drain_is_ended_at_once_though_the_store_has_lost_the_signs_of_life() {
    one.asks(WORKER);
    one.run();
    one.desk.drain("worker-7", true);
    store.loseSigns();

    assertThat(one.desk.drain("worker-7", false)).isPresent();

    assertThat(one.desk.isDrained(WORKER)).isFalse();
    assertThat(one.left).hasSize(2);
    assertThat(one.desk.drain("worker-7", false)).isEmpty();
  }

  @Test
  void a_drain_lasts_as_long_as_the_worker_is_heard_of() {
    one.asks(WORKER);
    one.run();
    one.desk.drain("worker-7", true);
    for (int hours = 0; hours < 50; hours++) {
      now = now.plus(Duration.ofHours(1));
      one.asks(WORKER);
      one.run();
    }
    assertThat(one.desk.isDrained(WORKER)).isTrue();

    now = now.plus(Duration.ofHours(25));
    for (int rounds = 0; rounds < 13; rounds++) {
      one.run();
    }

    assertThat(one.desk.isDrained(WORKER)).isFalse();
    assertThat(all()).isEmpty();
  }

  @Test
  void lapsed_leases_of_workers_are_counted_and_tasks_of_dead_nodes_are_not() {
    one.asks(WORKER);
    one.run();

    other.roster.lapsed(List.of(held(TaskState.PROCESSING), held(TaskState.ENQUEUED)));
    other.run();
    other.run();

    assertThat(all()).extracting(WorkerView::lapsed).containsExactly(1L);
  }

  private static HeldAttempt held(TaskState state) {
    return new HeldAttempt(
        new FencedTask(new TaskId(new UUID(0, 1)), 1),
        state,
        1,
        RetryPolicy.DEFAULT,
        "worker-7",
        false);
  }

  @Test
  void what_was_not_told_while_the_store_was_away_is_told_when_the_worker_asks_again() {
    isAway = true;
    one.asks(WORKER);
    assertThatThrownBy(one::run).isInstanceOf(StoreUnavailable.class);
    isAway = false;
    one.asks(WORKER);
    one.run();

    assertThat(all()).hasSize(1);
  }
}
