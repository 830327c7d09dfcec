package io.kairos.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.kairos.api.v1.ListTasksRequest;
import io.kairos.api.v1.Task;
import io.kairos.api.v1.TaskServiceGrpc;
import io.kairos.domain.schedule.RuleBounds;
import io.kairos.domain.schedule.RunSpread;
import io.kairos.domain.schedule.definition.CatchUpPolicy;
import io.kairos.domain.schedule.definition.FirePolicies;
import io.kairos.domain.schedule.definition.OverlapPolicy;
import io.kairos.domain.schedule.definition.ScheduleDefinition;
import io.kairos.domain.schedule.definition.ScheduleId;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.schedule.definition.ScheduleRule;
import io.kairos.domain.schedule.definition.ScheduleTarget;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.embedded.EmbeddedPostgres;
import io.kairos.engine.schedule.ScheduleResult;
import io.kairos.engine.schedule.port.LedgerQuery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two nodes on one real Postgres that look for work when they are polled, by REST. */
@Timeout(240)
class PolledNodesEndToEndTest {
  private static final String HANDLER = "polled-report";
  private static final int POLLERS = 4;
  private static final int TIMES = 5;

  private static final String database = EmbeddedPostgres.shared().newDatabase();

  @AutoClose
  private static final RunningNode one = Configured.startedOn(database, "node.loops=external");

  @AutoClose
  private static final RunningNode two = Configured.startedOn(database, "node.loops=external");

  private static ScheduleId everySecond(String name) {
    ScheduleResult created =
        one.schedules()
            .create(
                new ScheduleName(name),
                new ScheduleDefinition(
                    ScheduleRule.of(ScheduleRule.Kind.CRON, "* * * * * *"),
                    RuleBounds.NONE,
                    RunSpread.NONE,
                    new ScheduleTarget.Handler(
                        new QueueName(new HandlerName(HANDLER), QueueName.DEFAULT),
                        TaskDetails.of(new byte[] {7})),
                    FirePolicies.DEFAULT
                        .with(OverlapPolicy.ALLOW_ALL)
                        .with(
                            new CatchUpPolicy(CatchUpPolicy.Mode.ALL, Duration.ofDays(1), 1_000))));
    assertThat(created).isInstanceOf(ScheduleResult.Done.class);
    return ((ScheduleResult.Done) created).schedule().id();
  }

  private static List<LedgerEntry> ledger(ScheduleId id) {
    return one.schedules().fires(LedgerQuery.latest(id, 1_000));
  }

  private static List<String> tasks() {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", two.places().httpPort()).usePlaintext().build();
    try {
      return TaskServiceGrpc.newBlockingStub(channel)
          .listTasks(ListTasksRequest.newBuilder().setHandler(HANDLER).setPageSize(1_000).build())
          .getTasksList()
          .stream()
          .map(Task::getId)
          .toList();
    } finally {
      channel.shutdownNow();
    }
  }

  @Test // PH-F1
  void ph11_ph36_pollers_of_two_nodes_at_once_fire_each_time_once_and_skip_none() throws Exception {
    ScheduleId schedule = everySecond("polled");
    int decided = 0;
    try (Poller poller = new Poller();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> pollers = new ArrayList<>();
      for (int i = 0; i < POLLERS; i++) {
        RunningNode node = i % 2 == 0 ? one : two;
        pollers.add(
            threads.submit(() -> {
              int done = 0;
              while (ledger(schedule).size() < TIMES) {
                done += poller.poll(node, "fire-schedules");
              }
              return done;
            }));
      }
      for (Future<Integer> each : pollers) {
        decided += each.get();
      }
    }

    // Nobody polls any more, so nothing more fires.
    List<LedgerEntry> ledger = ledger(schedule);
    assertThat(decided).isPositive();
    assertThat(ledger).allMatch(LedgerEntry::isFired);
    for (int i = 1; i < ledger.size(); i++) {
      assertThat(ledger.get(i - 1).fireAt()).isEqualTo(ledger.get(i).fireAt().plusSeconds(1));
    }
    assertThat(tasks())
        .containsExactlyInAnyOrderElementsOf(
            ledger.stream().map(entry -> String.valueOf(entry.run())).toList());
  }
}
