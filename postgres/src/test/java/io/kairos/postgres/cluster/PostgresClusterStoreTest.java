package io.kairos.postgres.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.contracts.ClusterStoreContract;
import io.kairos.domain.node.NodeId;
import io.kairos.engine.cluster.ClusterStore;
import io.kairos.engine.cluster.FigurePeriod;
import io.kairos.engine.cluster.NodeFigures;
import io.kairos.engine.cluster.NodeState;
import io.kairos.engine.cluster.PeriodFigures;
import io.kairos.engine.cluster.WaitingCounts;
import io.kairos.engine.cluster.WaitingSpan;
import io.kairos.postgres.PostgresStores;
import io.kairos.postgres.TestDatabase;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class PostgresClusterStoreTest extends ClusterStoreContract {
  private static final TestDatabase DATABASE = TestDatabase.create();
  private static final PostgresStores STORES = DATABASE.open();

  @Override
  protected Stores open() {
    DATABASE.execute("truncate node_figures, node, task, task_queue, delayed_message, schedule");
    return new Stores(STORES.cluster(), STORES.liveness());
  }

  @Override
  protected void waits(List<Long> tasks, List<Long> messages, List<Long> fires) {
    DATABASE.execute(WaitingRows.QUEUES + "; " + WaitingRows.ROUTE);
    DATABASE.execute(WaitingRows.tasks("unnest('" + array(tasks) + "'::bigint[])"));
    DATABASE.execute(WaitingRows.messages("unnest('" + array(messages) + "'::bigint[])"));
    DATABASE.execute(WaitingRows.schedules("unnest('" + array(fires) + "'::bigint[])"));
  }

  private static String array(List<Long> times) {
    return times.toString().replace('[', '{').replace(']', '}');
  }

  /** An hour of a node is 720 rows for ever, of which no index changes. */
  @Test
  void a_row_is_written_anew_in_its_page() {
    open();
    ClusterStore store = STORES.cluster();
    NodeState state = new NodeState("host-1", "1.2.3", List.of(), null, null, 0, List.of());
    NodeId node = new NodeId(new UUID(3, 3));
    long first = FigurePeriod.of(store.now());

    for (int hour = 0; hour < 3; hour++) {
      for (int slot = 0; slot < 60; slot++) {
        long period = first + hour * (long) FigurePeriod.KEPT + slot;
        store.write(List.of(new NodeFigures(node, period, state, PeriodFigures.NONE, false)));
      }
    }

    assertThat(DATABASE.number("select count(*) from node_figures")).isEqualTo(60);
    assertThat(
            DATABASE.number(
                "select pg_relation_size('node_figures_pkey') / current_setting('block_size')::int"))
        .isLessThanOrEqualTo(2);
  }

  @Test
  void the_figures_are_not_in_the_log_of_the_server() {
    assertThat(
            DATABASE.number(
                "select count(*) from pg_class where relname = 'node_figures' and relpersistence = 'u'"))
        .isEqualTo(1);
  }

  @Test
  void what_a_node_holds_waits_too_and_what_a_worker_performs_does_not() {
    open();
    waits(List.of(1L, 2L, 3L), List.of(1L, 2L), List.of());
    DATABASE.execute("update task set state = 'E', holder = 'n' where due_at = 1");
    DATABASE.execute("update task set state = 'P', holder = 'w' where due_at = 2");
    DATABASE.execute(
        "update delayed_message set readied_by = gen_random_uuid(), readied_at = 1 where deadline = 1");

    WaitingCounts counts = STORES.cluster().waiting(WaitingSpan.HOUR);

    assertThat(counts.overdueTasks().count()).isEqualTo(2);
    assertThat(counts.tasks().count()).isEqualTo(2);
    assertThat(counts.overdueMessages().count()).isEqualTo(2);
  }
}
