package io.kairos.edge.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.kairos.api.v1.GetTaskRequest;
import io.kairos.api.v1.TaskServiceGrpc;
import java.net.http.HttpResponse;
import java.util.Iterator;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What tools and load balancers ask for, beside the calls. */
class DoorsTest {
  @RegisterExtension static final Edge EDGE = new Edge();

  @Test
  void reflection_tells_the_protos() throws Exception {
    ServerReflectionResponse answer =
        Reflection.ask(
            EDGE.channel,
            ServerReflectionRequest.newBuilder()
                .setFileContainingSymbol(TaskServiceGrpc.SERVICE_NAME)
                .build());

    FileDescriptorProto file =
        FileDescriptorProto.parseFrom(answer.getFileDescriptorResponse().getFileDescriptorProto(0));
    assertThat(file.getName()).isEqualTo("kairos/v1/task_service.proto");
  }

  @ParameterizedTest
  @CsvSource({"GET,/v1/nothing,404,NOT_FOUND", "DELETE,/v1/tasks,405,UNIMPLEMENTED"})
  void an_error_before_a_call_has_a_code_of_grpc_too(
      String method, String path, int status, String code) throws Exception {
    HttpResponse<String> answer = EDGE.send(EDGE.json(method, path, ""));

    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(answer.body()).contains("\"code\":\"" + code + "\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "kairos.v1.TaskService", "kairos.v1.WorkerService"})
  void health_is_watched_as_the_node_becomes_ready_and_unready(String service) {
    EDGE.ready = false;
    Iterator<HealthCheckResponse> states =
        HealthGrpc.newBlockingStub(EDGE.channel)
            .watch(HealthCheckRequest.newBuilder().setService(service).build());

    await(states, ServingStatus.NOT_SERVING);
    EDGE.ready = true;
    await(states, ServingStatus.SERVING);
    EDGE.ready = false;
    await(states, ServingStatus.NOT_SERVING);
  }

  @Test
  void da10_a_call_under_way_is_answered_while_the_edge_closes() throws Exception {
    CountDownLatch called = new CountDownLatch(1);
    try (Edge edge = new Edge()) {
      Thread stop =
          new Thread(() -> {
            awaitCall(called);
            edge.stop();
          });
      edge.tasks.whileFinding =
          () -> {
            called.countDown();
            while (stop.getState() != Thread.State.TIMED_WAITING) {
              Thread.onSpinWait(); // until it waits for this very answer
            }
          };
      stop.start();

      StatusRuntimeException answer =
          catchThrowableOfType(
              StatusRuntimeException.class,
              () ->
                  TaskServiceGrpc.newBlockingStub(edge.channel)
                      .getTask(
                          GetTaskRequest.newBuilder()
                              .setId(ScriptedTasks.id(7).toString())
                              .build()));

      assertThat(answer.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND);
      stop.join();
    }
  }

  private static void awaitCall(CountDownLatch called) {
    try {
      called.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void await(Iterator<HealthCheckResponse> states, ServingStatus wanted) {
    while (states.next().getStatus() != wanted) {
      // An earlier state; the next one comes when it changes.
    }
  }
}
