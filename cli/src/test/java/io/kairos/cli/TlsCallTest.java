package io.kairos.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Grpc;
import io.grpc.Server;
import io.grpc.TlsServerCredentials;
import io.grpc.stub.StreamObserver;
import io.kairos.api.v1.ListTasksRequest;
import io.kairos.api.v1.ListTasksResponse;
import io.kairos.api.v1.TaskServiceGrpc;
import io.kairos.cli.ScriptedNode.Said;
import io.kairos.contracts.certificate.TestCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class TlsCallTest {
  private static final TestCertificate CA = TestCertificate.authority("CA");

  @TempDir Path folder;
  private Path ca;
  private Path certificate;
  private Path key;
  private Server server;

  @BeforeEach
  void start() throws IOException {
    TestCertificate own = CA.sign("server", "dns:localhost");
    TestCertificate client = CA.sign("client");
    ca = CA.writeCertificate(folder.resolve("ca.crt"));
    certificate = client.writeCertificate(folder.resolve("client.crt"));
    key = client.writeKey(folder.resolve("client.key"));
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    server =
        Grpc.newServerBuilderForPort(
                0,
                TlsServerCredentials.newBuilder()
                    .keyManager(
                        own.writeCertificate(folder.resolve("server.crt")).toFile(),
                        own.writeKey(folder.resolve("server.key")).toFile())
                    .trustManager(ca.toFile())
                    .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE)
                    .build())
            .addService(new NoTasks())
            .build()
            .start();
  }

  private static final class NoTasks extends TaskServiceGrpc.TaskServiceImplBase {
    @Override
    public void listTasks(ListTasksRequest request, StreamObserver<ListTasksResponse> answer) {
      answer.onNext(ListTasksResponse.getDefaultInstance());
      answer.onCompleted();
    }
  }

  @AfterEach
  void close() {
    server.shutdownNow();
  }

  private Said kairos(String line) {
    return ScriptedNode.run(
        Map.of("XDG_CONFIG_HOME", folder.toString()),
        ScriptedTerminal.none(),
        ScriptedNode.words(line));
  }

  private String address() {
    return "--address=https://localhost:" + server.getPort();
  }

  private String files() {
    return " --ca-file=%s --certificate-file=%s --key-file=%s".formatted(ca, certificate, key);
  }

  @Test
  void a_call_shows_the_certificate_of_the_command_line() {
    Said trusted = kairos("task list " + address() + files());
    assertThat(trusted.err()).isEmpty();
    assertThat(trusted.code()).isZero();

    assertThat(kairos("task list " + address() + " --ca-file=" + ca).code()).isNotZero();
  }

  @Test
  void a_context_keeps_the_files_for_its_addresses() {
    assertThat(kairos("context add prod " + address() + files()).code()).isZero();

    assertThat(kairos("--context prod task list").code()).isZero();
    assertThat(kairos("--context prod context show").out())
        .contains("ca-file", ca.toString(), "certificate-file", "key-file", key.toString());
    // As with tokens: other addresses get no certificate of the context.
    assertThat(kairos("--context prod task list " + address()).code()).isNotZero();
  }

  @Test
  void half_a_pair_and_a_key_that_others_can_read_are_refused() throws IOException {
    assertThat(kairos("task list " + address() + " --certificate-file=" + certificate).err())
        .contains("--key-file");
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(kairos("task list " + address() + files()).err()).contains("chmod 600");
  }

  @Test
  void certificates_without_https_are_refused() {
    assertThat(kairos("task list --address=localhost:1 --ca-file=" + ca).err())
        .contains("https://");
  }
}
