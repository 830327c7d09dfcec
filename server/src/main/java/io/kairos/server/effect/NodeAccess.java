package io.kairos.server.effect;

import com.linecorp.armeria.client.grpc.GrpcClientBuilder;
import com.linecorp.armeria.client.grpc.GrpcClients;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/**
 * Where tasks and messages are asked for, and schedules decided.
 *
 * @param url of a node's HTTP edge, scheme, host and port only
 * @param token for it; empty where none is needed
 */
public record NodeAccess(URI url, Optional<String> token) {
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);

  /** Calls of a service there, which connect when they are first made. */
  <T> T stub(Class<T> service) {
    GrpcClientBuilder builder = GrpcClients.builder("gproto+" + url).responseTimeout(ANSWER_WITHIN);
    token.ifPresent(each -> builder.setHeader("authorization", "Bearer " + each));
    return builder.build(service);
  }

  /** The token stays out of logs. */
  @Override
  public String toString() {
    return url.toString();
  }
}
