package io.kairos.client;

import static io.kairos.api.text.GivenValue.ifGiven;

import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.CompleteExecutionRequest;
import io.kairos.api.v1.CompleteExecutionResponse;
import io.kairos.api.v1.CreatePoolRequest;
import io.kairos.api.v1.DeletePoolRequest;
import io.kairos.api.v1.DeletePoolResponse;
import io.kairos.api.v1.FailExecutionRequest;
import io.kairos.api.v1.FailExecutionResponse;
import io.kairos.api.v1.GetPoolRequest;
import io.kairos.api.v1.HeartbeatExecutionRequest;
import io.kairos.api.v1.HeartbeatExecutionResponse;
import io.kairos.api.v1.ListPoolsRequest;
import io.kairos.api.v1.ListPoolsResponse;
import io.kairos.api.v1.Pool;
import io.kairos.api.v1.RegisterEndpointRequest;
import io.kairos.api.v1.RegisterEndpointResponse;
import io.kairos.api.v1.RotateKeyRequest;
import io.kairos.api.v1.SnoozeExecutionRequest;
import io.kairos.api.v1.SnoozeExecutionResponse;
import io.kairos.api.v1.UnregisterEndpointRequest;
import io.kairos.api.v1.UnregisterEndpointResponse;
import io.kairos.api.v1.UpdatePoolRequest;
import io.kairos.client.PagedList.Page;
import io.kairos.client.error.TaskConflictException;
import io.kairos.client.error.TaskNotFoundException;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Client for pools of HTTP endpoints: operators configure pools, workers register endpoints, and
 * workers complete attempts that go on after the answer 202. It shares connections, token and
 * retries with its {@link KairosClient}, and is closed with it. Thread-safe.
 */
public final class PoolClient {
  private final KairosClient client;

  PoolClient(KairosClient client) {
    this.client = client;
  }

  /**
   * Creates a pool and returns it with its secret. Throws {@link TaskConflictException} when a pool
   * of this name exists. Not retried after a lost answer.
   */
  public PoolStatus create(PoolDefinition pool) {
    CreatePoolRequest request = CreatePoolRequest.newBuilder().setPool(pool.wire()).build();
    return status(client.call(Pool.class, request, false));
  }

  /**
   * Returns a pool. Like all methods that name a pool, it throws {@link TaskNotFoundException} when
   * there is none of this name.
   */
  public PoolStatus get(String name) {
    return status(client.call(Pool.class, GetPoolRequest.newBuilder().setName(name).build()));
  }

  /** Returns all pools by name. */
  public List<PoolStatus> list() {
    return list((pool, reason) -> {});
  }

  /**
   * Returns all pools, by name.
   *
   * @param unreadable is given the name of each pool that the node cannot read, because a later
   *     version has written it, with the reason; it is not in the list
   */
  public List<PoolStatus> list(BiConsumer<String, String> unreadable) {
    return PagedList.whole()
        .fetch((size, token) -> {
          ListPoolsResponse answer =
              client.call(
                  ListPoolsResponse.class,
                  ListPoolsRequest.newBuilder().setPageToken(token).build());
          answer
              .getUnreadableList()
              .forEach(one -> unreadable.accept(one.getName(), one.getReason()));
          return Page.of(answer.getPoolsList(), PoolClient::status, answer.getNextPageToken());
        });
  }

  /** Changes the fields that the definition names. */
  public PoolStatus change(PoolDefinition pool) {
    UpdatePoolRequest request =
        UpdatePoolRequest.newBuilder().setPool(pool.wire()).setUpdateMask(pool.named()).build();
    return status(client.call(Pool.class, request));
  }

  /** Deletes a pool. Its tasks stay, and wait for a pool of this name. */
  public void delete(String name) {
    client.call(DeletePoolResponse.class, DeletePoolRequest.newBuilder().setName(name).build());
  }

  /**
   * Creates a new secret, which is the first in the answer. Not retried after a lost answer.
   *
   * @param overlap how long requests are signed with the former secret too
   */
  public PoolStatus rotateKey(String name, Duration overlap) {
    RotateKeyRequest request =
        RotateKeyRequest.newBuilder().setName(name).setOverlap(ProtoTime.of(overlap)).build();
    return status(client.call(Pool.class, request, false));
  }

  /**
   * Registers the endpoint of this worker. Repeat the call before the lease ends.
   *
   * @param url such as {@code http://10.0.0.1:8080/jobs}
   * @param lease null for the default of the node
   */
  public void register(String pool, String url, @Nullable Duration lease) {
    RegisterEndpointRequest.Builder request =
        RegisterEndpointRequest.newBuilder().setPool(pool).setUrl(url);
    ifGiven(lease, length -> request.setLease(ProtoTime.of(length)));
    client.call(RegisterEndpointResponse.class, request.build());
  }

  /** Unregisters the endpoint of this worker. */
  public void unregister(String pool, String url) {
    client.call(
        UnregisterEndpointResponse.class,
        UnregisterEndpointRequest.newBuilder().setPool(pool).setUrl(url).build());
  }

  /**
   * Reports that an attempt which went on after the answer 202 succeeded. Throws {@link
   * TaskConflictException} when the token is stale. When the answer to the first attempt of this
   * call was lost, the token may be stale because the first attempt succeeded.
   */
  public void complete(String token) {
    complete(token, "");
  }

  /**
   * Reports that an attempt which went on after the answer 202 succeeded.
   *
   * @param result result to store with the task; the first 2,000 characters are kept
   */
  public void complete(String token, String result) {
    client.call(
        CompleteExecutionResponse.class,
        CompleteExecutionRequest.newBuilder().setToken(token).setResult(result).build());
  }

  /**
   * Reports that an attempt which went on after the answer 202 failed and is to be retried.
   *
   * @param retryAfter wait before the next attempt; null for that of the retry policy
   */
  public void fail(String token, String error, @Nullable Duration retryAfter) {
    FailExecutionRequest.Builder request =
        FailExecutionRequest.newBuilder().setToken(token).setError(error);
    ifGiven(retryAfter, wait -> request.setRetryAfter(ProtoTime.of(wait)));
    client.call(FailExecutionResponse.class, request.build());
  }

  /**
   * Reports that an attempt which went on after the answer 202 failed, and that a retry will not
   * help.
   */
  public void failForGood(String token, String error) {
    client.call(
        FailExecutionResponse.class,
        FailExecutionRequest.newBuilder().setToken(token).setError(error).setFatal(true).build());
  }

  /**
   * Puts the task of an attempt off that went on after the answer 202, without a failure; the
   * attempt does not count.
   *
   * @param delay time until the task is due again, at most 365 days
   */
  public void snooze(String token, Duration delay) {
    client.call(
        SnoozeExecutionResponse.class,
        SnoozeExecutionRequest.newBuilder().setToken(token).setDelay(ProtoTime.of(delay)).build());
  }

  /**
   * Extends the lease of an attempt that goes on after the answer 202.
   *
   * @param lease new lease, from now
   * @return true when a cancel of the task was requested
   */
  public boolean heartbeat(String token, Duration lease) {
    HeartbeatExecutionRequest request =
        HeartbeatExecutionRequest.newBuilder()
            .setToken(token)
            .setLease(ProtoTime.of(lease))
            .build();
    return client.call(HeartbeatExecutionResponse.class, request).getCancelRequested();
  }

  private static PoolStatus status(Pool pool) {
    return new PoolStatus(
        pool.getName(),
        pool.getListed().getUrlsList(),
        pool.hasResolved() ? pool.getResolved() : null,
        routing(pool.getRouting()),
        pool.getHealthPath().isEmpty() ? null : pool.getHealthPath(),
        ProtoTime.of(pool.getRequestTimeout()),
        ProtoTime.of(pool.getCompletionTimeout()),
        pool.getAnswersLater(),
        pool.getMaxInFlight(),
        pool.getTls().isEmpty() ? null : pool.getTls(),
        pool.getKeysList().stream()
            .map(Pool.SigningKey::getSecret)
            .filter(secret -> !secret.isEmpty())
            .toList(),
        pool.getEndpointStatusesList().stream()
            .map(one ->
                new PoolStatus.Endpoint(one.getEndpoint(), one.getEjected(), one.getExcluded()))
            .toList());
  }

  /** Unknown values, of a node that is newer than this client, are shown as the default. */
  private static PoolDefinition.Routing routing(Pool.Routing routing) {
    return TaskProtos.named(routing, PoolDefinition.Routing.LEAST_LOADED);
  }
}
