package io.kairos.client;

import static io.kairos.api.text.GivenValue.ifGiven;

import com.google.protobuf.Timestamp;
import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.Alarm;
import io.kairos.api.v1.CancelTaskResponse;
import io.kairos.api.v1.Cluster;
import io.kairos.api.v1.Node;
import io.kairos.api.v1.PollResponse;
import io.kairos.client.audit.AuditEntry;
import io.kairos.client.cluster.ClusterOverview;
import io.kairos.client.task.CancelOutcome;
import io.kairos.client.task.RetryPolicy;
import io.kairos.client.task.TaskState;
import java.time.Instant;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;

/** Maps between the API's messages and the client's types. */
final class TaskProtos {
  private TaskProtos() {}

  static io.kairos.api.v1.RetryPolicy retryPolicy(RetryPolicy policy) {
    io.kairos.api.v1.RetryPolicy.Builder wire = io.kairos.api.v1.RetryPolicy.newBuilder();
    ifGiven(policy.maxAttempts(), wire::setMaxAttempts);
    ifGiven(policy.initialBackoff(), wait -> wire.setInitialBackoff(ProtoTime.of(wait)));
    ifGiven(policy.factor(), wire::setFactor);
    ifGiven(policy.maxBackoff(), wait -> wire.setMaxBackoff(ProtoTime.of(wait)));
    return wire.build();
  }

  static RetryPolicy retryPolicy(io.kairos.api.v1.RetryPolicy wire) {
    return new RetryPolicy(
        wire.getMaxAttempts() == 0 ? null : wire.getMaxAttempts(),
        wire.hasInitialBackoff() ? ProtoTime.of(wire.getInitialBackoff()) : null,
        wire.getFactor() == 0 ? null : wire.getFactor(),
        wire.hasMaxBackoff() ? ProtoTime.of(wire.getMaxBackoff()) : null);
  }

  static @Nullable Instant orNull(boolean present, Timestamp timestamp) {
    return present ? ProtoTime.of(timestamp) : null;
  }

  static TaskState state(io.kairos.api.v1.Task.State wire) {
    return named(wire, TaskState.OTHER);
  }

  static io.kairos.api.v1.Task.State state(TaskState state) {
    return state == TaskState.OTHER
        ? io.kairos.api.v1.Task.State.STATE_UNSPECIFIED
        : io.kairos.api.v1.Task.State.valueOf(state.name());
  }

  static PolledStep polled(PollResponse.Step wire) {
    return new PolledStep(
        wire.getName(),
        named(wire.getOutcome(), PolledStep.Outcome.OTHER),
        wire.getRounds(),
        wire.getDone());
  }

  static AuditEntry audited(io.kairos.api.v1.AuditEntry wire) {
    return new AuditEntry(
        wire.getNumber(),
        ProtoTime.of(wire.getTime()),
        wire.getCaller(),
        wire.getAddress(),
        wire.getAction(),
        wire.getKind(),
        wire.getObject(),
        wire.getDetail(),
        wire.getOutcome(),
        wire.getMore());
  }

  static ClusterOverview overview(Cluster wire) {
    return new ClusterOverview(
        wire.getNodesList().stream().map(TaskProtos::member).toList(),
        wire.getAlarmsList().stream().map(TaskProtos::finding).toList(),
        ProtoTime.of(wire.getAt()));
  }

  private static ClusterOverview.Member member(Node wire) {
    return new ClusterOverview.Member(
        wire.getId(),
        wire.getName(),
        wire.getVersion(),
        wire.getDoorsList(),
        wire.hasStartedAt() ? ProtoTime.of(wire.getStartedAt()) : null,
        ProtoTime.of(wire.getSeenAt()),
        wire.hasClockOffset() ? ProtoTime.of(wire.getClockOffset()) : null,
        wire.hasLoad() ? (Double) wire.getLoad() : null,
        wire.getHeapBytes(),
        wire.hasHiccup() ? ProtoTime.of(wire.getHiccup()) : null,
        wire.getAnswering(),
        wire.getDead());
  }

  private static ClusterOverview.Finding finding(Alarm wire) {
    return new ClusterOverview.Finding(
        named(wire.getSeverity(), ClusterOverview.Severity.OTHER),
        wire.getText(),
        wire.getSubject() == Alarm.Subject.SUBJECT_UNSPECIFIED ? "" : wire.getSubject().name(),
        wire.getName(),
        wire.hasSince() ? ProtoTime.of(wire.getSince()) : null);
  }

  static CancelOutcome outcome(CancelTaskResponse.Outcome wire) {
    return named(wire, CancelOutcome.OTHER);
  }

  /**
   * Returns the constant of the client's enum with the name of the API's constant, or {@code other}
   * when there is none.
   */
  static <E extends Enum<E>> E named(Enum<?> wire, E other) {
    for (E one : EnumSet.allOf(other.getDeclaringClass())) {
      if (one.name().equals(wire.name())) {
        return one;
      }
    }
    return other;
  }
}
