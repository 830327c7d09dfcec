package io.kairos.client.net;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.TlsServerCredentials;
import io.grpc.stub.StreamObserver;
import io.kairos.api.v1.GetTaskRequest;
import io.kairos.api.v1.Task;
import io.kairos.api.v1.TaskServiceGrpc;
import io.kairos.contracts.certificate.TestCertificate;
import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Against a server that remembers the certificate of each call, and answers when it is told to. */
@Timeout(60)
class RenewedCertificateTest {
  private static final TestCertificate CA = TestCertificate.authority("CA");
  private static final TestCertificate FORMER = CA.sign("client");
  private static final TestCertificate RENEWED = CA.sign("client");
  private static final Task ANSWER = Task.newBuilder().setHandler("resize").build();

  @TempDir Path folder;
  private final List<Certificate> shown = new CopyOnWriteArrayList<>();
  private final BlockingQueue<StreamObserver<Task>> unanswered = new LinkedBlockingQueue<>();
  private Server server;

  private final class Tasks extends TaskServiceGrpc.TaskServiceImplBase {
    @Override
    public void getTask(GetTaskRequest request, StreamObserver<Task> answer) {
      unanswered.add(answer);
    }
  }

  private final class Certificates implements ServerInterceptor {
    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
      try {
        shown.add(
            requireNonNull(call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION))
                .getPeerCertificates()[0]);
      } catch (SSLPeerUnverifiedException e) {
        throw new AssertionError(e);
      }
      return next.startCall(call, headers);
    }
  }

  @BeforeEach
  void start() throws IOException {
    TestCertificate own = CA.sign("server", "dns:localhost");
    server =
        Grpc.newServerBuilderForPort(
                0,
                TlsServerCredentials.newBuilder()
                    .keyManager(
                        own.writeCertificate(folder.resolve("server.crt")).toFile(),
                        own.writeKey(folder.resolve("server.key")).toFile())
                    .trustManager(CA.writeCertificate(folder.resolve("ca.crt")).toFile())
                    .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE)
                    .build())
            .addService(new Tasks())
            .intercept(new Certificates())
            .build()
            .start();
  }

  @AfterEach
  void close() {
    server.shutdownNow();
  }

  private static Future<Task> call(NodeChannels channels) {
    return TaskServiceGrpc.newFutureStub(channels.to(0))
        .getTask(GetTaskRequest.getDefaultInstance());
  }

  private static void answer(StreamObserver<Task> call) {
    call.onNext(ANSWER);
    call.onCompleted();
  }

  @Test
  void later_calls_show_the_renewed_certificate_and_those_under_way_are_answered()
      throws Exception {
    Path certificate = FORMER.writeCertificate(folder.resolve("client.crt"));
    Path key = FORMER.writeKey(folder.resolve("client.key"));
    ClientTls tls = ClientTls.of(folder.resolve("ca.crt"), certificate, key);
    try (NodeChannels channels =
        new NodeChannels(
            List.of(
                () -> Grpc.newChannelBuilder("localhost:" + server.getPort(), tls.credentials())),
            null,
            tls)) {
      Future<Task> underWay = call(channels);
      StreamObserver<Task> first = unanswered.take();
      RENEWED.writeCertificate(certificate);
      RENEWED.writeKey(key);
      tls.look();
      tls.look();

      Future<Task> later = call(channels);
      answer(unanswered.take());
      answer(first);

      assertThat(later.get()).isEqualTo(ANSWER);
      assertThat(underWay.get()).isEqualTo(ANSWER);
    }
    assertThat(shown).containsExactly(FORMER.certificate(), RENEWED.certificate());
  }
}
