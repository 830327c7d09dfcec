package io.kairos.client;

import io.kairos.api.v1.CompleteExecutionRequest;
import io.kairos.api.v1.CreatePoolRequest;
import io.kairos.api.v1.DeletePoolRequest;
import io.kairos.api.v1.FailExecutionRequest;
import io.kairos.api.v1.GetPoolRequest;
import io.kairos.api.v1.HeartbeatExecutionRequest;
import io.kairos.api.v1.ListPoolsRequest;
import io.kairos.api.v1.ListPoolsResponse;
import io.kairos.api.v1.Pool;
import io.kairos.api.v1.PoolServiceGrpc;
import io.kairos.api.v1.RegisterEndpointRequest;
import io.kairos.api.v1.RotateKeyRequest;
import io.kairos.api.v1.UnregisterEndpointRequest;
import io.kairos.api.v1.UpdatePoolRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Pools of HTTP endpoints: operators set them up, workers register with them, and end what goes on
 * after its answer 202. A view of a {@link KairosClient}, with its nodes, token and manners; ends
 * with it. Thread-safe.
 */
public final class PoolClient {
  private final KairosClient client;

  PoolClient(KairosClient client) {
    this.client = client;
  }

  /**
   * Creates a pool; the answer has its secret. Throws {@link TaskConflictException} when there is
   * one of this name. Not repeated when its answer was lost.
   */
  public PoolStatus create(PoolDefinition pool) {
    return status(
        client.call(
            PoolServiceGrpc.getCreatePoolMethod(),
            CreatePoolRequest.newBuilder().setPool(pool.wire()).build(),
            false));
  }

  /** Throws {@link TaskNotFoundException} when there is none of this name, as all others do. */
  public PoolStatus get(String name) {
    return status(
        client.call(
            PoolServiceGrpc.getGetPoolMethod(),
            GetPoolRequest.newBuilder().setName(name).build(),
            true));
  }

  /** All pools, by name. */
  public List<PoolStatus> list() {
    List<PoolStatus> all = new ArrayList<>();
    String page = "";
    do {
      ListPoolsResponse answer =
          client.call(
              PoolServiceGrpc.getListPoolsMethod(),
              ListPoolsRequest.newBuilder().setPageToken(page).build(),
              true);
      answer.getPoolsList().forEach(pool -> all.add(status(pool)));
      page = answer.getNextPageToken();
    } while (!page.isEmpty());
    return all;
  }

  /** Changes what the definition names. */
  public PoolStatus change(PoolDefinition pool) {
    return status(
        client.call(
            PoolServiceGrpc.getUpdatePoolMethod(),
            UpdatePoolRequest.newBuilder().setPool(pool.wire()).setUpdateMask(pool.named()).build(),
            true));
  }

  /** Deletes a pool. Its tasks stay, and wait for one of this name. */
  public void delete(String name) {
    client.call(
        PoolServiceGrpc.getDeletePoolMethod(),
        DeletePoolRequest.newBuilder().setName(name).build(),
        true);
  }

  /**
   * Makes a new secret, which the answer has first.
   *
   * @param overlap for how long the former one signs as well
   */
  public PoolStatus rotateKey(String name, Duration overlap) {
    return status(
        client.call(
            PoolServiceGrpc.getRotateKeyMethod(),
            RotateKeyRequest.newBuilder()
                .setPool(name)
                .setOverlap(Protos.duration(overlap))
                .build(),
            false));
  }

  /**
   * Says where this worker takes requests; to be said again before the lease ends.
   *
   * @param url such as {@code http://10.0.0.1:8080/jobs}
   */
  public void register(String pool, String url, Duration lease) {
    client.call(
        PoolServiceGrpc.getRegisterEndpointMethod(),
        RegisterEndpointRequest.newBuilder()
            .setPool(pool)
            .setUrl(url)
            .setLease(Protos.duration(lease))
            .build(),
        true);
  }

  /** Says that this worker takes no requests any more. */
  public void unregister(String pool, String url) {
    client.call(
        PoolServiceGrpc.getUnregisterEndpointMethod(),
        UnregisterEndpointRequest.newBuilder().setPool(pool).setUrl(url).build(),
        true);
  }

  /**
   * Ends an attempt that went on: it has been done. Throws {@link TaskConflictException} when the
   * token is an old one, after a try whose answer was lost perhaps because it was ended by that.
   */
  public void complete(String token) {
    complete(token, "");
  }

  /**
   * The same.
   *
   * @param result what is to be remembered with the task; its first 2,000 characters are
   */
  public void complete(String token, String result) {
    client.call(
        PoolServiceGrpc.getCompleteExecutionMethod(),
        CompleteExecutionRequest.newBuilder().setToken(token).setResult(result).build(),
        true);
  }

  /**
   * Ends an attempt that went on: it has failed, and is made again.
   *
   * @param retryAfter null for the retry policy's
   */
  public void fail(String token, String error, @Nullable Duration retryAfter) {
    FailExecutionRequest.Builder request =
        FailExecutionRequest.newBuilder().setToken(token).setError(error);
    if (retryAfter != null) {
      request.setRetryAfter(Protos.duration(retryAfter));
    }
    client.call(PoolServiceGrpc.getFailExecutionMethod(), request.build(), true);
  }

  /** Ends an attempt that went on: it has failed, and no other will help. */
  public void failForGood(String token, String error) {
    client.call(
        PoolServiceGrpc.getFailExecutionMethod(),
        FailExecutionRequest.newBuilder().setToken(token).setError(error).setFatal(true).build(),
        true);
  }

  /**
   * Such an attempt goes on for longer, from now.
   *
   * @return whether somebody wants it cancelled
   */
  public boolean heartbeat(String token, Duration lease) {
    return client
        .call(
            PoolServiceGrpc.getHeartbeatExecutionMethod(),
            HeartbeatExecutionRequest.newBuilder()
                .setToken(token)
                .setLease(Protos.duration(lease))
                .build(),
            true)
        .getCancelRequested();
  }

  private static PoolStatus status(Pool pool) {
    return new PoolStatus(
        pool.getName(),
        pool.getListed().getUrlsList(),
        pool.hasResolved() ? pool.getResolved() : null,
        routing(pool.getRouting()),
        pool.getHealthPath().isEmpty() ? null : pool.getHealthPath(),
        Protos.duration(pool.getRequestTimeout()),
        Protos.duration(pool.getCompletionTimeout()),
        pool.getAnswersLater(),
        pool.getMaxInFlight(),
        pool.getKeysList().stream()
            .map(Pool.SigningKey::getSecret)
            .filter(secret -> !secret.isEmpty())
            .toList(),
        pool.getStatusList().stream()
            .map(one ->
                new PoolStatus.Endpoint(one.getEndpoint(), one.getEjected(), one.getExcluded()))
            .toList());
  }

  /** A node that is newer than this client may have others. */
  private static PoolDefinition.Routing routing(Pool.Routing routing) {
    return switch (routing) {
      case RANDOM -> PoolDefinition.Routing.RANDOM;
      case FASTEST -> PoolDefinition.Routing.FASTEST;
      case STICKY -> PoolDefinition.Routing.STICKY;
      case LEAST_LOADED, ROUTING_UNSPECIFIED, UNRECOGNIZED -> PoolDefinition.Routing.LEAST_LOADED;
    };
  }
}
