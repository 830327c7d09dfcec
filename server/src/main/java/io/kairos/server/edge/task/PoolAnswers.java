package io.kairos.server.edge.task;

import com.google.protobuf.Timestamp;
import io.kairos.api.push.SigningSecret;
import io.kairos.api.v1.Pool;
import io.kairos.api.v1.PoolTarget;
import io.kairos.api.v1.Task;
import io.kairos.domain.delay.Header;
import io.kairos.domain.pool.EndpointUrl;
import io.kairos.domain.pool.Pool.Endpoints;
import io.kairos.domain.pool.PushRequest;
import io.kairos.domain.task.PoolName;
import io.kairos.engine.pool.port.StoredPool;
import io.kairos.engine.pool.port.StoredPool.SigningKey;
import io.kairos.server.push.Sight;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What is told of pools, in the words of the wire. */
public final class PoolAnswers {
  private PoolAnswers() {}

  /**
   * A pool.
   *
   * @param endpoints as this node sees them
   * @param withSecrets for those who may set up pools
   */
  static Pool pool(StoredPool stored, List<Sight> endpoints, boolean withSecrets) {
    io.kairos.domain.pool.Pool pool = stored.pool();
    Pool.Builder answer =
        Pool.newBuilder()
            .setName(pool.name().value())
            .setRouting(routing(pool.routing()))
            .setEjection(
                Pool.Ejection.newBuilder()
                    .setFailures(pool.ejection().failures())
                    .setPause(TaskAnswers.duration(pool.ejection().pause()))
                    .setRampUp(TaskAnswers.duration(pool.ejection().rampUp())))
            .setRequestTimeout(TaskAnswers.duration(pool.requestTimeout()))
            .setCompletionTimeout(TaskAnswers.duration(pool.completionTimeout()))
            .setAnswersLater(pool.answersLater())
            .setMaxInFlight(pool.maxInFlight());
    if (pool.healthPath() != null) {
      answer.setHealthPath(pool.healthPath());
    }
    switch (pool.endpoints()) {
      case Endpoints.Listed(List<EndpointUrl> urls) ->
          answer.setListed(
              Pool.EndpointList.newBuilder()
                  .addAllUrls(urls.stream().map(EndpointUrl::toString).toList()));
      case Endpoints.Resolved(EndpointUrl url) -> answer.setResolved(url.toString());
      case Endpoints.Registered() ->
          answer.setRegistered(Pool.RegisteredEndpoints.getDefaultInstance());
    }
    stored.keys().forEach(key -> answer.addKeys(key(key, withSecrets)));
    for (Sight one : endpoints) {
      answer.addStatus(
          Pool.EndpointStatus.newBuilder()
              .setEndpoint(one.endpoint())
              .setEjected(one.ejected())
              .setExcluded(one.excluded()));
    }
    return answer.build();
  }

  /** Puts what a task of a pool sends into its answer: target and body, or else the payload. */
  static void request(Task.Builder task, PoolName pool, byte[] payload) {
    PushRequest request;
    try {
      request = PushRequest.decode(payload);
    } catch (IllegalArgumentException _) {
      task.setPayload(Payloads.out(payload));
      return;
    }
    task.setPool(target(pool.value(), request)).setPayload(Payloads.out(request.body()));
  }

  /** Where a request to a pool of this name goes, and what it carries beside its body. */
  public static PoolTarget target(String pool, PushRequest request) {
    PoolTarget.Builder target =
        PoolTarget.newBuilder().setName(pool).setMethod(request.method()).setPath(request.path());
    for (Header header : request.headers()) {
      byte[] value = header.value();
      target.addHeaders(
          PoolTarget.Header.newBuilder()
              .setName(header.name())
              .setValue(value == null ? "" : new String(value, StandardCharsets.US_ASCII)));
    }
    return target.build();
  }

  private static Pool.SigningKey key(SigningKey key, boolean withSecret) {
    Pool.SigningKey.Builder answer =
        Pool.SigningKey.newBuilder().setCreatedAt(TaskAnswers.timestamp(key.createdMicros()));
    if (withSecret) {
      answer.setSecret(SigningSecret.ofBytes(key.secret()).text());
    }
    if (key.retiresMicros() != Long.MAX_VALUE) {
      Timestamp retires = TaskAnswers.timestamp(key.retiresMicros());
      answer.setRetiresAt(retires);
    }
    return answer.build();
  }

  private static Pool.Routing routing(io.kairos.domain.pool.Routing routing) {
    return switch (routing) {
      case RANDOM -> Pool.Routing.RANDOM;
      case LEAST_LOADED -> Pool.Routing.LEAST_LOADED;
      case FASTEST -> Pool.Routing.FASTEST;
      case STICKY -> Pool.Routing.STICKY;
    };
  }
}
