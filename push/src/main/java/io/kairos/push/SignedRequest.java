package io.kairos.push;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.RequestHeadersBuilder;
import io.kairos.api.push.PushHeaders;
import io.kairos.api.push.SigningSecret;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.domain.pool.EndpointUrl;
import io.kairos.domain.pool.PushRequest;
import io.kairos.domain.task.TraceContext;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.edge.ClaimedTask;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP request of an attempt: the task's request, headers about the attempt, and signatures by
 * Standard Webhooks, one for each present key.
 *
 * @param token by which the endpoint can complete the attempt later
 */
record SignedRequest(PoolName pool, ClaimedTask work, PushRequest request, String token) {
  static final String USER_AGENT = "Kairos/1";

  /**
   * The request for an endpoint, signed at {@code now}.
   *
   * @param trace null for none
   */
  HttpRequest to(
      EndpointUrl url, List<SigningSecret> secrets, Instant now, @Nullable TraceContext trace) {
    String id = work.task().id().toString();
    long seconds = now.getEpochSecond();
    byte[] body = request.body();
    RequestHeadersBuilder headers =
        RequestHeaders.builder(HttpMethod.valueOf(request.method()), path(url));
    for (MessageHeader header : request.headers()) {
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
    if (trace != null) {
      headers.set(TraceContext.HEADER, trace.traceparent());
    }
    headers.contentLength(body.length);
    return body.length == 0
        ? HttpRequest.of(headers.build())
        : HttpRequest.of(headers.build(), HttpData.wrap(body));
  }

  /** The endpoint's path followed by the request's; a request for / gets the endpoint's path. */
  private String path(EndpointUrl url) {
    String own = url.path();
    String asked = request.path();
    if (own.isEmpty()) {
      return asked;
    }
    return asked.equals("/") ? own : own + asked;
  }
}
