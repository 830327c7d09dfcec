package io.kairos.server.push;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.RequestHeadersBuilder;
import io.kairos.api.push.PushHeaders;
import io.kairos.api.push.SigningSecret;
import io.kairos.domain.delay.Header;
import io.kairos.domain.pool.EndpointUrl;
import io.kairos.domain.pool.PushRequest;
import io.kairos.domain.task.PoolName;
import io.kairos.domain.task.TraceContext;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.Work;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The HTTP request that an attempt sends: what was asked for, who asks, and the signatures of
 * Standard Webhooks (one for each key that signs now).
 */
final class Letter {
  static final String USER_AGENT = "Kairos/1";

  private final PoolName pool;
  private final Work work;
  private final PushRequest request;
  private final String token;

  /**
   * @param token by which the attempt can be ended later
   */
  Letter(PoolName pool, Work work, PushRequest request, String token) {
    this.pool = pool;
    this.work = work;
    this.request = request;
    this.token = token;
  }

  /** For an endpoint, at an instant. */
  HttpRequest to(EndpointUrl url, List<SigningSecret> secrets, Instant now) {
    String id = work.task().id().toString();
    long seconds = now.getEpochSecond();
    byte[] body = request.body();
    RequestHeadersBuilder headers =
        RequestHeaders.builder(HttpMethod.valueOf(request.method()), path(url));
    for (Header header : request.headers()) {
      byte[] value = header.value();
      if (value != null) {
        headers.add(header.name(), new String(value, StandardCharsets.US_ASCII));
      }
    }
    headers.set("user-agent", USER_AGENT);
    headers.set(PushHeaders.ID, id);
    headers.set(PushHeaders.TIMESTAMP, Long.toString(seconds));
    if (!secrets.isEmpty()) {
      headers.set(
          PushHeaders.SIGNATURE,
          secrets.stream()
              .map(secret -> secret.sign(id, seconds, body))
              .collect(Collectors.joining(" ")));
    }
    headers.set(PushHeaders.EXECUTION_ID, id);
    headers.set(PushHeaders.TASK_ID, id);
    headers.set(PushHeaders.POOL, pool.value());
    headers.set(PushHeaders.ATTEMPT, Integer.toString(work.attempt()));
    headers.set(PushHeaders.FENCE, Long.toString(work.task().fence()));
    headers.set(PushHeaders.TOKEN, token);
    PushRequest.Fire fire = request.fire();
    if (fire != null) {
      headers.set(PushHeaders.SCHEDULE, fire.schedule());
      headers.set(PushHeaders.FIRE_TIME, EpochMicros.toInstant(fire.atMicros()).toString());
    }
    TraceContext trace = work.details().traceContext();
    if (trace != null) {
      headers.set(TraceContext.HEADER, trace.traceparent());
    }
    headers.contentLength(body.length);
    return body.length == 0
        ? HttpRequest.of(headers.build())
        : HttpRequest.of(headers.build(), HttpData.wrap(body));
  }

  /** The endpoint's own path before the request's; a request for / is one for that path. */
  private String path(EndpointUrl url) {
    String own = url.path();
    String asked = request.path();
    if (own.isEmpty()) {
      return asked;
    }
    return asked.equals("/") ? own : own + asked;
  }
}
