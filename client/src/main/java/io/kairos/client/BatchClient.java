package io.kairos.client;

import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.Batch;
import io.kairos.api.v1.CancelBatchRequest;
import io.kairos.api.v1.CancelBatchResponse;
import io.kairos.api.v1.CloseBatchRequest;
import io.kairos.api.v1.CreateBatchRequest;
import io.kairos.api.v1.CreateBatchResponse;
import io.kairos.api.v1.GetBatchRequest;
import io.kairos.api.v1.ListBatchesRequest;
import io.kairos.api.v1.ListBatchesResponse;
import io.kairos.client.PagedList.Page;
import io.kairos.client.batch.BatchId;
import io.kairos.client.batch.BatchStatus;
import io.kairos.client.error.TaskNotFoundException;
import java.util.List;

/**
 * Client for batches: up to a million tasks of one handler that are counted, waited for and
 * cancelled together. It shares connections, token and retries with its {@link KairosClient}, and
 * is closed with it. Thread-safe.
 */
public final class BatchClient {
  private final KairosClient client;

  BatchClient(KairosClient client) {
    this.client = client;
  }

  /**
   * Creates a batch without tasks. Tasks join it by {@link TaskRequest.Builder#batch} until it is
   * {@linkplain #close closed}, and others wait for it by {@link TaskRequest.Builder#afterBatch}.
   * Not retried after a lost answer; {@link #create(String, String)} is.
   *
   * @param handler handler whose tasks join it, or {@code pool:} and the name of a pool
   */
  public BatchStatus create(String handler) {
    return create(handler, "", false);
  }

  /**
   * Creates a batch like {@link #create(String)}, unless the handler has one of this name: then
   * that batch is returned as it is.
   *
   * @param name 1 to 128 of letters, digits and {@code . _ : / -}
   */
  public BatchStatus create(String handler, String name) {
    return create(handler, name, !name.isEmpty());
  }

  private BatchStatus create(String handler, String name, boolean repeatable) {
    CreateBatchRequest request =
        CreateBatchRequest.newBuilder().setHandler(handler).setName(name).build();
    return status(client.call(CreateBatchResponse.class, request, repeatable).getBatch());
  }

  /**
   * Returns a batch with its counts, which are exact at the time of the answer. Like all methods
   * that name a batch, it throws {@link TaskNotFoundException} when there is none with this id.
   */
  public BatchStatus get(BatchId id) {
    return status(
        client.call(Batch.class, GetBatchRequest.newBuilder().setId(id.toString()).build()));
  }

  /**
   * Returns batches of all handlers, newest first.
   *
   * @param limit maximum number of batches to fetch
   */
  public List<BatchStatus> list(int limit) {
    return list(ListBatchesRequest.newBuilder(), limit);
  }

  /** Returns batches of a handler, like {@link #list(int)}. */
  public List<BatchStatus> list(String handler, int limit) {
    return list(ListBatchesRequest.newBuilder().setHandler(handler), limit);
  }

  private List<BatchStatus> list(ListBatchesRequest.Builder request, int limit) {
    return new PagedList(limit, "")
        .fetch((size, token) -> {
          ListBatchesResponse answer =
              client.call(
                  ListBatchesResponse.class, request.setPageSize(size).setPageToken(token).build());
          return Page.of(answer.getBatchesList(), BatchClient::status, answer.getNextPageToken());
        });
  }

  /**
   * Lets no more tasks join a batch, so that it ends when none of its tasks is unfinished. Does
   * nothing to a batch that is closed.
   */
  public BatchStatus close(BatchId id) {
    return status(
        client.call(Batch.class, CloseBatchRequest.newBuilder().setId(id.toString()).build()));
  }

  /**
   * Closes a batch and cancels what has not ended of it, each task like {@link
   * KairosClient#cancel(io.kairos.client.task.TaskId)}; by as many calls as it takes.
   *
   * @return number of tasks that were cancelled, or are being performed by workers that are
   *     notified
   */
  public long cancel(BatchId id) {
    CancelBatchRequest.Builder request = CancelBatchRequest.newBuilder().setId(id.toString());
    long count = 0;
    CancelBatchResponse answer;
    do {
      answer = client.call(CancelBatchResponse.class, request.build());
      count += answer.getCount();
      request.setBefore(answer.getNextBefore());
    } while (answer.getMore());
    return count;
  }

  private static BatchStatus status(Batch wire) {
    Batch.Counts counts = wire.getCounts();
    return new BatchStatus(
        BatchId.of(wire.getId()),
        wire.getHandler(),
        wire.getName(),
        ProtoTime.of(wire.getCreatedAt()),
        wire.getCreatedBy(),
        new BatchStatus.Counts(
            counts.getTotal(),
            counts.getUnfinished(),
            counts.getSucceeded(),
            counts.getFailed(),
            counts.getCancelled(),
            counts.getDead()),
        wire.getPercent(),
        TaskProtos.orNull(wire.hasClosedAt(), wire.getClosedAt()),
        wire.getState() == io.kairos.api.v1.Task.State.STATE_UNSPECIFIED
            ? null
            : TaskProtos.state(wire.getState()),
        TaskProtos.orNull(wire.hasCompletedAt(), wire.getCompletedAt()));
  }
}
