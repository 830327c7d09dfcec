package io.kairos.edge.task;

import static io.kairos.api.text.GivenValue.ifGiven;

import io.kairos.api.push.SigningSecret;
import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.Pool;
import io.kairos.api.v1.PoolTarget;
import io.kairos.api.v1.Task;
import io.kairos.api.v1.UnreadablePool;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.domain.pool.EndpointUrl;
import io.kairos.domain.pool.Pool.Endpoints;
import io.kairos.domain.pool.PushRequest;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.edge.call.EntityTag;
import io.kairos.edge.call.PayloadBytes;
import io.kairos.edge.refusal.WireEnum;
import io.kairos.engine.cluster.DetailFigures.Endpoint;
import io.kairos.engine.cluster.DetailFigures.EndpointWork;
import io.kairos.engine.pool.EndpointView;
import io.kairos.engine.pool.port.StoredPool;
import io.kairos.engine.pool.port.StoredPool.SigningKey;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Writes pools as API messages. */
public final class PoolAnswers {
  static final WireEnum<io.kairos.domain.pool.EndpointRouting, Pool.Routing> ROUTINGS =
      new WireEnum<>(io.kairos.domain.pool.EndpointRouting.class, Pool.Routing.class);

  private PoolAnswers() {}

  /**
   * Writes a pool.
   *
   * @param endpoints their state as this node sees it
   * @param work what all nodes do with endpoints
   * @param withSecrets true only for callers that may create pools and rotate keys
   */
  static Pool pool(
      StoredPool stored,
      List<EndpointView> endpoints,
      Map<Endpoint, EndpointWork> work,
      boolean withSecrets) {
    Pool.Builder answer = definition(stored.pool());
    answer.setEtag(tag(stored.pool()));
    stored.keys().forEach(key -> answer.addKeys(key(key, withSecrets)));
    for (EndpointView one : endpoints) {
      Pool.EndpointStatus.Builder status =
          answer
              .addEndpointStatusesBuilder()
              .setEndpoint(one.endpoint())
              .setEjected(one.ejected())
              .setExcluded(one.excluded());
      ifGiven(
          work.get(new Endpoint(stored.pool().name(), one.endpoint())),
          known -> status.setWork(work(known)));
    }
    return answer.build();
  }

  private static Pool.EndpointWork work(EndpointWork work) {
    Pool.EndpointWork.Builder answer =
        Pool.EndpointWork.newBuilder()
            .setInFlight(work.inFlight())
            .setEjectingNodes(work.ejecting())
            .setEjections(work.ejections())
            .setAnswers(work.answers().total());
    ifGiven(
        work.answers().percentiles(),
        took -> answer.setP50(ProtoTime.of(took.p50())).setP99(ProtoTime.of(took.p99())));
    return answer.build();
  }

  static String tag(io.kairos.domain.pool.Pool pool) {
    return EntityTag.of(definition(pool).build());
  }

  /** Writes the fields of a pool that operators set. */
  static Pool.Builder definition(io.kairos.domain.pool.Pool pool) {
    Pool.Builder answer =
        Pool.newBuilder()
            .setName(pool.name().value())
            .setRouting(ROUTINGS.write(pool.routing()))
            .setEjection(
                Pool.Ejection.newBuilder()
                    .setFailures(pool.ejection().failures())
                    .setPause(ProtoTime.of(pool.ejection().pause()))
                    .setRampUp(ProtoTime.of(pool.ejection().rampUp())))
            .setRequestTimeout(ProtoTime.of(pool.requestTimeout()))
            .setCompletionTimeout(ProtoTime.of(pool.completionTimeout()))
            .setAnswersLater(pool.answersLater())
            .setMaxInFlight(pool.maxInFlight());
    ifGiven(pool.healthPath(), answer::setHealthPath);
    ifGiven(pool.tls(), answer::setTls);
    switch (pool.endpoints()) {
      case Endpoints.Listed(List<EndpointUrl> urls) ->
          answer.setListed(
              Pool.EndpointList.newBuilder()
                  .addAllUrls(urls.stream().map(EndpointUrl::toString).toList()));
      case Endpoints.Resolved(EndpointUrl url) -> answer.setResolved(url.toString());
      case Endpoints.Registered() ->
          answer.setRegistered(Pool.RegisteredEndpoints.getDefaultInstance());
    }
    return answer;
  }

  static UnreadablePool unreadable(PoolName name, RuntimeException why) {
    return UnreadablePool.newBuilder()
        .setName(name.value())
        .setReason(String.valueOf(why.getMessage()))
        .build();
  }

  /** Sets target and payload of a pool's task; the raw payload when it is not a push request. */
  static void request(Task.Builder task, PoolName pool, byte[] payload) {
    PushRequest request;
    try {
      request = PushRequest.decode(payload);
    } catch (IllegalArgumentException _) {
      task.setPayload(PayloadBytes.out(payload));
      return;
    }
    task.setPool(target(pool.value(), request)).setPayload(PayloadBytes.out(request.body()));
  }

  /**
   * Writes the pool's name and the method, path and headers of a request to it. A header is the
   * routing key only if callers could have given it so.
   */
  public static PoolTarget target(String pool, PushRequest request) {
    PoolTarget.Builder target =
        PoolTarget.newBuilder().setName(pool).setMethod(request.method()).setPath(request.path());
    String routing = request.validRoutingKey();
    if (routing != null) {
      target.setRoutingKey(routing);
    }
    for (MessageHeader header : request.headers()) {
      if (routing != null && PushRequest.isRoutingKey(header)) {
        continue;
      }
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
      answer.setRetiresAt(TaskAnswers.timestamp(key.retiresMicros()));
    }
    return answer.build();
  }
}
