package io.kairos.client;

import static io.kairos.api.text.GivenValue.ifGiven;

import com.google.protobuf.FieldMask;
import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.EndPauseRequest;
import io.kairos.api.v1.EndPauseResponse;
import io.kairos.api.v1.GetHandlerRequest;
import io.kairos.api.v1.Handler;
import io.kairos.api.v1.ListFailureGroupsResponse;
import io.kairos.api.v1.ListHandlersRequest;
import io.kairos.api.v1.ListHandlersResponse;
import io.kairos.api.v1.ListPausesRequest;
import io.kairos.api.v1.ListPausesResponse;
import io.kairos.api.v1.ListStuckKeysRequest;
import io.kairos.api.v1.ListStuckKeysResponse;
import io.kairos.api.v1.Pause;
import io.kairos.api.v1.Queue;
import io.kairos.api.v1.RedriveResponse;
import io.kairos.api.v1.RetryHeadRequest;
import io.kairos.api.v1.RetryHeadResponse;
import io.kairos.api.v1.SetPauseRequest;
import io.kairos.api.v1.SkipHeadRequest;
import io.kairos.api.v1.SkipHeadResponse;
import io.kairos.api.v1.UpdateQueueRequest;
import io.kairos.client.PagedList.Page;
import io.kairos.client.error.TaskNotFoundException;
import io.kairos.client.queue.FailureGroup;
import io.kairos.client.queue.HandlerPause;
import io.kairos.client.queue.HandlerSettings;
import io.kairos.client.queue.HandlerStatus;
import io.kairos.client.queue.KeyPolicy;
import io.kairos.client.queue.QueueLimit;
import io.kairos.client.queue.StuckKey;
import io.kairos.client.task.TaskId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Client of operators for handlers, their queues and pauses: shows, limits and pauses them, and
 * puts failed tasks back. It shares connections, token and retries with its {@link KairosClient},
 * and is closed with it. Thread-safe.
 */
public final class HandlerClient {
  private final KairosClient client;

  HandlerClient(KairosClient client) {
    this.client = client;
  }

  /**
   * Returns the state of a handler. Throws {@link TaskNotFoundException} when it has no queue and
   * no worker asks for its tasks.
   */
  public HandlerStatus get(String name) {
    return status(fetch(name));
  }

  /** Returns all handlers by name. */
  public List<HandlerStatus> list() {
    return PagedList.whole()
        .fetch((size, token) -> {
          ListHandlersResponse answer =
              client.call(
                  ListHandlersResponse.class,
                  ListHandlersRequest.newBuilder().setPageToken(token).build());
          return Page.of(
              answer.getHandlersList(), HandlerClient::status, answer.getNextPageToken());
        });
  }

  /**
   * Returns the settings of a handler. Throws {@link TaskNotFoundException} when it has no queue
   * and no worker asks for its tasks.
   */
  public HandlerSettings settings(String handler) {
    return settings(fetch(handler));
  }

  private Handler fetch(String name) {
    return client.call(Handler.class, GetHandlerRequest.newBuilder().setName(name).build());
  }

  /** Changes the settings of a handler, and returns the settings that hold now. */
  public HandlerSettings change(HandlerChange change) {
    return settings(client.call(Handler.class, change.wire()));
  }

  /**
   * Returns ordering keys of all handlers whose tasks wait because their head (the first unfinished
   * task) fails, blocked keys first.
   *
   * @param limit maximum number of keys
   */
  public List<StuckKey> stuckKeys(int limit) {
    return stuckKeys(ListStuckKeysRequest.newBuilder(), limit);
  }

  /** Returns ordering keys of a handler, like {@link #stuckKeys(int)}. */
  public List<StuckKey> stuckKeys(String handler, int limit) {
    return stuckKeys(
        ListStuckKeysRequest.newBuilder().setHandler(Conditions.text("handler", handler)), limit);
  }

  private List<StuckKey> stuckKeys(ListStuckKeysRequest.Builder request, int limit) {
    return new PagedList(limit, "")
        .fetch((size, token) -> {
          ListStuckKeysResponse answer =
              client.call(
                  ListStuckKeysResponse.class,
                  request.setPageSize(size).setPageToken(token).build());
          return Page.of(
              answer.getStuckKeysList(),
              key -> stuck(client.encryption().decryptedOrKept(key)),
              answer.getNextPageToken());
        });
  }

  /**
   * Skips the failing head of an ordering key; the head ends as dead. Throws {@link
   * TaskNotFoundException} when the head does not fail. When the answer to the first attempt of
   * this call was lost, that can also mean that the head was skipped.
   */
  public void skipHead(String handler, String key) {
    client.call(
        SkipHeadResponse.class,
        SkipHeadRequest.newBuilder().setHandler(handler).setKey(key).build());
  }

  /**
   * Retries the failing head of an ordering key at once. Throws {@link TaskNotFoundException} when
   * the head does not fail or has been pruned. When the answer to the first attempt of this call
   * was lost, that can also mean that the head is being retried.
   */
  public void retryHead(String handler, String key) {
    client.call(
        RetryHeadResponse.class,
        RetryHeadRequest.newBuilder().setHandler(handler).setKey(key).build());
  }

  /**
   * Sets a pause, or changes one that is in force. When the call returns, no paused task begins any
   * more.
   */
  public HandlerPause setPause(HandlerPause pause) {
    SetPauseRequest.Builder request =
        SetPauseRequest.newBuilder()
            .setHandler(pause.handler())
            .setCollection(pause.collection())
            .setMode(pause.drops() ? Pause.Mode.DROP : Pause.Mode.PAUSE)
            .setNote(pause.note());
    ifGiven(pause.until(), until -> request.setUntil(ProtoTime.of(until)));
    return pause(client.call(Pause.class, request.build()));
  }

  /**
   * Ends the pause of a handler: its tasks begin again. Throws {@link TaskNotFoundException} when
   * there is no such pause. When the answer to the first attempt of this call was lost, that can
   * also mean that the pause was ended.
   */
  public void endPause(String handler) {
    client.call(EndPauseResponse.class, EndPauseRequest.newBuilder().setHandler(handler).build());
  }

  /** Ends the pause of a collection, like {@link #endPause(String)}. */
  public void endPause(String handler, String collection) {
    client.call(
        EndPauseResponse.class,
        EndPauseRequest.newBuilder()
            .setHandler(handler)
            .setCollection(
                Conditions.text(
                    "collection",
                    collection,
                    "must not be empty: endPause(handler) ends the pause of the whole handler"))
            .build());
  }

  /** Returns all pauses in force. */
  public List<HandlerPause> pauses() {
    ListPausesRequest.Builder request = ListPausesRequest.newBuilder();
    return PagedList.whole()
        .fetch((size, token) -> {
          ListPausesResponse answer =
              client.call(
                  ListPausesResponse.class, request.setPageSize(size).setPageToken(token).build());
          return PagedList.Page.of(
              answer.getPausesList(), HandlerClient::pause, answer.getNextPageToken());
        });
  }

  /** Sets all limits of a queue; limits that are null are removed. */
  public QueueLimit limit(QueueLimit limit) {
    return change(limit, List.of("max_running", "per_second", "burst"));
  }

  /**
   * Changes some limits of a queue.
   *
   * @param fields limits to change, of {@code max_running}, {@code per_second} and {@code burst}; a
   *     limit whose value is null is removed
   */
  public QueueLimit change(QueueLimit limit, List<String> fields) {
    Queue.Builder queue =
        Queue.newBuilder().setHandler(limit.handler()).setPriority(limit.priority());
    ifGiven(limit.maxRunning(), queue::setMaxRunning);
    ifGiven(limit.perSecond(), queue::setPerSecond);
    ifGiven(limit.burst(), queue::setBurst);
    UpdateQueueRequest request =
        UpdateQueueRequest.newBuilder()
            .setQueue(queue)
            .setUpdateMask(FieldMask.newBuilder().addAllPaths(fields))
            .build();
    return limit(client.call(Queue.class, request));
  }

  /** Puts failed tasks back. A repeated call finds only tasks that have failed again. */
  public Redrive.Result redrive(Redrive which) {
    RedriveResponse answer = client.call(RedriveResponse.class, which.wire());
    return new Redrive.Result(
        answer.getIdsList().stream().map(TaskId::of).toList(),
        Math.max(answer.getCount(), answer.getIdsCount()),
        answer.getMore() ? TaskId.of(answer.getNextAfter()) : null,
        TaskProtos.orNull(answer.hasAt(), answer.getAt()));
  }

  /**
   * Returns failed and dead tasks in groups of one handler and one error fingerprint, found among
   * the 100,000 that ended last.
   */
  public FailureGroup.Listing failures(FailureQuery query) {
    ListFailureGroupsResponse answer = client.call(ListFailureGroupsResponse.class, query.wire());
    return new FailureGroup.Listing(
        answer.getGroupsList().stream().map(TaskProtos::group).toList(), answer.getIncomplete());
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
        TaskProtos.orNull(handler.hasAskedAt(), handler.getAskedAt()),
        handler.getHasWorker(),
        handler.getQueuesList().stream().map(HandlerClient::limit).toList(),
        handler.getPausesList().stream().map(HandlerClient::pause).toList());
  }

  private static HandlerSettings settings(Handler handler) {
    io.kairos.api.v1.KeyPolicy keys = handler.getKeyPolicy();
    @Nullable Long maxUnfinished = handler.hasMaxUnfinished() ? handler.getMaxUnfinished() : null;
    @Nullable Integer maxRunning = keys.hasMaxRunning() ? keys.getMaxRunning() : null;
    @Nullable Double perSecond = keys.hasPerSecond() ? keys.getPerSecond() : null;
    @Nullable Integer burst = keys.hasBurst() ? keys.getBurst() : null;
    return new HandlerSettings(
        handler.getName(),
        TaskProtos.retryPolicy(handler.getRetryPolicy()),
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

  private static HandlerPause pause(Pause pause) {
    return new HandlerPause(
        pause.getHandler(),
        pause.getCollection(),
        pause.getMode() == Pause.Mode.DROP,
        TaskProtos.orNull(pause.hasUntil(), pause.getUntil()),
        pause.getNote(),
        TaskProtos.orNull(pause.hasSince(), pause.getSince()));
  }
}
