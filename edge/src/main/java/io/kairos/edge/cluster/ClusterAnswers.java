package io.kairos.edge.cluster;

import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.Alarm;
import io.kairos.api.v1.Cluster;
import io.kairos.api.v1.CountWaitingResponse;
import io.kairos.api.v1.Figures;
import io.kairos.api.v1.ListFiguresResponse;
import io.kairos.api.v1.Node;
import io.kairos.api.v1.Worker;
import io.kairos.domain.node.NodeId;
import io.kairos.engine.cluster.ClusterAlarm;
import io.kairos.engine.cluster.ClusterFigures;
import io.kairos.engine.cluster.ClusterFigures.ClusterPeriod;
import io.kairos.engine.cluster.ClusterNode;
import io.kairos.engine.cluster.ClusterState;
import io.kairos.engine.cluster.FigurePeriod;
import io.kairos.engine.cluster.LatenessCounts;
import io.kairos.engine.cluster.NodeState;
import io.kairos.engine.cluster.PeriodFigures;
import io.kairos.engine.cluster.WaitingCounts;
import io.kairos.engine.cluster.WorkFigures;
import io.kairos.engine.worker.WorkerView;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Makes messages of what the engine answers. */
final class ClusterAnswers {
  private ClusterAnswers() {}

  static Cluster cluster(ClusterState state, Optional<NodeId> self) {
    Cluster.Builder answer =
        Cluster.newBuilder().setAt(ProtoTime.of(state.at())).setOwnOnly(state.ownOnly());
    boolean isAlone = state.nodes().size() == 1;
    state
        .nodes()
        .forEach(node ->
            answer.addNodes(
                node(node).setAnswering(isAlone || self.filter(node.id()::equals).isPresent())));
    state.alarms().forEach(alarm -> answer.addAlarms(alarm(alarm)));
    return answer.build();
  }

  private static Node.Builder node(ClusterNode node) {
    Node.Builder answer =
        Node.newBuilder()
            .setId(node.id().toString())
            .setName(node.name())
            .setSeenAt(ProtoTime.of(node.seenAt()))
            .setDead(node.isDead());
    Instant startedAt = node.startedAt();
    if (startedAt != null) {
      answer.setStartedAt(ProtoTime.of(startedAt));
    }
    Duration hiccup = node.hiccup();
    if (hiccup != null) {
      answer.setHiccup(ProtoTime.of(hiccup));
    }
    NodeState state = node.state();
    if (state != null) {
      answer.setVersion(state.version()).addAllDoors(state.doors()).setHeapBytes(state.heapBytes());
      Duration offset = state.clockOffset();
      if (offset != null) {
        answer.setClockOffset(ProtoTime.of(offset));
      }
      Double load = state.load();
      if (load != null) {
        answer.setLoad(load);
      }
    }
    return answer;
  }

  private static Alarm alarm(ClusterAlarm alarm) {
    Alarm.Builder answer =
        Alarm.newBuilder()
            .setSeverity(
                switch (alarm.severity()) {
                  case CRITICAL -> Alarm.Severity.CRITICAL;
                  case WARNING -> Alarm.Severity.WARNING;
                  case NOTICE -> Alarm.Severity.NOTICE;
                })
            .setSubject(
                switch (alarm.subject()) {
                  case CLUSTER -> Alarm.Subject.SUBJECT_UNSPECIFIED;
                  case HANDLER -> Alarm.Subject.HANDLER;
                  case POOL -> Alarm.Subject.POOL;
                  case ROUTE -> Alarm.Subject.ROUTE;
                  case SCHEDULE -> Alarm.Subject.SCHEDULE;
                  case NODE -> Alarm.Subject.NODE;
                  case WORKER -> Alarm.Subject.WORKER;
                  case FAILED_TASKS -> Alarm.Subject.FAILED_TASKS;
                })
            .setText(alarm.text())
            .setName(alarm.name());
    Instant since = alarm.since();
    return since == null ? answer.build() : answer.setSince(ProtoTime.of(since)).build();
  }

  static ListFiguresResponse figures(ClusterFigures figures) {
    ListFiguresResponse.Builder answer =
        ListFiguresResponse.newBuilder().setOwnOnly(figures.isOwnOnly());
    figures.periods().forEach(period -> answer.addFigures(period(period)));
    if (!figures.periods().isEmpty()) {
      answer.setNodes(figures.periods().getLast().nodes());
    }
    return answer.build();
  }

  private static Figures period(ClusterPeriod period) {
    PeriodFigures figures = period.figures();
    Figures.Builder answer =
        Figures.newBuilder()
            .setAt(ProtoTime.of(FigurePeriod.begin(period.number())))
            .setTasks(work(figures.tasks()))
            .setMessages(work(figures.messages()))
            .setFailedAttempts(figures.failedAttempts())
            .setGivenUp(figures.givenUp())
            .setFires(figures.fires())
            .setSkippedFires(figures.skippedFires());
    Duration hiccup = figures.hiccup();
    return hiccup == null ? answer.build() : answer.setHiccup(ProtoTime.of(hiccup)).build();
  }

  private static Figures.Work work(WorkFigures work) {
    Figures.Work.Builder answer =
        Figures.Work.newBuilder()
            .setAccepted(work.accepted())
            .setBegun(work.begun())
            .setEnded(work.ended());
    LatenessCounts.Percentiles lateness = work.lateness().percentiles();
    if (lateness != null) {
      answer.setLateness(
          Figures.Lateness.newBuilder()
              .setP50(ProtoTime.of(lateness.p50()))
              .setP90(ProtoTime.of(lateness.p90()))
              .setP99(ProtoTime.of(lateness.p99()))
              .setP999(ProtoTime.of(lateness.p999()))
              .setMax(ProtoTime.of(lateness.max())));
    }
    Duration oldest = work.oldestOverdue();
    return oldest == null ? answer.build() : answer.setOldestOverdue(ProtoTime.of(oldest)).build();
  }

  static CountWaitingResponse waiting(WaitingCounts counts) {
    CountWaitingResponse.Builder answer =
        CountWaitingResponse.newBuilder()
            .setTasks(count(counts.tasks()))
            .setMessages(count(counts.messages()))
            .setOverdueTasks(count(counts.overdueTasks()))
            .setOverdueMessages(count(counts.overdueMessages()));
    counts
        .bars()
        .forEach(bar ->
            answer.addBars(
                CountWaitingResponse.Bar.newBuilder()
                    .setAt(ProtoTime.of(bar.at()))
                    .setTasks(bar.tasks())
                    .setMessages(bar.messages())
                    .setFires(bar.fires())
                    .setEstimated(bar.isEstimated())));
    return answer.build();
  }

  private static CountWaitingResponse.Count count(WaitingCounts.Count count) {
    return CountWaitingResponse.Count.newBuilder()
        .setCount(count.count())
        .setEstimated(count.isEstimated())
        .build();
  }

  static Worker worker(WorkerView worker) {
    return Worker.newBuilder()
        .setId(worker.key().worker())
        .setCaller(worker.key().caller())
        .setHost(worker.details().host())
        .setVersion(worker.details().version())
        .addAllHandlers(worker.details().handlers())
        .setRunning(worker.running())
        .setSlots(worker.details().slots())
        .setSeenAt(ProtoTime.of(worker.seenAt()))
        .setSince(ProtoTime.of(worker.since()))
        .setLapsed(worker.lapsed())
        .setDraining(worker.isDrained())
        .build();
  }
}
