package io.kairos.server.effect;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.kairos.api.v1.Idempotency;
import io.kairos.api.v1.ScheduleRequest;
import io.kairos.api.v1.ScheduleResponse;
import io.kairos.api.v1.TaskServiceGrpc.TaskServiceStub;
import io.kairos.api.v1.Topic;
import io.kairos.domain.task.Outcome;
import io.kairos.engine.cron.entry.Work;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Asks a node for tasks and messages, under ids that it knows again: of a task for a day, of a
 * message as long as it waits. Does not block.
 */
public final class NodeCalls {
  static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);

  private static final long REMEMBERED_SECONDS = Duration.ofDays(1).toSeconds();

  private final @Nullable TaskServiceStub tasks;

  /**
   * Connects when it is first asked.
   *
   * @param access empty for no node: then everything waits
   */
  public NodeCalls(Optional<EdgeAccess> access) {
    this.tasks = access.map(each -> each.stub(TaskServiceStub.class, ANSWER_WITHIN)).orElse(null);
  }

  /** Asks for a task. */
  void schedule(Work.EnqueueTask task, Instant due, String id, Consumer<Outcome> ended) {
    Idempotency once =
        Idempotency.newBuilder()
            .setKey(id)
            .setDuration(com.google.protobuf.Duration.newBuilder().setSeconds(REMEMBERED_SECONDS))
            .build();
    schedule(
        ScheduleRequest.newBuilder()
            .setHandler(task.handler())
            .setPayload(ByteString.copyFrom(task.payload()))
            .setKey(task.key())
            .setRunAt(timestamp(due))
            .setIdempotency(once)
            .build(),
        ended);
  }

  /** Asks for a message. */
  void schedule(Work.PostMessage message, Instant due, String id, Consumer<Outcome> ended) {
    Topic.Builder topic = Topic.newBuilder().setName(message.topic());
    if (message.key().length > 0) {
      topic.setKey(ByteString.copyFrom(message.key()));
    }
    schedule(
        ScheduleRequest.newBuilder()
            .setTopic(topic)
            .setPayload(ByteString.copyFrom(message.value()))
            .setRunAt(timestamp(due))
            .setIdempotency(Idempotency.newBuilder().setKey(id))
            .build(),
        ended);
  }

  static Timestamp timestamp(Instant at) {
    return Timestamp.newBuilder().setSeconds(at.getEpochSecond()).setNanos(at.getNano()).build();
  }

  private void schedule(ScheduleRequest request, Consumer<Outcome> ended) {
    TaskServiceStub stub = tasks;
    if (stub == null) {
      ended.accept(new Outcome.RetryLater("replica.node is not set"));
    } else {
      stub.schedule(request, new Heard(ended));
    }
  }

  /** What the node said. */
  private record Heard(Consumer<Outcome> ended) implements StreamObserver<ScheduleResponse> {
    @Override
    public void onNext(ScheduleResponse response) {}

    @Override
    public void onCompleted() {
      ended.accept(new Outcome.Succeeded(""));
    }

    @Override
    public void onError(Throwable error) {
      Status status = Status.fromThrowable(error);
      String why = status.getCode() + ": " + status.getDescription();
      ended.accept(
          switch (status.getCode()) {
            // These it would say again, whenever it is asked.
            case INVALID_ARGUMENT, OUT_OF_RANGE, NOT_FOUND, FAILED_PRECONDITION ->
                new Outcome.Failed(why);
            default -> new Outcome.RetryLater(why);
          });
    }
  }
}
