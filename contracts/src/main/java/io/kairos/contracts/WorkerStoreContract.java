package io.kairos.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.engine.worker.WorkerDetails;
import io.kairos.engine.worker.WorkerKey;
import io.kairos.engine.worker.WorkerPlace;
import io.kairos.engine.worker.WorkerSign;
import io.kairos.engine.worker.WorkerStore;
import io.kairos.engine.worker.WorkerView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of every {@link WorkerStore}, checked from outside through the port. */
public abstract class WorkerStoreContract {
  private static final WorkerKey ONE = new WorkerKey("one", "");
  private static final WorkerKey OTHER = new WorkerKey("other", "app");
  private static final WorkerDetails SAID =
      new WorkerDetails("db-7", "kairos-client 1.2.3", 8, List.of("greet", "resize"));

  @SuppressWarnings("NullAway.Init") // before each test
  private WorkerStore store;

  @BeforeEach
  void openStore() {
    store = open();
  }

  /** Opens a store without workers. */
  protected abstract WorkerStore open();

  /** Lets all that the store knows of workers become older. */
  protected abstract void age(Duration by);

  /** Makes the worker perform so many tasks. */
  protected abstract void performs(WorkerKey worker, int tasks);

  /** Loses the signs of life of all workers, but not their drains. */
  protected abstract void loseSigns();

  private void asks(WorkerKey... workers) {
    for (WorkerKey worker : workers) {
      store.see(List.of(new WorkerSign(worker, SAID)));
    }
  }

  private List<WorkerView> all() {
    return store.list(WorkerPlace.FIRST, 100);
  }

  private WorkerView only() {
    assertThat(all()).hasSize(1);
    return all().getFirst();
  }

  private List<WorkerKey> keys() {
    return all().stream().map(WorkerView::key).toList();
  }

  @Test
  void a_worker_that_asks_is_listed_with_all_that_it_says() {
    performs(OTHER, 3);
    asks(OTHER);

    assertThat(only().key()).isEqualTo(OTHER);
    assertThat(only().details()).isEqualTo(SAID);
    assertThat(only().running()).isEqualTo(3);
    assertThat(only().lapsed()).isZero();
    assertThat(only().since()).isEqualTo(only().seenAt());
    assertThat(only().isQuiet()).isFalse();
    assertThat(only().isDrained()).isFalse();
  }

  @Test
  void a_worker_without_anything_to_say_is_listed_too() {
    WorkerDetails nothing = new WorkerDetails("", "", 0, List.of());
    store.see(List.of(new WorkerSign(ONE, nothing)));

    assertThat(only().details()).isEqualTo(nothing);
  }

  @Test
  void a_sign_of_life_is_noted_once_in_some_seconds_unless_it_says_something_else() {
    asks(ONE);
    WorkerView first = only();
    asks(ONE);
    assertThat(only()).isEqualTo(first);

    WorkerDetails more = new WorkerDetails("db-7", "kairos-client 1.2.4", 8, List.of("greet"));
    store.see(List.of(new WorkerSign(ONE, more)));

    assertThat(only().details()).isEqualTo(more);
    assertThat(only().since()).isEqualTo(first.since());
  }

  @Test
  void a_heartbeat_is_a_sign_of_life_of_a_worker_that_is_known() {
    store.see(List.of(new WorkerSign(ONE, null)));
    assertThat(all()).isEmpty();
    asks(ONE);
    age(WorkerStore.QUIET_AFTER.plusSeconds(5));
    assertThat(only().isQuiet()).isTrue();

    store.see(List.of(new WorkerSign(ONE, null)));

    assertThat(only().isQuiet()).isFalse();
    assertThat(only().details()).isEqualTo(SAID);
    assertThat(only().since()).isBefore(only().seenAt());
  }

  @Test
  void many_are_noted_at_once() {
    List<WorkerSign> signs = new ArrayList<>();
    for (int i = 0; i < 1_200; i++) {
      signs.add(new WorkerSign(new WorkerKey("w-" + i, "app"), SAID));
    }
    store.see(signs);
    store.see(signs);

    assertThat(store.list(WorkerPlace.FIRST, 2_000)).hasSize(1_200);
  }

  @Test
  void quiet_workers_are_behind_the_others_and_all_in_the_order_of_their_ids_and_callers() {
    WorkerKey a = new WorkerKey("a", "app");
    WorkerKey upper = new WorkerKey("B", "app");
    asks(a, upper);
    age(WorkerStore.QUIET_AFTER.plusSeconds(5));
    WorkerKey late = new WorkerKey("late", "app");
    WorkerKey lateOfOther = new WorkerKey("late", "web");
    asks(lateOfOther, late);

    List<WorkerKey> inOrder = List.of(late, lateOfOther, upper, a);
    assertThat(keys()).isEqualTo(inOrder);
    List<WorkerKey> byPages = new ArrayList<>();
    WorkerPlace after = WorkerPlace.FIRST;
    List<WorkerView> page = store.list(after, 1);
    while (!page.isEmpty()) {
      byPages.add(page.getFirst().key());
      after = page.getFirst().place();
      page = store.list(after, 1);
    }
    assertThat(byPages).isEqualTo(inOrder);
  }

  @Test
  void lapsed_leases_are_counted_of_workers_that_are_known() {
    asks(ONE, OTHER);

    store.lapse(Map.of("one", 2, "unknown", 7));
    store.lapse(Map.of("one", 1));

    assertThat(all()).extracting(WorkerView::lapsed).containsExactly(3L, 0L);
  }

  @Test
  void a_drain_is_of_all_workers_of_the_id_until_it_is_ended() {
    WorkerKey same = new WorkerKey("one", "app");
    asks(ONE, OTHER, same);

    assertThat(store.drain("one", true)).get().matches(WorkerView::isDrained);
    assertThat(store.drain("one", true)).isPresent();
    assertThat(store.drained()).containsExactlyInAnyOrder(ONE, same);
    assertThat(all()).extracting(WorkerView::isDrained).containsExactly(true, true, false);

    assertThat(store.drain("one", false)).get().matches(worker -> !worker.isDrained());
    assertThat(store.drained()).isEmpty();
  }

  @Test
  void a_drain_is_known_and_ended_though_the_signs_of_life_are_lost() {
    asks(ONE);
    store.drain("one", true);
    loseSigns();

    assertThat(all()).isEmpty();
    assertThat(store.drain("one", true)).get().matches(WorkerView::isDrained);
    assertThat(store.drain("one", false))
        .hasValueSatisfying(worker -> {
          assertThat(worker.key()).isEqualTo(ONE);
          assertThat(worker.details().handlers()).isEmpty();
          assertThat(worker.isDrained()).isFalse();
        });
    assertThat(store.drained()).isEmpty();
    assertThat(store.drain("one", false)).isEmpty();
  }

  @Test
  void nobody_is_drained_before_it_is_known() {
    assertThat(store.drain("one", true)).isEmpty();
    assertThat(store.drain("one", false)).isEmpty();

    asks(ONE);

    assertThat(store.drained()).isEmpty();
  }

  @Test
  void a_worker_that_is_gone_for_a_day_is_forgotten_with_its_drain() {
    asks(ONE, OTHER);
    store.drain("one", true);
    store.drain("other", true);
    age(WorkerStore.KEPT.minusHours(2));
    asks(OTHER);
    store.keepDrained(Set.of(OTHER));
    store.prune(WorkerStore.MOST_OF_CALLER, WorkerStore.MOST);
    assertThat(keys()).containsExactly(OTHER, ONE);

    age(Duration.ofHours(3));
    store.prune(WorkerStore.MOST_OF_CALLER, WorkerStore.MOST);

    assertThat(keys()).containsExactly(OTHER);
    assertThat(store.drained()).containsExactly(OTHER);
  }

  @Test
  void of_many_those_heard_of_last_are_kept_and_no_caller_puts_out_all_others() {
    asks(ONE);
    age(Duration.ofMinutes(1));
    for (int i = 0; i < 5; i++) {
      age(Duration.ofSeconds(1));
      asks(new WorkerKey("invented-" + i, "app"));
    }

    store.prune(2, 10);
    assertThat(keys())
        .containsExactly(
            new WorkerKey("invented-3", "app"), new WorkerKey("invented-4", "app"), ONE);

    store.prune(2, 1);
    assertThat(keys()).containsExactly(new WorkerKey("invented-4", "app"));
  }
}
