package io.kairos.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.client.KairosClient;
import io.kairos.client.TaskOutcome;
import io.kairos.client.TaskRequest;
import io.kairos.client.TaskType;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.task.TaskId;
import io.kairos.client.worker.Worker;
import io.kairos.embedded.EmbeddedPostgres;
import io.kairos.inprocess.Kairos;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** A server and two applications with Kairos inside, on one schema. */
class InProcessEndToEndTest {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final TaskType<String> SHARED = TaskType.of("shared", PayloadCodec.utf8());
  private static final TaskType<String> ONE = TaskType.of("one", PayloadCodec.utf8());

  private static final String database = EmbeddedPostgres.shared().newDatabase();

  @AutoClose
  private static final RunningNode node =
      Configured.ready(RunningNode.start(Configured.withoutBroker(database)));

  @AutoClose
  private static final KairosClient server = KairosClient.connect(Configured.address(node));

  private final Set<String> running = ConcurrentHashMap.newKeySet();
  private final Set<String> performed = ConcurrentHashMap.newKeySet();
  private final ConcurrentLinkedQueue<String> twice = new ConcurrentLinkedQueue<>();

  private static PGSimpleDataSource source() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(database);
    source.setUser(EmbeddedPostgres.shared().user());
    source.setPassword(EmbeddedPostgres.shared().password());
    return source;
  }

  private void perform(String task) {
    if (!running.add(task) || !performed.add(task)) {
      twice.add(task);
    }
    running.remove(task);
  }

  private Kairos.Builder application() {
    return Kairos.inProcess(source()).schema("public").handle(SHARED, (task, _) -> perform(task));
  }

  @Test
  void tasks_of_all_are_performed_by_any_of_them_and_once() {
    try (Kairos first = application().start();
        Kairos second = application().start();
        Worker worker = Worker.connect(Configured.address(node))) {
      worker.handle(SHARED, (task, _) -> perform(task)).start();
      List<TaskId> ids = new ArrayList<>();
      List<KairosClient> clients = List.of(server, first.client(), second.client());
      for (int i = 0; i < 30; i++) {
        List<TaskRequest> batch = new ArrayList<>();
        for (int j = 0; j < 20; j++) {
          batch.add(SHARED.task(i + "-" + j).build());
        }
        ids.addAll(clients.get(i % clients.size()).schedule(batch));
      }

      for (TaskId id : ids) {
        assertThat(server.await(id, SOON)).isInstanceOf(TaskOutcome.Succeeded.class);
      }
      assertThat(performed).hasSize(600);
      assertThat(twice).isEmpty();
    }
  }

  @Test
  void a_task_goes_to_where_its_handler_is() {
    try (Kairos first = application().handle(ONE, (task, _) -> perform(task)).start();
        Kairos second = application().handledElsewhere("one").start()) {
      for (KairosClient client : List.of(server, second.client(), first.client())) {
        long began = System.nanoTime();

        TaskId id = client.schedule(ONE.task("x" + began).build());

        assertThat(client.await(id, SOON)).isInstanceOf(TaskOutcome.Succeeded.class);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(10));
      }
      assertThat(twice).isEmpty();
    }
  }
}
