package io.kairos.server.effect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc.HealthBlockingStub;
import io.kairos.api.tls.CertificateFiles;
import io.kairos.contracts.certificate.TestCertificate;
import io.kairos.edge.HttpEdge;
import io.kairos.edge.ProcessView;
import io.kairos.edge.access.HttpConfig;
import io.kairos.edge.tls.TlsConfig;
import io.kairos.engine.loop.Step;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A replica calls an edge that asks for the certificate of a client. */
@Timeout(60)
class EdgeClientsTest {
  private static final TestCertificate CA = TestCertificate.authority("CA");
  private static final TestCertificate OTHER = TestCertificate.authority("other");

  @TempDir Path folder;
  private HttpEdge edge;

  @BeforeEach
  void start() {
    TlsConfig own = pair(CA.sign("node", "dns:localhost"), "node");
    TlsConfig tls =
        new TlsConfig(
            own.certificate(),
            own.key(),
            Optional.of(CA.writeCertificate(folder.resolve("client-ca.crt"))),
            Optional.empty());
    edge =
        HttpEdge.start(
            HttpConfig.local(0).with(tls),
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
            new View(),
            List.of());
  }

  private static final class View implements ProcessView {
    @Override
    public String greeting() {
      return "";
    }

    @Override
    public List<String> obstacles() {
      return List.of();
    }
  }

  @AfterEach
  void close() {
    edge.close();
  }

  private TlsConfig pair(TestCertificate made, String name) {
    return TlsConfig.of(
        made.writeCertificate(folder.resolve(name + ".crt")),
        made.writeKey(folder.resolve(name + ".key")));
  }

  private EdgeClients clients(TestCertificate own, TestCertificate trusted) {
    Path ca = trusted.writeCertificate(folder.resolve("node-ca.crt"));
    return EdgeClients.of(
        new CertificateFiles(
            pair(own, "replica").files().own(),
            Optional.of(new CertificateFiles.PemFile("replica.node-ca", ca))),
        InstantSource.system());
  }

  private ServingStatus call(EdgeClients clients) {
    URI url = URI.create("https://localhost:" + edge.port());
    return clients
        .stub(
            new EdgeAccess(url, Optional.empty()), HealthBlockingStub.class, Duration.ofSeconds(10))
        .check(HealthCheckRequest.getDefaultInstance())
        .getStatus();
  }

  @Test
  void it_trusts_the_ca_of_nodes_and_shows_its_certificate() {
    try (EdgeClients clients = clients(CA.sign("replica"), CA)) {
      assertThat(call(clients)).isEqualTo(ServingStatus.SERVING);
    }
  }

  @Test
  void a_node_of_another_ca_is_not_called() {
    try (EdgeClients clients = clients(CA.sign("replica"), OTHER)) {
      assertThatThrownBy(() -> call(clients)).isInstanceOf(StatusRuntimeException.class);
    }
  }

  @Test
  void changed_files_are_used_by_the_next_connection() {
    try (EdgeClients clients = clients(OTHER.sign("replica"), CA)) {
      assertThatThrownBy(() -> call(clients)).isInstanceOf(StatusRuntimeException.class);
      pair(CA.sign("replica"), "replica");

      Step looks = clients.certificateStep().orElseThrow();
      looks.runOnce();
      looks.runOnce(); // two looks have to find the same

      assertThat(call(clients)).isEqualTo(ServingStatus.SERVING);
    }
  }
}
