package io.kairos.server.effect;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.grpc.GrpcClientBuilder;
import com.linecorp.armeria.client.grpc.GrpcClients;
import io.kairos.api.tls.CertificateFiles;
import io.kairos.api.tls.UnusableTlsException;
import io.kairos.edge.tls.WatchedTls;
import io.kairos.engine.loop.Step;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes clients of HTTP edges, which have one TLS. Thread-safe. */
public final class EdgeClients implements AutoCloseable {
  private final @Nullable WatchedTls tls;
  private final ClientFactory factory;

  private EdgeClients(@Nullable WatchedTls tls) {
    this.tls = tls;
    this.factory =
        tls == null ? ClientFactory.ofDefault() : ClientFactory.builder().tlsProvider(tls).build();
  }

  /** Trusts the CA certificates of the JVM, and shows no certificate. */
  public static EdgeClients plain() {
    return new EdgeClients(null);
  }

  /**
   * Reads the files.
   *
   * @param files the certificate to show and the CA certificates to trust
   * @throws UnusableTlsException when a file cannot be used
   */
  public static EdgeClients of(CertificateFiles files, InstantSource clock) {
    return files.own().isEmpty() && files.trusted().isEmpty()
        ? plain()
        : new EdgeClients(new WatchedTls("node-certificates", files, clock, () -> {}));
  }

  /** The step that replaces certificates when their files change; empty without files. */
  public Optional<Step> certificateStep() {
    return Optional.ofNullable(tls);
  }

  /** A client of a service at an edge; connects at the first call. */
  public <T> T stub(EdgeAccess access, Class<T> service, Duration answerWithin) {
    GrpcClientBuilder builder =
        GrpcClients.builder("gproto+" + access.url())
            .factory(factory)
            .responseTimeout(answerWithin);
    access.token().ifPresent(each -> builder.setHeader("authorization", "Bearer " + each));
    return builder.build(service);
  }

  /** Closes the connections; the default factory of Armeria stays open. */
  @Override
  public void close() {
    if (tls != null) {
      factory.close();
    }
  }
}
