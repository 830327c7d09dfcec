package io.kairos.client;

import com.google.protobuf.FieldMask;
import io.kairos.api.v1.Gate;
import io.kairos.api.v1.GetHandlerRequest;
import io.kairos.api.v1.Handler;
import io.kairos.api.v1.LiftGateRequest;
import io.kairos.api.v1.ListGatesRequest;
import io.kairos.api.v1.ListHandlersRequest;
import io.kairos.api.v1.ListHandlersResponse;
import io.kairos.api.v1.ListKeysRequest;
import io.kairos.api.v1.ListKeysResponse;
import io.kairos.api.v1.Queue;
import io.kairos.api.v1.QueueServiceGrpc;
import io.kairos.api.v1.RedriveResponse;
import io.kairos.api.v1.RetryHeadRequest;
import io.kairos.api.v1.SetGateRequest;
import io.kairos.api.v1.SkipHeadRequest;
import io.kairos.api.v1.UpdateQueueRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What operators do with handlers and their queues: look at them, limit and pause them, have failed
 * tasks tried again. A view of a {@link KairosClient}, with its nodes, token and manners; ends with
 * it. Thread-safe.
 */
public final class QueueClient {
  private static final int MOST_IN_A_PAGE = 1_000;

  private final KairosClient client;

  QueueClient(KairosClient client) {
    this.client = client;
  }

  /** Throws {@link TaskNotFoundException} when no task was ever scheduled for it. */
  public HandlerStatus handler(String name) {
    return status(
        client.call(
            QueueServiceGrpc.getGetHandlerMethod(),
            GetHandlerRequest.newBuilder().setName(name).build(),
            true));
  }

  /** All handlers, by name. */
  public List<HandlerStatus> handlers() {
    List<HandlerStatus> all = new ArrayList<>();
    String page = "";
    do {
      ListHandlersResponse answer =
          client.call(
              QueueServiceGrpc.getListHandlersMethod(),
              ListHandlersRequest.newBuilder().setPageToken(page).build(),
              true);
      answer.getHandlersList().forEach(handler -> all.add(status(handler)));
      page = answer.getNextPageToken();
    } while (!page.isEmpty());
    return all;
  }

  /** Throws {@link TaskNotFoundException} when no task was ever scheduled for it. */
  public HandlerSettings settings(String handler) {
    return settings(
        client.call(
            QueueServiceGrpc.getGetHandlerMethod(),
            GetHandlerRequest.newBuilder().setName(handler).build(),
            true));
  }

  /** Returns what holds now. */
  public HandlerSettings change(HandlerChange change) {
    return settings(client.call(QueueServiceGrpc.getUpdateHandlerMethod(), change.wire(), true));
  }

  /**
   * Ordering keys whose tasks wait because their head fails, the blocked ones first.
   *
   * @param handler empty for all handlers
   * @param limit at most this many
   */
  public List<StuckKey> stuckKeys(String handler, int limit) {
    List<StuckKey> keys = new ArrayList<>();
    String page = "";
    do {
      ListKeysResponse answer =
          client.call(
              QueueServiceGrpc.getListKeysMethod(),
              ListKeysRequest.newBuilder()
                  .setHandler(handler)
                  .setPageSize(Math.min(MOST_IN_A_PAGE, limit - keys.size()))
                  .setPageToken(page)
                  .build(),
              true);
      answer.getKeysList().forEach(key -> keys.add(stuck(key)));
      page = answer.getNextPageToken();
    } while (!page.isEmpty() && keys.size() < limit);
    return keys;
  }

  /**
   * Lets an ordering key go on without its failing head, which ends as dead. Throws {@link
   * TaskNotFoundException} when its head does not fail; after a try whose answer was lost that may
   * mean that it was skipped.
   */
  public void skipHead(String handler, String key) {
    client.call(
        QueueServiceGrpc.getSkipHeadMethod(),
        SkipHeadRequest.newBuilder().setHandler(handler).setKey(key).build(),
        true);
  }

  /**
   * Has the failing head of an ordering key tried again at once. Throws {@link
   * TaskNotFoundException} when its head does not fail or is no longer known; after a try whose
   * answer was lost that may mean that it is tried.
   */
  public void retryHead(String handler, String key) {
    client.call(
        QueueServiceGrpc.getRetryHeadMethod(),
        RetryHeadRequest.newBuilder().setHandler(handler).setKey(key).build(),
        true);
  }

  /** When it returns, no task behind the gate begins any more. Changes a gate that is closed. */
  public TaskGate close(TaskGate gate) {
    SetGateRequest.Builder request =
        SetGateRequest.newBuilder()
            .setHandler(gate.handler())
            .setCollection(gate.collection())
            .setMode(gate.drops() ? Gate.Mode.DROP : Gate.Mode.PAUSE)
            .setNote(gate.note());
    Instant until = gate.until();
    if (until != null) {
      request.setUntil(Protos.timestamp(until));
    }
    return gate(client.call(QueueServiceGrpc.getSetGateMethod(), request.build(), true));
  }

  /**
   * Lets tasks begin again. Throws {@link TaskNotFoundException} when there is no such gate; after
   * a try whose answer was lost that may mean that it was lifted.
   *
   * @param collection empty for the gate of the whole handler
   */
  public void lift(String handler, String collection) {
    client.call(
        QueueServiceGrpc.getLiftGateMethod(),
        LiftGateRequest.newBuilder().setHandler(handler).setCollection(collection).build(),
        true);
  }

  /** Every gate that is closed. */
  public List<TaskGate> gates() {
    return client
        .call(QueueServiceGrpc.getListGatesMethod(), ListGatesRequest.getDefaultInstance(), true)
        .getGatesList()
        .stream()
        .map(QueueClient::gate)
        .toList();
  }

  /** Sets all limits of a queue; those that are null are lifted. */
  public QueueLimit limit(QueueLimit limit) {
    return change(limit, List.of("max_running", "per_second", "burst"));
  }

  /**
   * Changes some limits of a queue.
   *
   * @param fields some of {@code max_running}, {@code per_second} and {@code burst}; one whose
   *     value is null is lifted
   */
  public QueueLimit change(QueueLimit limit, List<String> fields) {
    Queue.Builder queue =
        Queue.newBuilder().setHandler(limit.handler()).setPriority(limit.priority());
    Integer maxRunning = limit.maxRunning();
    if (maxRunning != null) {
      queue.setMaxRunning(maxRunning);
    }
    Double perSecond = limit.perSecond();
    if (perSecond != null) {
      queue.setPerSecond(perSecond);
    }
    Integer burst = limit.burst();
    if (burst != null) {
      queue.setBurst(burst);
    }
    return limit(
        client.call(
            QueueServiceGrpc.getUpdateQueueMethod(),
            UpdateQueueRequest.newBuilder()
                .setQueue(queue)
                .setUpdateMask(FieldMask.newBuilder().addAllPaths(fields))
                .build(),
            true));
  }

  /** Has failed tasks tried again. Repeating it finds only those that have failed again. */
  public Redrive.Result redrive(Redrive which) {
    RedriveResponse answer = client.call(QueueServiceGrpc.getRedriveMethod(), which.wire(), true);
    return new Redrive.Result(
        answer.getIdsList().stream().map(TaskId::of).toList(),
        answer.getMore() ? TaskId.of(answer.getNextAfter()) : null);
  }

  private static HandlerStatus status(Handler handler) {
    return new HandlerStatus(
        handler.getName(),
        handler.getWaiting(),
        handler.getEnqueued(),
        handler.getProcessing(),
        handler.getBlocked(),
        handler.getPaused(),
        handler.getDead(),
        handler.getFailed(),
        handler.hasAskedAt() ? Protos.instant(handler.getAskedAt()) : null,
        handler.getHasWorker(),
        handler.getLimitedQueuesList().stream().map(QueueClient::limit).toList(),
        handler.getGatesList().stream().map(QueueClient::gate).toList());
  }

  private static HandlerSettings settings(Handler handler) {
    io.kairos.api.v1.RetryPolicy retry = handler.getRetryPolicy();
    io.kairos.api.v1.KeyPolicy keys = handler.getKeyPolicy();
    @Nullable Long maxUnfinished = handler.hasMaxUnfinished() ? handler.getMaxUnfinished() : null;
    @Nullable Integer maxRunning = keys.hasMaxRunning() ? keys.getMaxRunning() : null;
    @Nullable Double perSecond = keys.hasPerSecond() ? keys.getPerSecond() : null;
    @Nullable Integer burst = keys.hasBurst() ? keys.getBurst() : null;
    return new HandlerSettings(
        handler.getName(),
        new RetryPolicy(
            retry.getMaxAttempts(),
            Protos.duration(retry.getInitialBackoff()),
            retry.getFactor(),
            Protos.duration(retry.getMaxBackoff())),
        maxUnfinished,
        new KeyPolicy(
            maxRunning,
            keys.getOnDead() == io.kairos.api.v1.KeyPolicy.OnDead.BLOCK,
            perSecond,
            burst));
  }

  private static StuckKey stuck(io.kairos.api.v1.StuckKey key) {
    return new StuckKey(
        key.getHandler(),
        key.getKey(),
        key.getReason() == io.kairos.api.v1.StuckKey.Reason.HEAD_FAILED,
        TaskId.of(key.getHead()),
        key.getError(),
        key.getWaiting());
  }

  private static QueueLimit limit(Queue queue) {
    @Nullable Integer maxRunning = queue.hasMaxRunning() ? queue.getMaxRunning() : null;
    @Nullable Double perSecond = queue.hasPerSecond() ? queue.getPerSecond() : null;
    @Nullable Integer burst = queue.hasBurst() ? queue.getBurst() : null;
    return new QueueLimit(
        queue.getHandler(), queue.getPriority(), maxRunning, perSecond, burst, queue.getRunning());
  }

  private static TaskGate gate(Gate gate) {
    return new TaskGate(
        gate.getHandler(),
        gate.getCollection(),
        gate.getMode() == Gate.Mode.DROP,
        gate.hasUntil() ? Protos.instant(gate.getUntil()) : null,
        gate.getNote(),
        gate.hasSince() ? Protos.instant(gate.getSince()) : null);
  }
}
