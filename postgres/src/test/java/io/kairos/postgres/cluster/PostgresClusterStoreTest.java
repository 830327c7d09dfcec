package io.kairos.postgres.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.contracts.ClusterStoreContract;
import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.engine.cluster.ClusterStore;
import io.kairos.engine.cluster.DetailFigures;
import io.kairos.engine.cluster.DetailFigures.Attempts;
import io.kairos.engine.cluster.DetailFigures.Endpoint;
import io.kairos.engine.cluster.DetailFigures.EndpointWork;
import io.kairos.engine.cluster.FigurePeriod;
import io.kairos.engine.cluster.FiguresStep;
import io.kairos.engine.cluster.LatenessCounts;
import io.kairos.engine.cluster.NodeFigures;
import io.kairos.engine.cluster.NodeSample;
import io.kairos.engine.cluster.NodeState;
import io.kairos.engine.cluster.PeriodFigures;
import io.kairos.engine.cluster.WaitingCounts;
import io.kairos.engine.cluster.WaitingSpan;
import io.kairos.engine.cluster.WorkCounts;
import io.kairos.engine.cluster.WorkFigures;
import io.kairos.postgres.PostgresStores;
import io.kairos.postgres.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class PostgresClusterStoreTest extends ClusterStoreContract {
  private static final TestDatabase DATABASE = TestDatabase.create();
  private static final PostgresStores STORES = DATABASE.open();

  @Override
  protected Stores open() {
    DATABASE.execute(
        "truncate node_figures, node_details, node, task, task_queue, delayed_message, schedule");
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

  private static final String LONG = "…".repeat(10_000);
  private static final int MOST_BYTES_OF_PERIOD = 32 * 1_024;
  private static final int MOST_BYTES_OF_DETAILS = 1_024 * 1_024;

  /** Each bucket in use, by numbers that take some bytes. */
  private static LatenessCounts allBuckets() {
    WorkCounts counts = new WorkCounts();
    for (long micros = 1; micros < 1L << 43; micros += Math.max(1, micros / 9)) {
      counts.late(micros);
    }
    LatenessCounts all = counts.take(null).lateness();
    for (int doubled = 0; doubled < 35; doubled++) {
      all = all.plus(all);
    }
    return all;
  }

  /** More than a node tells. */
  private static NodeSample muchToTell() {
    List<String> texts = Collections.nCopies(100, LONG);
    Map<String, Long> letters = new HashMap<>();
    Map<TaskHandler, Attempts> handlers = new HashMap<>();
    Map<Endpoint, EndpointWork> endpoints = new HashMap<>();
    LatenessCounts all = allBuckets();
    for (int i = 0; i < 1_000; i++) {
      letters.put("route-" + "x".repeat(100) + i, Long.MAX_VALUE / 1_000 - i);
      handlers.put(
          new HandlerName("h".repeat(124) + i), new Attempts(1L << 40, 1L << 40, 1L << 40));
      endpoints.put(
          new Endpoint(new PoolName("p".repeat(100)), "x".repeat(290) + i),
          new EndpointWork(1, 1, 1_000, all));
    }
    WorkFigures work = new WorkFigures(1L << 40, 1L << 40, 1L << 40, all, Duration.ofDays(9));
    return new NodeSample(
        new NodeState(LONG, LONG, texts, Duration.ZERO, 1.0, 1L << 40, texts),
        PeriodFigures.ofTasks(work, 1L << 40, 1L << 40, 1L << 40)
            .plus(PeriodFigures.ofMessages(work, letters)),
        new DetailFigures(handlers, endpoints));
  }

  private static long bytesOf(String table) {
    return DATABASE.number("select sum(pg_column_size(f.*)) from " + table + " f");
  }

  @Test
  void an_hour_of_a_node_has_at_most_so_many_bytes_however_much_it_has_to_tell() {
    open();
    NodeSample much = muchToTell();
    NodeSample told = new NodeSample(much.state(), much.figures(), DetailFigures.NONE);
    AtomicReference<Instant> now = new AtomicReference<>(STORES.cluster().now());
    FiguresStep step = step(told, now);
    for (int hour = 0; hour < 2; hour++) {
      pass(step, now, FigurePeriod.KEPT);

      assertThat(DATABASE.number("select count(*) from node_figures"))
          .isLessThanOrEqualTo(FigurePeriod.KEPT);
      assertThat(bytesOf("node_figures"))
          .isLessThan((long) FigurePeriod.KEPT * MOST_BYTES_OF_PERIOD);
    }
  }

  @Test
  void the_last_minute_of_a_node_has_at_most_so_many_bytes_too() {
    open();
    AtomicReference<Instant> now = new AtomicReference<>(STORES.cluster().now());
    pass(step(muchToTell(), now), now, 15);

    assertThat(DATABASE.number("select count(*) from node_details")).isEqualTo(1);
    assertThat(bytesOf("node_details")).isLessThan(MOST_BYTES_OF_DETAILS);
    assertThat(STORES.cluster().details(0))
        .singleElement()
        .satisfies(details -> {
          assertThat(details.figures().handlers()).hasSize(DetailFigures.MOST_TOLD);
          assertThat(details.figures().endpoints()).hasSize(DetailFigures.MOST_TOLD);
        });
  }

  private static FiguresStep step(NodeSample told, AtomicReference<Instant> now) {
    NodeId node = new NodeId(new UUID(4, 4));
    return new FiguresStep(
        new FiguresStep.Ports(
            STORES.cluster(), () -> Optional.of(node), () -> told, List::of, now::get));
  }

  private static void pass(FiguresStep step, AtomicReference<Instant> now, int periods) {
    for (int period = 0; period < periods; period++) {
      step.runOnce();
      now.updateAndGet(before -> before.plus(FigurePeriod.LENGTH));
    }
  }

  @Test
  void the_figures_are_not_in_the_log_of_the_server() {
    assertThat(
            DATABASE.number(
                "select count(*) from pg_class where relname in ('node_figures', 'node_details') and relpersistence = 'u'"))
        .isEqualTo(2);
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
