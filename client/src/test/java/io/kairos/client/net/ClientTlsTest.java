package io.kairos.client.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsServerCredentials;
import io.kairos.api.tls.CertificateFiles;
import io.kairos.api.tls.TlsMaterial;
import io.kairos.api.tls.TlsWatch;
import io.kairos.api.v1.GetTaskRequest;
import io.kairos.api.v1.TaskServiceGrpc;
import io.kairos.client.KairosClient;
import io.kairos.client.error.NodesUnavailableException;
import io.kairos.client.error.UnknownMethodException;
import io.kairos.client.task.TaskId;
import io.kairos.client.time.ActionTimer;
import io.kairos.client.time.ClientTime;
import io.kairos.client.time.ManualTime;
import io.kairos.contracts.certificate.TestCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Against a server without services: whoever reaches it is told that it has no such method. */
@Timeout(60)
class ClientTlsTest {
  private static final TestCertificate CA = TestCertificate.authority("CA");
  private static final TestCertificate OTHER = TestCertificate.authority("other");
  private static final TestCertificate CLIENT = CA.sign("client");

  @TempDir Path folder;
  private Path authorities;
  private Path certificate;
  private Path key;
  private Server server;

  @BeforeEach
  void start() throws IOException {
    authorities = CA.writeCertificate(folder.resolve("ca.crt"));
    certificate = CLIENT.writeCertificate(folder.resolve("client.crt"));
    key = CLIENT.writeKey(folder.resolve("client.key"));
    TestCertificate own = CA.sign("server", "dns:localhost");
    server =
        Grpc.newServerBuilderForPort(
                0,
                TlsServerCredentials.newBuilder()
                    .keyManager(
                        own.writeCertificate(folder.resolve("server.crt")).toFile(),
                        own.writeKey(folder.resolve("server.key")).toFile())
                    .trustManager(authorities.toFile())
                    .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE)
                    .build())
            .build()
            .start();
  }

  @AfterEach
  void close() {
    server.shutdownNow();
  }

  private KairosClient.Builder client(String host) {
    return KairosClient.builder("https://" + host + ":" + server.getPort())
        .trustedCertificates(authorities)
        .clientCertificate(certificate, key);
  }

  private static void call(KairosClient.Builder builder) {
    try (KairosClient client = builder.attempts(1).build()) {
      client.get(new TaskId(new UUID(0, 1)));
    }
  }

  @Test
  void a_client_that_trusts_the_node_and_is_trusted_reaches_it() {
    assertThatThrownBy(() -> call(client("localhost"))).isInstanceOf(UnknownMethodException.class);
  }

  @Test
  void a_node_of_another_ca_or_name_is_not_called() {
    assertThatThrownBy(() -> call(client("127.0.0.1")))
        .isInstanceOf(NodesUnavailableException.class);
    OTHER.writeCertificate(authorities);
    assertThatThrownBy(() -> call(client("localhost")))
        .isInstanceOf(NodesUnavailableException.class);
  }

  @Test
  void plain_text_and_tls_are_never_mixed() {
    assertThatThrownBy(() -> KairosClient.builder("https://a:1", "b:1"))
        .hasMessageContaining("all begin with https://");
    assertThatThrownBy(
            () -> call(KairosClient.builder("localhost:1").trustedCertificates(authorities)))
        .hasMessageContaining("begin with https://");
  }

  @Test
  void a_file_that_cannot_be_used_is_named() throws IOException {
    Files.delete(key);

    assertThatThrownBy(() -> call(client("localhost")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(key.toString());
  }

  private Status.Code connect(ClientTls tls) {
    ManagedChannel channel =
        Grpc.newChannelBuilder("localhost:" + server.getPort(), tls.credentials()).build();
    try {
      TaskServiceGrpc.newBlockingStub(channel).getTask(GetTaskRequest.getDefaultInstance());
      return Status.Code.OK;
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode();
    } finally {
      channel.shutdownNow();
    }
  }

  @Test
  void new_connections_use_changed_files() {
    OTHER.writeCertificate(authorities);
    TestCertificate stranger = OTHER.sign("client");
    stranger.writeCertificate(certificate);
    stranger.writeKey(key);
    try (ClientTls tls = ClientTls.of(authorities, certificate, key)) {
      assertThat(connect(tls)).isEqualTo(Status.Code.UNAVAILABLE);

      CA.writeCertificate(authorities);
      tls.look();
      tls.look();
      assertThat(connect(tls)).isEqualTo(Status.Code.UNAVAILABLE);

      CLIENT.writeCertificate(certificate);
      CLIENT.writeKey(key);
      tls.look();
      tls.look();
      assertThat(connect(tls)).isEqualTo(Status.Code.UNIMPLEMENTED);
    }
  }

  /** A clock that a test makes fail, as the file system may. */
  private static final class FailingTime implements ClientTime {
    private final ManualTime inner = new ManualTime();
    private boolean fails;

    @Override
    public Instant now() {
      if (fails) {
        throw new IllegalStateException("of the test");
      }
      return inner.now();
    }

    @Override
    public long nanos() {
      return inner.nanos();
    }

    @Override
    public void sleep(Duration duration) {
      inner.sleep(duration);
    }

    @Override
    public ActionTimer timer(String threadName) {
      return inner.timer(threadName);
    }
  }

  @Test
  void files_are_looked_at_again_after_a_look_that_failed() {
    OTHER.writeCertificate(authorities);
    FailingTime time = new FailingTime();
    try (ClientTls tls = ClientTls.of(authorities, certificate, key, time)) {
      CA.writeCertificate(authorities);
      time.fails = true;
      time.inner.pass(TlsWatch.LOOKS_EVERY);
      time.inner.pass(TlsWatch.LOOKS_EVERY);
      assertThat(connect(tls)).isEqualTo(Status.Code.UNAVAILABLE);

      time.fails = false;
      time.inner.pass(TlsWatch.LOOKS_EVERY);
      assertThat(connect(tls)).isEqualTo(Status.Code.UNIMPLEMENTED);
    }
  }

  private TlsWatch watch(Consumer<TlsMaterial> replaced) {
    TlsWatch watch =
        new TlsWatch(
            new CertificateFiles(
                Optional.empty(),
                Optional.of(new CertificateFiles.PemFile("trusted certificates", authorities))),
            new ManualTime()::now,
            new TlsWatch.Listener() {
              @Override
              public void replaced(TlsMaterial by) {
                replaced.accept(by);
              }

              @Override
              public void refused(IllegalArgumentException why) {
                throw why;
              }
            });
    watch.open();
    return watch;
  }

  /** Or whoever it tells would judge by what is in use no more. */
  @Test
  void changed_files_are_in_use_when_a_listener_is_told() {
    AtomicReference<TlsWatch> watch = new AtomicReference<>();
    List<TlsMaterial> inUse = new ArrayList<>();
    watch.set(watch(by -> inUse.add(watch.get().inUse())));
    OTHER.writeCertificate(authorities);
    watch.get().look();
    watch.get().look();

    assertThat(inUse)
        .singleElement()
        .satisfies(now -> assertThat(now.trusted()).containsExactly(OTHER.certificate()));
  }

  @Test
  void changed_files_that_a_listener_could_not_use_are_given_to_it_again() {
    List<TlsMaterial> given = new ArrayList<>();
    TlsWatch watch =
        watch(by -> {
          given.add(by);
          if (given.size() == 1) {
            throw new IllegalStateException("of the test");
          }
        });
    OTHER.writeCertificate(authorities);
    watch.look();

    assertThatThrownBy(watch::look).hasMessage("of the test");
    assertThat(watch.inUse().trusted()).containsExactly(CA.certificate());
    watch.look();
    watch.look();

    assertThat(given).hasSize(2);
    assertThat(watch.inUse().trusted()).containsExactly(OTHER.certificate());
  }

  @Test
  void files_that_cannot_be_used_leave_the_old_ones() throws IOException {
    try (ClientTls tls = ClientTls.of(authorities, certificate, key)) {
      Files.writeString(key, "garbage");
      Files.writeString(authorities, "");
      tls.look();
      tls.look();

      assertThat(connect(tls)).isEqualTo(Status.Code.UNIMPLEMENTED);
    }
  }
}
