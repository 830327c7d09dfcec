package io.kairos.client.worker;

import static io.kairos.api.v1.HeartbeatResponse.Verdict.CANCEL_REQUESTED;
import static io.kairos.api.v1.HeartbeatResponse.Verdict.EXTENDED;
import static io.kairos.api.v1.HeartbeatResponse.Verdict.LOST;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkerLeasesTest {
  private final WorkerLeases leases = new WorkerLeases();

  private static long at(long millis) {
    return Duration.ofMillis(millis).toNanos();
  }

  private LeasedTask holding(int number, long askedAtMillis) {
    LeasedTask task = Works.held(number, at(askedAtMillis));
    leases.add(task);
    return task;
  }

  @Test
  void da22_a_handler_is_told_so_early_that_its_grace_ends_before_the_lease() {
    LeaseTerms terms = Works.TERMS;

    long toldAtTheLatest = terms.safeNanos() + terms.tick().toNanos();
    assertThat(toldAtTheLatest + terms.graceNanos()).isLessThan(terms.leaseNanos());
    assertThat(terms.safeNanos()).isGreaterThan(3 * terms.intervalNanos());
  }

  @Test
  void a_long_grace_is_cut_to_a_quarter_of_a_short_lease() {
    LeaseTerms terms =
        LeaseTerms.of(Duration.ofMillis(800), Duration.ofMillis(150), Duration.ofSeconds(5));

    assertThat(Duration.ofNanos(terms.graceNanos())).isEqualTo(Duration.ofMillis(200));
    assertThat(terms.safeNanos()).isGreaterThan(3 * terms.intervalNanos());
  }

  @Test
  void buffered_and_running_tasks_alike_are_heartbeated_about_once_an_interval() {
    LeasedTask buffered = holding(1, 0);
    LeasedTask runs = holding(2, 500);
    runs.phase = LeasedTask.Phase.RUNNING;

    assertThat(leases.beatsAt(at(800))).isEmpty();
    assertThat(leases.beatsAt(at(900))).containsExactly(List.of(buffered));
    assertThat(leases.beatsAt(at(1_000))).isEmpty();
    assertThat(leases.beatsAt(at(1_400))).containsExactly(List.of(runs));
    assertThat(leases.beatsAt(at(1_800))).containsExactly(List.of(buffered));
  }

  @Test
  void more_than_a_thousand_go_in_several_beats() {
    for (int i = 0; i < 2_500; i++) {
      holding(i, 0);
    }

    assertThat(leases.beatsAt(at(1_000))).extracting(List::size).containsExactly(1_000, 1_000, 500);
  }

  @Test
  void da22_three_failed_heartbeats_in_a_row_lose_the_lease() {
    LeasedTask task = holding(1, 0);
    List<LeasedTask> beat = List.of(task);

    assertThat(leases.failed(beat)).isEmpty();
    assertThat(leases.failed(beat)).isEmpty();
    leases.acknowledged(beat, List.of(EXTENDED), at(1_000));
    assertThat(leases.failed(beat)).isEmpty();
    assertThat(leases.failed(beat)).isEmpty();
    assertThat(leases.failed(beat)).containsExactly(task);
  }

  @Test
  void dal5_failures_are_counted_for_each_task() {
    LeasedTask old = holding(1, 0);
    leases.failed(List.of(old));
    leases.failed(List.of(old));
    LeasedTask young = holding(2, 2_000);

    assertThat(leases.failed(List.of(old, young))).containsExactly(old);
  }

  @Test // DA-L6
  void da22_a_lease_is_counted_from_the_sending_of_what_was_acknowledged() {
    LeasedTask task = holding(1, 0);

    leases.acknowledged(List.of(task), List.of(EXTENDED), at(1_000));
    leases.acknowledged(List.of(task), List.of(EXTENDED), at(500)); // overtaken on the way

    long end = at(1_000) + Works.TERMS.safeNanos();
    assertThat(leases.expiredAt(end - 1)).isEmpty();
    assertThat(leases.expiredAt(end)).containsExactly(task);
  }

  @Test
  void a_heartbeat_without_an_answer_extends_nothing() {
    LeasedTask task = holding(1, 0);
    leases.beatsAt(at(1_000));
    leases.beatsAt(at(2_000));

    assertThat(leases.expiredAt(Works.TERMS.safeNanos())).containsExactly(task);
  }

  @Test
  void verdicts_are_judged_one_by_one() {
    LeasedTask extended = holding(1, 0);
    LeasedTask cancelled = holding(2, 0);
    LeasedTask lost = holding(3, 0);
    LeasedTask settled = Works.held(4, 0L);

    WorkerLeases.Verdicts verdicts =
        leases.acknowledged(
            List.of(extended, cancelled, lost, settled),
            List.of(EXTENDED, CANCEL_REQUESTED, LOST, LOST),
            at(1_000));

    assertThat(verdicts.lost()).containsExactly(lost);
    assertThat(verdicts.toCancel()).containsExactly(cancelled);
    assertThat(cancelled.extendedAtNanos).isEqualTo(at(1_000));
  }

  @Test
  void a_task_whose_result_is_on_its_way_is_lost_only_when_its_time_is_up() {
    LeasedTask ended = holding(1, 0);
    ended.phase = LeasedTask.Phase.ENDED;
    List<LeasedTask> beat = List.of(ended);

    assertThat(leases.acknowledged(beat, List.of(LOST), at(900)).lost()).isEmpty();
    List<LeasedTask> lost = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      lost.addAll(leases.failed(beat));
    }
    assertThat(lost).isEmpty();
    assertThat(leases.expiredAt(Works.TERMS.safeNanos())).containsExactly(ended);
  }
}
