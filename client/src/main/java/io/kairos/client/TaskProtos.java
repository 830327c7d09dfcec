package io.kairos.client;

import static io.kairos.api.text.GivenValue.ifGiven;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.Alarm;
import io.kairos.api.v1.CancelTaskResponse;
import io.kairos.api.v1.ChangeTasksResponse;
import io.kairos.api.v1.Cluster;
import io.kairos.api.v1.DeadLetter;
import io.kairos.api.v1.DelayRoute;
import io.kairos.api.v1.ListTasksRequest;
import io.kairos.api.v1.Node;
import io.kairos.api.v1.PollResponse;
import io.kairos.api.v1.RepublishDeadLetterRequest;
import io.kairos.api.v1.Topic;
import io.kairos.api.v1.Worker;
import io.kairos.client.audit.AuditEntry;
import io.kairos.client.cluster.ClusterOverview;
import io.kairos.client.cluster.WorkerStatus;
import io.kairos.client.queue.FailureGroup;
import io.kairos.client.route.DeadLetterView;
import io.kairos.client.route.Republication;
import io.kairos.client.route.RouteStatus;
import io.kairos.client.task.CancelOutcome;
import io.kairos.client.task.ChangedTasks;
import io.kairos.client.task.OnFailure;
import io.kairos.client.task.RetryPolicy;
import io.kairos.client.task.TaskFilter;
import io.kairos.client.task.TaskGraph;
import io.kairos.client.task.TaskId;
import io.kairos.client.task.TaskResult;
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

  /** The result of a task; null for none. Nodes of earlier versions have a text. */
  static @Nullable TaskResult result(io.kairos.api.v1.Task wire) {
    if (wire.hasResultValue()) {
      return TaskResult.of(
          wire.getResultValue().getValue().toByteArray(), wire.getResultValue().getContentType());
    }
    return wire.getResult().isEmpty() ? null : TaskResult.text(wire.getResult());
  }

  static TaskOutcome outcome(Task ended) {
    return switch (ended.state()) {
      case SUCCEEDED -> new TaskOutcome.Succeeded(ended);
      case DEAD -> new TaskOutcome.Dead(ended);
      case CANCELLED -> new TaskOutcome.Cancelled(ended);
      default -> new TaskOutcome.Failed(ended);
    };
  }

  static TaskState state(io.kairos.api.v1.Task.State wire) {
    return named(wire, TaskState.OTHER);
  }

  static io.kairos.api.v1.Task.State state(TaskState state) {
    return state == TaskState.OTHER
        ? io.kairos.api.v1.Task.State.STATE_UNSPECIFIED
        : io.kairos.api.v1.Task.State.valueOf(state.name());
  }

  static ListTasksRequest wire(TaskQuery query) {
    TaskQuery.Search search = query.search();
    ListTasksRequest.Builder request =
        ListTasksRequest.newBuilder()
            .setHandler(query.handler())
            .setCollection(query.collection())
            .setKey(query.key())
            .setPageSize(query.pageSize())
            .setPageToken(query.pageToken())
            .setIdPrefix(search.idPrefix())
            .setMinAttempts(search.minAttempts())
            .setErrorClass(search.errorClass())
            .setErrorFingerprint(search.errorFingerprint())
            .setText(search.text())
            .setSchedule(search.schedule());
    ifGiven(query.from(), from -> request.setNotBefore(ProtoTime.of(from)));
    ifGiven(query.to(), to -> request.setBefore(ProtoTime.of(to)));
    ifGiven(search.endedFrom(), from -> request.setEndedNotBefore(ProtoTime.of(from)));
    ifGiven(search.endedTo(), to -> request.setEndedBefore(ProtoTime.of(to)));
    ifGiven(search.priority(), request::setPriority);
    ifGiven(search.batch(), batch -> request.setBatch(batch.toString()));
    query.states().forEach(state -> request.addStates(state(state)));
    return request.build();
  }

  static io.kairos.api.v1.TaskFilter wire(TaskFilter filter) {
    io.kairos.api.v1.TaskFilter.Builder wire =
        io.kairos.api.v1.TaskFilter.newBuilder()
            .setHandler(filter.handler())
            .setCollection(filter.collection())
            .setKey(filter.key())
            .setMinAttempts(filter.minAttempts())
            .setErrorClass(filter.errorClass())
            .setErrorFingerprint(filter.errorFingerprint());
    ifGiven(filter.from(), from -> wire.setNotBefore(ProtoTime.of(from)));
    ifGiven(filter.to(), to -> wire.setBefore(ProtoTime.of(to)));
    ifGiven(filter.acceptedUntil(), until -> wire.setAcceptedUntil(ProtoTime.of(until)));
    ifGiven(filter.after(), after -> wire.setAfter(after.toString()));
    filter.states().forEach(state -> wire.addStates(state(state)));
    return wire.build();
  }

  static TaskGraph graph(io.kairos.api.v1.TaskGraph wire) {
    return new TaskGraph(
        wire.getTasksList().stream()
            .map(task ->
                new TaskGraph.Member(
                    TaskId.of(task.getId()), task.getHandler(), state(task.getState())))
            .toList(),
        wire.getEdgesList().stream()
            .map(edge ->
                new TaskGraph.Edge(
                    TaskId.of(edge.getPredecessor()),
                    TaskId.of(edge.getSuccessor()),
                    named(edge.getOnFailure(), OnFailure.FAIL),
                    edge.getOpen()))
            .toList(),
        wire.getMore());
  }

  static ChangedTasks changed(ChangeTasksResponse wire) {
    return new ChangedTasks(
        wire.getCount(),
        wire.getMore() ? TaskId.of(wire.getNextAfter()) : null,
        ProtoTime.of(wire.getAt()));
  }

  static FailureGroup group(io.kairos.api.v1.FailureGroup wire) {
    return new FailureGroup(
        wire.getHandler(),
        wire.getFingerprint(),
        wire.getErrorClass(),
        wire.getError(),
        wire.getCount(),
        ProtoTime.of(wire.getFirstEndedAt()),
        ProtoTime.of(wire.getLastEndedAt()),
        wire.getSamplesList().stream().map(TaskId::of).toList(),
        wire.getByHourList());
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

  static WorkerStatus worker(Worker wire) {
    return new WorkerStatus(
        wire.getId(),
        wire.getCaller(),
        wire.getHost(),
        wire.getVersion(),
        wire.getHandlersList(),
        wire.getRunning(),
        wire.getSlots(),
        wire.getLapsed(),
        ProtoTime.of(wire.getSince()),
        ProtoTime.of(wire.getSeenAt()),
        wire.getDraining());
  }

  static RouteStatus route(DelayRoute wire) {
    return new RouteStatus(
        wire.getName(),
        wire.getInput(),
        wire.getOutput(),
        wire.getDeadLetters(),
        wire.getWaiting(),
        wire.getEstimated(),
        wire.getServed(),
        wire.getPartitionsList().stream()
            .map(one ->
                new RouteStatus.InputProgress(
                    one.getNode(),
                    one.getPartition(),
                    one.getPosition(),
                    one.hasLag() ? (Long) one.getLag() : null))
            .toList(),
        wire.getLanesList().stream()
            .map(one ->
                new RouteStatus.TroubledLane(
                    one.getNode(),
                    one.getTopic(),
                    one.getPartition(),
                    one.getTrouble(),
                    one.getQueued()))
            .toList(),
        wire.getTakenOver(),
        new RouteStatus.AmendmentCounts(
            wire.getAmendments().getApplied(),
            wire.getAmendments().getTooLate(),
            wire.getAmendments().getUnknownId()));
  }

  static DeadLetterView letter(DeadLetter wire) {
    return new DeadLetterView(
        wire.getPartition(),
        wire.getOffset(),
        wire.hasAt() ? ProtoTime.of(wire.getAt()) : null,
        wire.getReason(),
        wire.getDetail(),
        wire.getFingerprint(),
        wire.getSource(),
        wire.hasKey() ? wire.getKey().toByteArray() : null,
        wire.getHeadersList().stream()
            .map(one -> new DeadLetterView.HeaderView(one.getName(), one.getValue().toByteArray()))
            .toList(),
        wire.getValueBytes(),
        wire.hasValue() ? wire.getValue().toByteArray() : null,
        wire.getCut(),
        wire.getTruncated());
  }

  static RepublishDeadLetterRequest wire(Republication letter) {
    RepublishDeadLetterRequest.Correction.Builder correction =
        RepublishDeadLetterRequest.Correction.newBuilder().addAllRemoveHeaders(letter.removed());
    Instant runAt = letter.runAt();
    if (runAt != null) {
      correction.setRunAt(ProtoTime.of(runAt));
    }
    byte[] value = letter.value();
    if (value != null) {
      correction.setValue(ByteString.copyFrom(value));
    }
    letter
        .headers()
        .forEach((name, bytes) ->
            correction.addHeaders(
                Topic.Header.newBuilder().setName(name).setValue(ByteString.copyFrom(bytes))));
    return RepublishDeadLetterRequest.newBuilder()
        .setRoute(letter.route())
        .setPartition(letter.partition())
        .setOffset(letter.offset())
        .setAgain(letter.again())
        .setCorrection(correction)
        .build();
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
