package io.kairos.server.effect;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.grpc.GrpcService;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.kairos.api.v1.ScheduleTaskRequest;
import io.kairos.api.v1.ScheduleTaskResponse;
import io.kairos.api.v1.TaskServiceGrpc.TaskServiceImplBase;
import io.kairos.domain.task.AttemptOutcome;
import io.kairos.engine.cron.entry.EntryWork;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeCallsTest {
  private static final byte[] NOTHING = {};

  private static Server node;
  private static NodeCalls calls;
  private static volatile Status.Code answer = Status.Code.UNKNOWN;

  @BeforeAll
  static void start() {
    node =
        Server.builder()
            .http(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .service(GrpcService.builder().addService(new Refusing()).build())
            .build();
    node.start().join();
    URI url = URI.create("http://127.0.0.1:" + node.activeLocalPort());
    calls = new NodeCalls(Optional.of(new EdgeAccess(url, Optional.empty())), EdgeClients.plain());
  }

  @AfterAll
  static void stop() {
    node.stop().join();
  }

  private static final class Refusing extends TaskServiceImplBase {
    @Override
    public void scheduleTask(
        ScheduleTaskRequest request, StreamObserver<ScheduleTaskResponse> caller) {
      caller.onError(answer.toStatus().asRuntimeException());
    }
  }

  /** A node without a broker answers UNIMPLEMENTED, and another one may take the message. */
  @ParameterizedTest
  @CsvSource({
    "INVALID_ARGUMENT, Failed",
    "FAILED_PRECONDITION, Failed",
    "UNIMPLEMENTED, RetryLater",
    "UNAVAILABLE, RetryLater"
  })
  void a_message_is_given_up_when_no_node_would_take_it(Status.Code code, String outcome)
      throws Exception {
    answer = code;
    CompletableFuture<AttemptOutcome> ended = new CompletableFuture<>();

    calls.schedule(
        new EntryWork.PostMessage("orders", NOTHING, NOTHING, Duration.ofMinutes(1)),
        Instant.now(),
        "id",
        ended::complete);

    assertThat(ended.get(30, TimeUnit.SECONDS).getClass().getSimpleName()).isEqualTo(outcome);
  }
}
