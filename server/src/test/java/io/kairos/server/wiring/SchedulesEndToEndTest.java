package io.kairos.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.kairos.api.v1.NextWorkRequest;
import io.kairos.api.v1.Result;
import io.kairos.api.v1.SetResultRequest;
import io.kairos.api.v1.Work;
import io.kairos.api.v1.WorkerServiceGrpc;
import io.kairos.api.v1.WorkerServiceGrpc.WorkerServiceBlockingStub;
import io.kairos.domain.schedule.RuleBounds;
import io.kairos.domain.schedule.RunSpread;
import io.kairos.domain.schedule.definition.FirePolicies;
import io.kairos.domain.schedule.definition.OverlapPolicy;
import io.kairos.domain.schedule.definition.Schedule;
import io.kairos.domain.schedule.definition.ScheduleDefinition;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.schedule.definition.ScheduleRule;
import io.kairos.domain.schedule.definition.ScheduleTarget;
import io.kairos.domain.schedule.fire.ExecutionIds;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.engine.schedule.ScheduleResult;
import io.kairos.engine.schedule.port.LedgerQuery;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A whole node on real Postgres: schedules fire, and a worker performs their runs. */
class SchedulesEndToEndTest {
  @AutoClose private static final RunningNode node = Configured.started();

  @AutoClose("shutdownNow")
  private static final ManagedChannel channel =
      NettyChannelBuilder.forAddress("127.0.0.1", node.places().httpPort()).usePlaintext().build();

  private static final WorkerServiceBlockingStub worker =
      WorkerServiceGrpc.newBlockingStub(channel);

  @Test
  void ph01_a_schedule_fires_and_a_worker_performs_its_run() {
    ScheduleResult created =
        node.schedules()
            .create(
                new ScheduleName("e2e"),
                new ScheduleDefinition(
                    ScheduleRule.of(ScheduleRule.Kind.CRON, "* * * * * *"),
                    RuleBounds.NONE,
                    RunSpread.NONE,
                    new ScheduleTarget.Handler(
                        new QueueName(new HandlerName("e2e-report"), QueueName.DEFAULT),
                        TaskDetails.of("rows".getBytes(StandardCharsets.UTF_8))),
                    FirePolicies.DEFAULT.with(OverlapPolicy.SKIP)));
    assertThat(created).isInstanceOf(ScheduleResult.Done.class);
    Schedule schedule = ((ScheduleResult.Done) created).schedule();

    Work first = next();
    report(first);
    Work second = next();
    report(second);

    List<LedgerEntry> ledger = node.schedules().fires(LedgerQuery.latest(schedule.id(), 100));
    assertThat(first.getPayload().toStringUtf8()).isEqualTo("rows");
    assertThat(second.getId()).isGreaterThan(first.getId());
    assertThat(ledger.stream().filter(LedgerEntry::isFired))
        .hasSizeGreaterThanOrEqualTo(2)
        .allSatisfy(entry ->
            assertThat(entry.run()).isEqualTo(ExecutionIds.of(schedule.id(), entry.fireAt(), "")));
    assertThat(ledger.stream().map(entry -> String.valueOf(entry.run())))
        .contains(first.getId(), second.getId());
  }

  /** Waits as long as the node lets a request wait, and again. */
  private static Work next() {
    for (int i = 0; i < 10; i++) {
      List<Work> work =
          worker
              .nextWork(
                  NextWorkRequest.newBuilder()
                      .setWorker("w")
                      .addHandlers("e2e-report")
                      .setMaxTasks(1)
                      .setWait(com.google.protobuf.Duration.newBuilder().setSeconds(5))
                      .build())
              .getWorkList();
      if (!work.isEmpty()) {
        return work.getFirst();
      }
    }
    throw new AssertionError("no run came");
  }

  private static void report(Work work) {
    worker.setResult(
        SetResultRequest.newBuilder()
            .setWorker("w")
            .addResults(
                Result.newBuilder()
                    .setId(work.getId())
                    .setFence(work.getFence())
                    .setSuccess(Result.Success.getDefaultInstance()))
            .build());
  }
}
