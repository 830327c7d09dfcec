package io.kairos.server.wiring.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.kairos.contracts.certificate.TestCertificate;
import io.kairos.edge.HttpEdge;
import io.kairos.edge.ProcessView;
import io.kairos.edge.access.HttpConfig;
import io.kairos.edge.tls.TlsConfig;
import io.kairos.embedded.LoopbackPort;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What a supervisor of a container hears. */
class HealthCommandTest {
  @TempDir private Path folder;

  private record Said(int code, String text) {}

  @Test
  void a_node_that_lives_and_is_not_ready_is_healthy_and_not_ready() throws IOException {
    HttpServer node = node(503);
    try {
      String port = "--port=" + node.getAddress().getPort();

      assertThat(health(port).code()).isZero();
      Said ready = health(port, "--ready");
      assertThat(ready.code()).isEqualTo(1);
      assertThat(ready.text()).contains("/readyz answers 503: the store is away");
    } finally {
      node.stop(0);
    }
  }

  @Test
  void a_node_that_listens_on_all_addresses_is_asked_on_this_machine() throws IOException {
    HttpServer node = node(200);
    try {
      assertThat(
              health(
                      "--set=http.host=0.0.0.0",
                      "--set=http.callers.a.token-sha256=" + "0".repeat(64),
                      "--set=http.callers.a.roles=read",
                      "--ready",
                      "--port=" + node.getAddress().getPort())
                  .code())
          .isZero();
    } finally {
      node.stop(0);
    }
  }

  @Test
  void a_node_with_tls_is_asked_by_tls_also_where_clients_need_a_certificate() {
    TestCertificate ca = TestCertificate.authority("CA");
    TestCertificate own = ca.sign("node", "dns:node.example");
    Path authorities = ca.writeCertificate(folder.resolve("ca.crt"));
    TlsConfig tls =
        new TlsConfig(
            own.writeCertificate(folder.resolve("tls.crt")),
            own.writeKey(folder.resolve("tls.key")),
            Optional.of(authorities),
            Optional.empty());
    ProcessView view =
        new ProcessView() {
          @Override
          public String greeting() {
            return "";
          }

          @Override
          public List<String> obstacles() {
            return List.of();
          }
        };
    try (HttpEdge edge =
        HttpEdge.start(
            HttpConfig.local(0).with(tls),
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
            view,
            List.of())) {
      String[] words = {
        "--ready",
        "--port=" + edge.port(),
        "--set=http.tls.certificate=" + tls.certificate(),
        "--set=http.tls.key=" + tls.key(),
        "--set=http.tls.client-ca=" + authorities
      };
      Said said = health(words);
      // The first handshake of a process on a busy machine may take longer than the command waits.
      for (int again = 0; again < 5 && said.code() != 0; again++) {
        said = health(words);
      }

      assertThat(said.text()).contains("https://127.0.0.1:").contains("/readyz answers 200");
      assertThat(said.code()).isZero();
    }
  }

  @Test
  void without_a_node_it_is_said_who_was_asked() {
    int port = LoopbackPort.choose();

    Said nobody = health("--port=" + port);

    assertThat(nobody.code()).isEqualTo(1);
    assertThat(nobody.text()).contains("http://127.0.0.1:" + port + "/healthz does not answer");
  }

  @Test
  void a_replica_is_known_by_its_settings_and_asked_at_its_own_port() throws IOException {
    Path config = Files.writeString(folder.resolve("replica.yaml"), "replica.cluster: a\n");

    // One address in 127.0.0.0/8 is this test's alone.
    assertThat(health("--config=" + config, "--set=http.host=127.3.7.171").text())
        .contains("http://127.3.7.171:7171/healthz");
    assertThat(health("--set=http.host=127.3.7.171").text())
        .contains("http://127.3.7.171:7070/healthz");
  }

  @Test
  void settings_of_a_replica_that_cannot_be_used_are_named() {
    assertThat(health("--set=replica.id=0", "--port=many").text()).contains("http.port");
  }

  @Test
  void settings_that_cannot_be_used_are_named() {
    Said refused = health("--port=many");

    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.text()).contains("http.port");
  }

  private static HttpServer node(int ready) throws IOException {
    HttpServer node =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    answer(node, "/healthz", 200, "ok");
    answer(node, "/readyz", ready, "the store is away");
    node.start();
    return node;
  }

  private static void answer(HttpServer node, String path, int status, String text) {
    node.createContext(
        path,
        call -> {
          byte[] body = text.getBytes(UTF_8);
          call.sendResponseHeaders(status, body.length);
          call.getResponseBody().write(body);
          call.close();
        });
  }

  private static Said health(String... options) {
    StringWriter said = new StringWriter();
    CommandLine line = Main.commandLine();
    line.setOut(new PrintWriter(said)).setErr(new PrintWriter(said, true));
    String[] words = new String[options.length + 1];
    words[0] = "health";
    System.arraycopy(options, 0, words, 1, options.length);
    return new Said(line.execute(words), said.toString());
  }
}
