package io.kairos.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Timestamp;
import io.grpc.Status;
import io.kairos.api.v1.DrainWorkerRequest;
import io.kairos.api.v1.ListWorkersRequest;
import io.kairos.api.v1.ListWorkersResponse;
import io.kairos.api.v1.Worker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code kairos workers}: what is asked and printed. */
final class WorkersCommandTest {
  private final ScriptedNode node = new ScriptedNode();

  @AfterEach
  void stop() {
    node.close();
  }

  private static Worker.Builder worker(String id) {
    return Worker.newBuilder()
        .setId(id)
        .addHandlers("greet")
        .addHandlers("resize")
        .setRunning(3)
        .setSeenAt(Timestamp.newBuilder().setSeconds(60));
  }

  @Test
  void workers_are_listed_page_by_page() {
    node.answers(
        ListWorkersResponse.newBuilder()
            .addWorkers(
                worker("worker-7")
                    .setHost("db-7")
                    .setVersion("kairos-client 1.2.3")
                    .setSlots(8)
                    .setLapsed(2)
                    .setDraining(true))
            .setNextPageToken("next")
            .build(),
        ListWorkersResponse.newBuilder().addWorkers(worker("other")).build());

    assertThat(node.kairos("workers --limit 5").out().lines())
        .map(line -> line.replaceAll(" {2,}", "|"))
        .containsExactly(
            "WORKER|HOST|VERSION|SLOTS|SEEN|LAPSED|STATE|HANDLERS",
            "worker-7|db-7|kairos-client 1.2.3|3 of 8|1970-01-01T00:01:00Z|2|drained|greet,resize",
            "other|-|-|3 in use|1970-01-01T00:01:00Z|0|-|greet,resize");
    assertThat(node.request(ListWorkersRequest.class).getPageSize()).isEqualTo(5);
    assertThat(node.request(ListWorkersRequest.class).getPageToken()).isEqualTo("next");
  }

  @Test
  void a_worker_is_drained_and_given_tasks_again() {
    node.answers(worker("worker-7").setDraining(true).build(), worker("worker-7").build());

    assertThat(node.kairos("workers drain worker-7").out())
        .isEqualTo("worker-7: is given no more tasks, 3 running");
    assertThat(node.request(DrainWorkerRequest.class).getUndo()).isFalse();
    assertThat(node.kairos("workers drain worker-7 --undo").out())
        .isEqualTo("worker-7: is given tasks again");
    assertThat(node.request(DrainWorkerRequest.class))
        .isEqualTo(DrainWorkerRequest.newBuilder().setWorker("worker-7").setUndo(true).build());
  }

  @Test
  void a_worker_that_nobody_knows_is_refused() {
    node.refuses(Status.NOT_FOUND.withDescription("worker: no worker of this id"));

    assertThat(node.kairos("workers drain nobody").code()).isEqualTo(1);
  }
}
