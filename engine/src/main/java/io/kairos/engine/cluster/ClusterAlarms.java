package io.kairos.engine.cluster;

import io.kairos.domain.task.queue.PoolName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.engine.cluster.ClusterAlarm.Severity;
import io.kairos.engine.cluster.ClusterAlarm.Subject;
import io.kairos.engine.schedule.port.NextTrigger;
import io.kairos.engine.task.port.operator.BlockedKey;
import io.kairos.engine.task.port.operator.HandlerBacklog;
import io.kairos.engine.task.port.operator.TaskPause;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Says in words what is wrong. Pure: a function of what was read. */
final class ClusterAlarms {
  static final int MOST = 100;

  /** Over this time figures are summed. */
  static final Duration LATELY = Duration.ofMinutes(5);

  /** A worker that waits asks more often. */
  private static final Duration ASKED_WITHIN = Duration.ofMinutes(1);

  /** A task that is due for less time may be on its way to a worker. */
  private static final Duration OVERDUE_AFTER = Duration.ofSeconds(10);

  private static final Duration LATE_AFTER = Duration.ofMinutes(1);
  private static final Duration SECONDS_UP_TO = Duration.ofMinutes(2);
  private static final Duration MINUTES_UP_TO = Duration.ofHours(2);
  private static final Duration HOURS_UP_TO = Duration.ofDays(2);
  private static final int HANDLERS_NAMED = 3;

  private static final Comparator<ClusterAlarm> WORST_FIRST =
      Comparator.comparing(ClusterAlarm::severity)
          .thenComparing(ClusterAlarm::subject)
          .thenComparing(ClusterAlarm::name)
          .thenComparing(ClusterAlarm::text);

  private final Findings findings;
  private final List<ClusterAlarm> alarms = new ArrayList<>();

  /**
   * The state of the cluster, as read from the store.
   *
   * @param now by the store's clock
   * @param lately what all nodes did in the last minutes
   * @param oldestMessage how long the oldest message is overdue; null for none
   * @param clockBound how far clocks may be from the store's
   */
  record Findings(
      Instant now,
      List<ClusterNode> nodes,
      PeriodFigures lately,
      @Nullable Duration oldestMessage,
      List<HandlerBacklog> backlogs,
      List<TaskPause.Active> pauses,
      List<BlockedKey> keys,
      NextTrigger agenda,
      Duration clockBound) {}

  private ClusterAlarms(Findings findings) {
    this.findings = findings;
  }

  /** The alarms, the most severe first, at most {@value #MOST}. */
  static List<ClusterAlarm> of(Findings findings) {
    ClusterAlarms of = new ClusterAlarms(findings);
    findings.backlogs.forEach(of::backlog);
    findings.keys.forEach(of::key);
    findings.pauses.forEach(of::pause);
    of.ends();
    of.routes();
    of.schedules();
    findings.nodes.forEach(of::node);
    of.leases();
    return of.alarms.stream().sorted(WORST_FIRST).limit(MOST).toList();
  }

  /** The one alarm of a node whose store does not answer, with the node's own obstacles. */
  static List<ClusterAlarm> storeAway(@Nullable NodeState self) {
    List<ClusterAlarm> alarms = new ArrayList<>();
    alarms.add(
        new ClusterAlarm(
            Severity.CRITICAL,
            "the store does not answer; only the answering node is shown",
            Subject.CLUSTER,
            "",
            null));
    if (self != null) {
      self.obstacles().forEach(obstacle -> alarms.add(obstacle(self.name(), obstacle)));
    }
    return alarms;
  }

  private void add(
      Severity severity, Subject subject, String name, @Nullable Instant since, String text) {
    alarms.add(new ClusterAlarm(severity, text, subject, name, since));
  }

  private void backlog(HandlerBacklog backlog) {
    Duration oldest = backlog.oldest();
    if (backlog.isPaused() || backlog.due() == 0 || oldest.compareTo(OVERDUE_AFTER) < 0) {
      return;
    }
    Instant asked = backlog.askedAt();
    Instant since = findings.now.minus(oldest);
    if (asked == null || asked.isBefore(findings.now.minus(ASKED_WITHIN))) {
      about(
          Severity.CRITICAL,
          backlog.handler(),
          since,
          "nobody asks for it, " + count(backlog.due(), HandlerBacklog.MOST_COUNTED) + " due");
    } else if (oldest.compareTo(LATE_AFTER) >= 0) {
      about(
          Severity.WARNING,
          backlog.handler(),
          since,
          "%s due, the oldest for %s"
              .formatted(count(backlog.due(), HandlerBacklog.MOST_COUNTED), words(oldest)));
    }
  }

  private void about(Severity severity, TaskHandler handler, @Nullable Instant since, String what) {
    if (handler instanceof PoolName pool) {
      add(severity, Subject.POOL, pool.value(), since, "pool " + pool.value() + ": " + what);
    } else {
      String name = handler.wireName();
      add(severity, Subject.HANDLER, name, since, "handler " + name + ": " + what);
    }
  }

  private void key(BlockedKey key) {
    if (key.reason() == BlockedKey.Reason.HEAD_FAILED) {
      about(
          Severity.CRITICAL,
          key.handler(),
          null,
          "the ordering key %s is blocked by a task that has failed, %s behind it"
              .formatted(key.key(), count(key.waiting(), BlockedKey.MOST_COUNTED)));
    }
  }

  private void pause(TaskPause.Active active) {
    TaskPause pause = active.pause();
    StringBuilder what = new StringBuilder();
    if (pause.collection() != null) {
      what.append("collection ").append(pause.collection()).append(' ');
    }
    what.append(
        switch (pause.mode()) {
          case PAUSE -> "paused";
          case DROP -> "paused, and its tasks are dropped";
        });
    if (pause.until() != null) {
      what.append(" until ").append(pause.until());
    }
    if (!pause.note().isEmpty()) {
      what.append(": ").append(pause.note());
    }
    about(Severity.NOTICE, pause.handler(), active.since(), what.toString());
  }

  private void ends() {
    long givenUp = findings.lately.givenUp();
    if (givenUp == 0) {
      return;
    }
    String most =
        findings.backlogs.stream()
            .filter(backlog -> backlog.dead() + backlog.failed() > 0)
            .sorted(
                Comparator.comparingInt(
                        (HandlerBacklog backlog) -> backlog.dead() + backlog.failed())
                    .reversed())
            .limit(HANDLERS_NAMED)
            .map(backlog -> backlog.handler().wireName())
            .collect(Collectors.joining(", "));
    add(
        Severity.WARNING,
        Subject.FAILED_TASKS,
        "",
        null,
        "%,d %s ended dead or failed for good in the last 5 minutes%s"
            .formatted(
                givenUp,
                givenUp == 1 ? "task has" : "tasks have",
                most.isEmpty() ? "" : "; most such tasks are of " + most));
  }

  private void routes() {
    Duration oldest = findings.oldestMessage;
    if (oldest != null && oldest.compareTo(LATE_AFTER) >= 0) {
      add(
          Severity.WARNING,
          Subject.ROUTE,
          "",
          findings.now.minus(oldest),
          "the oldest message is overdue for " + words(oldest));
    }
    new TreeMap<>(findings.lately.deadLetters())
        .forEach((route, letters) ->
            add(
                Severity.WARNING,
                Subject.ROUTE,
                route,
                null,
                "route %s: %,d dead %s in the last 5 minutes"
                    .formatted(route, letters, letters == 1 ? "letter" : "letters")));
  }

  private void schedules() {
    Instant next = findings.agenda.nextAt();
    Instant now = findings.agenda.now();
    if (next != null && next.isBefore(now.minus(OVERDUE_AFTER))) {
      add(
          Severity.WARNING,
          Subject.SCHEDULE,
          "",
          next,
          "a schedule waits for its decision for " + words(Duration.between(next, now)));
    }
    long putOff = findings.lately.putOff();
    if (putOff > 0) {
      add(
          Severity.WARNING,
          Subject.SCHEDULE,
          "",
          null,
          "schedules could not be fired and were put off %,d %s in the last 5 minutes; the log says why"
              .formatted(putOff, putOff == 1 ? "time" : "times"));
    }
  }

  private void node(ClusterNode node) {
    if (node.isDead()) {
      add(
          Severity.WARNING,
          Subject.NODE,
          node.name(),
          node.seenAt(),
          "node " + node.name() + ": not heard of in time, and counts as dead");
      return;
    }
    NodeState state = node.state();
    if (state == null) {
      return;
    }
    Duration offset = state.clockOffset();
    if (offset != null && offset.abs().multipliedBy(2).compareTo(findings.clockBound) > 0) {
      add(
          Severity.WARNING,
          Subject.NODE,
          node.name(),
          null,
          "node %s: its clock is %,d ms %s the store's, and may be %,d ms from it"
              .formatted(
                  node.name(),
                  offset.abs().toMillis(),
                  offset.isNegative() ? "behind" : "ahead of",
                  findings.clockBound.toMillis()));
    }
    state.obstacles().forEach(obstacle -> alarms.add(obstacle(node.name(), obstacle)));
  }

  private static ClusterAlarm obstacle(String node, String obstacle) {
    return new ClusterAlarm(
        Severity.WARNING, "node " + node + ": " + obstacle, Subject.NODE, node, null);
  }

  private void leases() {
    long lapsed = findings.lately.lapsedLeases();
    if (lapsed > 0) {
      add(
          Severity.WARNING,
          Subject.WORKER,
          "",
          null,
          "%,d %s taken from workers or nodes that were not heard of in time, in the last 5 minutes"
              .formatted(lapsed, lapsed == 1 ? "task was" : "tasks were"));
    }
  }

  private static String count(int count, int mostCounted) {
    return (count >= mostCounted ? "at least %,d" : "%,d").formatted(count);
  }

  /** A length of time in one unit. */
  static String words(Duration length) {
    if (length.compareTo(SECONDS_UP_TO) < 0) {
      return length.toSeconds() + " s";
    }
    if (length.compareTo(MINUTES_UP_TO) < 0) {
      return length.toMinutes() + " min";
    }
    return length.compareTo(HOURS_UP_TO) < 0 ? length.toHours() + " h" : length.toDays() + " days";
  }
}
