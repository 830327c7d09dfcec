package io.kairos.server.effect;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.Idempotency;
import io.kairos.api.v1.PoolTarget;
import io.kairos.api.v1.ScheduleTaskRequest;
import io.kairos.api.v1.ScheduleTaskResponse;
import io.kairos.api.v1.TaskServiceGrpc.TaskServiceStub;
import io.kairos.api.v1.Topic;
import io.kairos.domain.task.AttemptOutcome;
import io.kairos.edge.task.PoolAnswers;
import io.kairos.engine.cron.entry.EntryWork;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Schedules tasks, of handlers and of pools, and messages at a node. Their ids are idempotency
 * keys, which hold for a day for a task, and for as long as it waits for a message. Does not block.
 */
public final class NodeCalls {
  static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);

  private static final long REMEMBERED_SECONDS = Duration.ofDays(1).toSeconds();

  private final @Nullable TaskServiceStub tasks;

  /**
   * Connects at the first call.
   *
   * @param access empty for no node; every effect is then retried later
   */
  public NodeCalls(Optional<EdgeAccess> access, EdgeClients clients) {
    this.tasks =
        access.map(each -> clients.stub(each, TaskServiceStub.class, ANSWER_WITHIN)).orElse(null);
  }

  /** Schedules a task. */
  void schedule(
      EntryWork.EnqueueTask task, Instant due, String id, Consumer<AttemptOutcome> ended) {
    schedule(task(task.payload(), task.key(), due, id).setHandler(task.handler()).build(), ended);
  }

  /**
   * Schedules a task for a pool. The receiver gets the id in a header too: the task's own id, which
   * is signed, is the node's.
   */
  void schedule(EntryWork.PushToPool push, Instant due, String id, Consumer<AttemptOutcome> ended) {
    PoolTarget.Header header =
        PoolTarget.Header.newBuilder().setName(EntryWork.PushToPool.ID_HEADER).setValue(id).build();
    PoolTarget target =
        PoolAnswers.target(push.pool().value(), push.request()).toBuilder()
            .addHeaders(header)
            .build();
    schedule(task(push.request().body(), push.key(), due, id).setPool(target).build(), ended);
  }

  private static ScheduleTaskRequest.Builder task(
      byte[] payload, String key, Instant due, String id) {
    return ScheduleTaskRequest.newBuilder()
        .setPayload(ByteString.copyFrom(payload))
        .setKey(key)
        .setRunAt(ProtoTime.of(due))
        .setIdempotency(
            Idempotency.newBuilder()
                .setKey(id)
                .setDuration(
                    com.google.protobuf.Duration.newBuilder().setSeconds(REMEMBERED_SECONDS)));
  }

  /** Schedules a message. */
  void schedule(
      EntryWork.PostMessage message, Instant due, String id, Consumer<AttemptOutcome> ended) {
    Topic.Builder topic = Topic.newBuilder().setName(message.topic());
    if (message.key().length > 0) {
      topic.setKey(ByteString.copyFrom(message.key()));
    }
    schedule(
        ScheduleTaskRequest.newBuilder()
            .setTopic(topic)
            .setPayload(ByteString.copyFrom(message.value()))
            .setRunAt(ProtoTime.of(due))
            .setIdempotency(Idempotency.newBuilder().setKey(id))
            .build(),
        ended);
  }

  private void schedule(ScheduleTaskRequest request, Consumer<AttemptOutcome> ended) {
    TaskServiceStub stub = tasks;
    if (stub == null) {
      ended.accept(new AttemptOutcome.RetryLater("replica.node is not set"));
    } else {
      stub.scheduleTask(request, new Heard(ended, request.hasPool()));
    }
  }

  /**
   * Turns the node's answer into an outcome.
   *
   * @param mayComeToBe true when what is not found can be created later: a pool
   */
  private record Heard(Consumer<AttemptOutcome> ended, boolean mayComeToBe)
      implements StreamObserver<ScheduleTaskResponse> {
    @Override
    public void onNext(ScheduleTaskResponse response) {}

    @Override
    public void onCompleted() {
      ended.accept(new AttemptOutcome.Succeeded(""));
    }

    @Override
    public void onError(Throwable error) {
      Status status = Status.fromThrowable(error);
      String why = status.getCode() + ": " + status.getDescription();
      ended.accept(
          switch (status.getCode()) {
            case NOT_FOUND ->
                mayComeToBe ? new AttemptOutcome.RetryLater(why) : new AttemptOutcome.Failed(why);
            // A retry would get the same answer; but UNIMPLEMENTED is of a node without a broker,
            // and another node may have one.
            case INVALID_ARGUMENT, OUT_OF_RANGE, FAILED_PRECONDITION ->
                new AttemptOutcome.Failed(why);
            default -> new AttemptOutcome.RetryLater(why);
          });
    }
  }
}
