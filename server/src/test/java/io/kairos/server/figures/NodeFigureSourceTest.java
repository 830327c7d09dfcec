package io.kairos.server.figures;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RecordRejection;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.schedule.fire.FireCause;
import io.kairos.domain.schedule.fire.FireDecision;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.schedule.fire.SkipCause;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.engine.cluster.DetailFigures;
import io.kairos.engine.cluster.LatenessCounts;
import io.kairos.engine.cluster.NodeSample;
import io.kairos.engine.cluster.PeriodFigures;
import io.kairos.engine.cluster.WorkFigures;
import io.kairos.server.observe.DelayMetrics;
import io.kairos.server.observe.HiccupStep;
import io.kairos.server.observe.LivenessObserver;
import io.kairos.server.observe.RefusedWrites;
import io.kairos.server.observe.ScheduleMetrics;
import io.kairos.server.observe.TaskMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the observers of a node count becomes the figures of a period, once. */
class NodeFigureSourceTest {
  private static final RouteId ROUTE = new RouteId(1);
  private static final Instant AT = Instant.parse("2030-01-01T00:00:00Z");

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final RefusedWrites writes = new RefusedWrites(() -> 0);
  private final TaskMetrics tasks = new TaskMetrics(registry, writes, _ -> {});
  private final ScheduleMetrics schedules = new ScheduleMetrics(registry);
  private final LivenessObserver liveness = new LivenessObserver(registry);
  private long nanos;
  private final HiccupStep hiccups = new HiccupStep(registry, () -> nanos);
  private final DelayMetrics messages =
      new DelayMetrics(
          registry,
          writes,
          Map.of(ROUTE, "orders"),
          () -> {
            throw new IllegalStateException("nobody looks at the store");
          },
          InstantSource.system(),
          () -> 0);
  private final NodeFigureSource source =
      new NodeFigureSource(
          new NodeFigureSource.Identity("db-7/11", "1.2.3", List.of("tasks")),
          List.of(
              tasks::takeFigures,
              schedules::takeFigures,
              messages::takeFigures,
              hiccups::takeFigures),
          List.of(tasks::takeDetails),
          liveness::ahead,
          () -> List.of("a trouble"),
          () -> nanos);

  private static LedgerEntry entry(@Nullable SkipCause reason, @Nullable Long count) {
    return new LedgerEntry(
        AT,
        "",
        AT,
        count,
        reason == null ? FireDecision.FIRED : FireDecision.SKIPPED,
        reason,
        FireCause.SCHEDULE,
        AT,
        null,
        null);
  }

  private static DelayedMessage message() {
    return new DelayedMessage(ROUTE, new MessageId("m"), 1, null, new byte[0], null, null);
  }

  @Test
  void all_that_was_counted_is_in_the_figures_once() {
    QueueName queue = new QueueName(new HandlerName("h"), QueueName.DEFAULT);
    tasks.accepted(5, 2);
    tasks.started(queue, 1_000);
    tasks.finished(TaskState.SUCCEEDED);
    tasks.finished(TaskState.DEAD);
    tasks.retried();
    messages.accepted(ROUTE, 7, 2);
    messages.fired(message(), -20_000, 1);
    messages.firedDirectly(message(), 100);
    messages.deadLettered(ROUTE, RecordRejection.Reason.MISSING_ID);
    schedules.decided(
        List.of(entry(null, 1L), entry(SkipCause.OVERLAP, 1L), entry(SkipCause.OVERLAP, null)));
    schedules.failed(new ScheduleName("broken"), new IllegalStateException("for the test"));
    hiccups.runOnce();
    nanos += Duration.ofMillis(17).toNanos();
    hiccups.runOnce();

    tasks.performed(queue, 1, true);
    tasks.performed(queue, 1, false);

    NodeSample sample = source.get();

    assertThat(sample.details().handlers())
        .containsExactly(Map.entry(queue.handler(), new DetailFigures.Attempts(1, 2, 1)));
    PeriodFigures figures = sample.figures();

    assertThat(figures)
        .isEqualTo(
            new PeriodFigures(
                new WorkFigures(5, 1, 2, LatenessCounts.ofOne(Duration.ofMillis(1)), null),
                new WorkFigures(8, 2, 2, LatenessCounts.ofOne(Duration.ZERO), null),
                2,
                1,
                0,
                1,
                2,
                1,
                Map.of("orders", 1L),
                Duration.ofMillis(7)));
    NodeSample next = source.get();
    assertThat(next.figures()).isEqualTo(PeriodFigures.ofHiccup(Duration.ZERO));
    assertThat(next.details()).isEqualTo(DetailFigures.NONE);
  }

  @Test
  void the_process_is_described() {
    assertThat(source.get().state().load()).isNull();
    liveness.clockOffset(Duration.ofMillis(30), true);
    nanos += Duration.ofSeconds(5).toNanos();

    NodeSample sample = source.get();

    assertThat(sample.state().name()).isEqualTo("db-7/11");
    assertThat(sample.state().version()).isEqualTo("1.2.3");
    assertThat(sample.state().doors()).containsExactly("tasks");
    assertThat(sample.state().clockOffset()).isEqualTo(Duration.ofMillis(-30));
    assertThat(sample.state().load()).isNotNegative();
    assertThat(sample.state().heapBytes()).isPositive();
    assertThat(sample.state().obstacles()).containsExactly("a trouble");
  }

  @Test
  void a_process_is_named_by_its_host_and_its_number() {
    assertThat(NodeFigureSource.processName()).endsWith("/" + ProcessHandle.current().pid());
  }
}
