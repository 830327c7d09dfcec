package io.kairos.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.kairos.api.v1.CronEntry;
import io.kairos.api.v1.ListCronEntriesRequest;
import io.kairos.api.v1.PutCronEntryRequest;
import io.kairos.client.KairosClient;
import io.kairos.client.ScheduleClient;
import io.kairos.client.ScheduleSpec;
import io.kairos.client.schedule.Fire;
import io.kairos.client.schedule.FireQuery;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Schedules of a real node that three real replicas decide. */
@Timeout(240)
class ReplicatedSchedulesEndToEndTest {
  private static final long SCHEDULES = 0xffff_ffffL;

  @TempDir private Path folder;

  private static ScheduleSpec.Builder everySecond(String name) {
    return ScheduleSpec.named(name)
        .every(Duration.ofSeconds(1))
        .handler("replicated")
        .overlap(ScheduleSpec.Overlap.ALLOW_ALL)
        .catchUp(ScheduleSpec.CatchUp.ALL);
  }

  private static ScheduleSpec replicated(String name) {
    return everySecond(name).decider(ScheduleSpec.Decider.REPLICATED).build();
  }

  /** Of those that fired, the first one first. */
  private static List<Instant> fired(ScheduleClient schedules, String name) {
    return schedules.fires(FireQuery.of(name).decisions(Fire.Decision.FIRED).limit(1_000)).stream()
        .map(Fire::fireTime)
        .toList()
        .reversed();
  }

  private static void awaitFires(ScheduleClient schedules, String name, int count) {
    int before = fired(schedules, name).size();
    Replicas.await(
        count + " fires of " + name, () -> fired(schedules, name).size() >= before + count);
  }

  private static List<String> entries(Replicas replicas, int id) {
    return replicas
        .calls(id)
        .listCronEntries(ListCronEntriesRequest.newBuilder().setComponent(SCHEDULES).build())
        .getEntriesList()
        .stream()
        .map(entry -> entry.getDecideSchedule().getSchedule())
        .toList();
  }

  /** Each fire time of the rule once, and none left out. */
  private static void assertEachSecondOnce(List<Instant> fired) {
    long seconds = fired.getFirst().until(fired.getLast()).toSeconds();
    assertThat(fired)
        .isEqualTo(
            LongStream.rangeClosed(0, seconds)
                .mapToObj(each -> fired.getFirst().plusSeconds(each))
                .toList());
  }

  @Test
  void ph09_replicas_decide_the_schedules_of_a_node_each_fire_time_once() {
    try (RunningNode node = Configured.started();
        KairosClient client = KairosClient.connect(Configured.address(node))) {
      ScheduleClient schedules = client.schedules();
      schedules.create(replicated("billing/close"));
      schedules.create(everySecond("by-nodes").build());
      String[] settings = {
        "replica.node=http://" + Configured.address(node), "replica.schedules=true"
      };
      try (Replicas replicas = new Replicas(3, folder, settings)) {
        awaitFires(schedules, "billing/close", 3);
        schedules.create(replicated("second"));
        awaitFires(schedules, "second", 2);
        assertThat(entries(replicas, 0)).containsExactly("billing/close", "second");

        replicas.stop(0); // a third of the schedules is its own to ask for first
        awaitFires(schedules, "billing/close", 3);
        schedules.pause("second", "for today");
        Replicas.await("no entry", () -> entries(replicas, 1).equals(List.of("billing/close")));
        assertRefusedByHand(replicas);
        assertThat(replicas.replica(1).metrics())
            .contains("kairos_cron_schedule_calls_total{answer=\"done\",call=\"decide\"}");
      }

      List<Instant> whileStopped = fired(schedules, "billing/close");
      awaitFires(schedules, "by-nodes", 3);
      assertThat(fired(schedules, "billing/close")).isEqualTo(whileStopped);

      try (Replicas _ = new Replicas(3, folder, settings)) {
        awaitFires(schedules, "billing/close", 5);
        schedules.update(
            everySecond("billing/close").decider(ScheduleSpec.Decider.NODE).build(),
            List.of("decider"));
        awaitFires(schedules, "billing/close", 2);
        assertEachSecondOnce(fired(schedules, "billing/close"));
        assertEachSecondOnce(fired(schedules, "second"));
      }
    }
  }

  private static void assertRefusedByHand(Replicas replicas) {
    CronEntry.Builder entry =
        CronEntry.newBuilder().setComponent(1).setPosition(1).setWhenReported(true);
    entry.getDecideScheduleBuilder().setSchedule("mine");
    StatusRuntimeException refusal =
        Assertions.catchThrowableOfType(
            StatusRuntimeException.class,
            () ->
                replicas
                    .calls(1)
                    .putCronEntry(PutCronEntryRequest.newBuilder().setEntry(entry).build()));
    assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(refusal).hasMessageContaining("decider REPLICATED");
  }
}
