package io.kairos.server.effect;

import com.linecorp.armeria.client.grpc.GrpcClientBuilder;
import com.linecorp.armeria.client.grpc.GrpcClients;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/**
 * An HTTP edge that is called, of a node or of a replica.
 *
 * @param url scheme, host and port only
 * @param token for it; empty where none is needed
 */
public record EdgeAccess(URI url, Optional<String> token) {
  /** How calls of a service there are made, which connect when they are first made. */
  public <T> T stub(Class<T> service, Duration answerWithin) {
    GrpcClientBuilder builder = GrpcClients.builder("gproto+" + url).responseTimeout(answerWithin);
    token.ifPresent(each -> builder.setHeader("authorization", "Bearer " + each));
    return builder.build(service);
  }

  /** The token stays out of logs. */
  @Override
  public String toString() {
    return url.toString();
  }
}
