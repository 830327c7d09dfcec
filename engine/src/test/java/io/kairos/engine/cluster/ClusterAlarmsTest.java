package io.kairos.engine.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.OrderingKeyId;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.queue.CollectionName;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.engine.cluster.ClusterAlarm.Severity;
import io.kairos.engine.cluster.ClusterAlarm.Subject;
import io.kairos.engine.cluster.ClusterAlarms.Findings;
import io.kairos.engine.schedule.port.NextTrigger;
import io.kairos.engine.task.port.operator.BlockedKey;
import io.kairos.engine.task.port.operator.HandlerBacklog;
import io.kairos.engine.task.port.operator.TaskPause;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is said of which findings. */
class ClusterAlarmsTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final TaskHandler RESIZE = new HandlerName("resize");

  private final List<ClusterNode> nodes = new ArrayList<>();
  private final List<HandlerBacklog> backlogs = new ArrayList<>();
  private final List<TaskPause.Active> pauses = new ArrayList<>();
  private final List<BlockedKey> keys = new ArrayList<>();
  private PeriodFigures lately = PeriodFigures.NONE;
  private @Nullable Duration oldestMessage;
  private NextTrigger agenda = new NextTrigger(NOW, null);

  private List<ClusterAlarm> alarms() {
    return ClusterAlarms.of(
        new Findings(
            NOW,
            nodes,
            lately,
            oldestMessage,
            backlogs,
            pauses,
            keys,
            agenda,
            Duration.ofMillis(500)));
  }

  private List<String> texts() {
    return alarms().stream().map(alarm -> alarm.severity() + " " + alarm.text()).toList();
  }

  private static HandlerBacklog backlog(
      TaskHandler handler, int due, Duration oldest, @Nullable Instant asked) {
    return new HandlerBacklog(handler, due, oldest, 0, 0, 0, false, asked);
  }

  @Test
  void a_quiet_cluster_has_no_alarms() {
    nodes.add(node("db-7/1", false, Duration.ofMillis(250)));
    backlogs.add(backlog(RESIZE, 4, Duration.ofSeconds(1), null));
    agenda = new NextTrigger(NOW, NOW.minusSeconds(1));

    assertThat(alarms()).isEmpty();
  }

  @Test
  void work_that_nobody_asks_for_is_critical() {
    backlogs.add(backlog(RESIZE, 1_204, Duration.ofMinutes(3), null));
    backlogs.add(
        backlog(new PoolName("thumbs"), 10_000, Duration.ofSeconds(30), NOW.minusSeconds(100)));

    assertThat(alarms())
        .containsExactly(
            new ClusterAlarm(
                Severity.CRITICAL,
                "handler resize: nobody asks for it, 1,204 due",
                Subject.HANDLER,
                "resize",
                NOW.minus(Duration.ofMinutes(3))),
            new ClusterAlarm(
                Severity.CRITICAL,
                "pool thumbs: nobody asks for it, at least 10,000 due",
                Subject.POOL,
                "thumbs",
                NOW.minusSeconds(30)));
  }

  @Test
  void work_that_workers_do_not_keep_up_with_is_late_after_a_minute() {
    backlogs.add(backlog(RESIZE, 5, Duration.ofMinutes(3), NOW.minusSeconds(2)));
    backlogs.add(backlog(new HandlerName("mail"), 5, Duration.ofSeconds(59), NOW.minusSeconds(2)));

    assertThat(texts()).containsExactly("WARNING handler resize: 5 due, the oldest for 3 min");
  }

  @Test
  void a_pause_is_named_with_its_note_and_end_and_excuses_what_is_due() {
    backlogs.add(new HandlerBacklog(RESIZE, 9, Duration.ofDays(1), 0, 0, 0, true, null));
    pauses.add(
        new TaskPause.Active(
            new TaskPause(RESIZE, null, TaskPause.Mode.PAUSE, null, "release"), NOW));
    pauses.add(
        new TaskPause.Active(
            new TaskPause(
                RESIZE, new CollectionName("eu"), TaskPause.Mode.DROP, NOW.plusSeconds(60), ""),
            NOW));

    assertThat(texts())
        .containsExactly(
            "NOTICE handler resize: collection eu paused, and its tasks are dropped until 2026-03-01T12:01:00Z",
            "NOTICE handler resize: paused: release");
  }

  @Test
  void a_key_behind_a_failed_task_is_critical_and_one_that_is_tried_again_is_not() {
    for (BlockedKey.Reason reason : BlockedKey.Reason.values()) {
      keys.add(
          new BlockedKey(
              new OrderingKeyId(7),
              RESIZE,
              new OrderingKey("customer 4"),
              reason,
              new TaskId(new UUID(0, 1)),
              12,
              ""));
    }

    assertThat(texts())
        .containsExactly(
            "CRITICAL handler resize: the ordering key customer 4 is blocked by a task that has failed, 12 behind it");
  }

  @Test
  void what_went_wrong_lately_is_counted() {
    lately =
        new PeriodFigures(
            WorkFigures.NONE,
            WorkFigures.NONE,
            50,
            47,
            3,
            0,
            0,
            1,
            Map.of("orders", 2L, "invoices", 1L),
            null);
    backlogs.add(new HandlerBacklog(RESIZE, 0, Duration.ZERO, 0, 40, 2, false, NOW));
    oldestMessage = Duration.ofMinutes(5);

    assertThat(texts())
        .containsExactly(
            "WARNING 47 tasks have ended dead or failed for good in the last 5 minutes; most such tasks are of resize",
            "WARNING the oldest message is overdue for 5 min",
            "WARNING route invoices: 1 dead letter in the last 5 minutes",
            "WARNING route orders: 2 dead letters in the last 5 minutes",
            "WARNING schedules could not be fired and were put off 1 time in the last 5 minutes; the log says why",
            "WARNING 3 tasks were taken from workers or nodes that were not heard of in time, in the last 5 minutes");
    assertThat(alarms().getFirst().subject()).isEqualTo(Subject.FAILED_TASKS);
  }

  @Test
  void schedules_that_wait_for_their_decision_are_late() {
    agenda = new NextTrigger(NOW, NOW.minus(Duration.ofHours(3)));

    assertThat(texts()).containsExactly("WARNING a schedule waits for its decision for 3 h");
  }

  private static ClusterNode node(
      String name, boolean isDead, Duration offset, String... troubles) {
    NodeState state = new NodeState(name, "1", List.of(), offset, null, 0, List.of(troubles));
    return new ClusterNode(new NodeId(new UUID(0, 1)), NOW, NOW, isDead, state, null);
  }

  @Test
  void nodes_that_died_or_whose_clocks_are_off_or_that_have_troubles_are_named() {
    nodes.add(node("a/1", true, Duration.ZERO));
    nodes.add(node("b/1", false, Duration.ofMillis(-251)));
    nodes.add(node("c/1", false, Duration.ZERO, "delay: a route's output does not answer"));

    assertThat(texts())
        .containsExactly(
            "WARNING node a/1: not heard of in time, and counts as dead",
            "WARNING node b/1: its clock is 251 ms behind the store's, and may be 500 ms from it",
            "WARNING node c/1: delay: a route's output does not answer");
  }

  @Test
  void the_worst_hundred_are_told() {
    for (int i = 0; i < 150; i++) {
      pauses.add(
          new TaskPause.Active(
              new TaskPause(new HandlerName("h" + i), null, TaskPause.Mode.PAUSE, null, ""), NOW));
    }
    backlogs.add(backlog(RESIZE, 1, Duration.ofMinutes(3), null));

    assertThat(alarms()).hasSize(100);
    assertThat(alarms().getFirst().severity()).isEqualTo(Severity.CRITICAL);
  }

  @Test
  void lengths_are_told_in_one_unit() {
    assertThat(ClusterAlarms.words(Duration.ofSeconds(119))).isEqualTo("119 s");
    assertThat(ClusterAlarms.words(Duration.ofMinutes(119))).isEqualTo("119 min");
    assertThat(ClusterAlarms.words(Duration.ofHours(47))).isEqualTo("47 h");
    assertThat(ClusterAlarms.words(Duration.ofHours(49))).isEqualTo("2 days");
  }
}
