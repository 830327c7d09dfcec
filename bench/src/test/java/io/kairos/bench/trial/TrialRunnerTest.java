package io.kairos.bench.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.bench.load.LoadClock;
import io.kairos.bench.measure.ResourceMeter;
import io.kairos.bench.observe.ArrivalLedger;
import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.RunVerdict;
import io.kairos.bench.trial.TrialLoad.Counts;
import io.kairos.bench.trial.TrialLoad.Done;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TrialRunnerTest {
  private static final int SENT = 1_000;
  private static final long LATE = 2_000;

  private final FakeLoad load = new FakeLoad();

  @Test
  void a_load_of_which_all_arrives_is_clean() throws SQLException, InterruptedException {
    TrialReport report = run();

    assertThat(report.verdict().exitCode()).isZero();
    assertThat(report.figures().number("sent")).isEqualTo(SENT);
    assertThat(report.figures().number("perSecond")).isPositive();
    assertThat(report.figures().number("lateness.p50")).isBetween(1.9, 2.1);
    assertThat(report.figures().data()).containsEntry("verdict", "clean");
  }

  @Test
  void a_load_that_loses_one_message_is_void() throws SQLException, InterruptedException {
    load.lost = 1;

    TrialReport report = run();

    assertThat(report.verdict().isVoid()).isTrue();
    assertThat(report.verdict().exitCode()).isEqualTo(3);
    assertThat(report.figures().number("lost")).isEqualTo(1);
    assertThat(report.figures().toString()).contains("VOID", "1 are lost, for example [999]");
  }

  @Test
  void a_value_that_came_out_damaged_voids_the_run() throws SQLException, InterruptedException {
    load.damaged = true;

    assertThat(run().verdict().isVoid()).isTrue();
  }

  @Test
  void an_uncertain_call_and_a_row_left_behind_are_not_clean_and_not_void()
      throws SQLException, InterruptedException {
    load.uncertain = 1;
    load.left = 1;

    RunVerdict verdict = run().verdict();

    assertThat(verdict.isVoid()).isFalse();
    assertThat(verdict.exitCode()).isEqualTo(1);
    assertThat(verdict).hasToString("NOT CLEAN: uncertain calls; rows left behind");
  }

  @Test
  void an_early_arrival_is_not_clean() throws SQLException, InterruptedException {
    load.lateMicros = -10_000;

    assertThat(run().verdict()).hasToString("NOT CLEAN: early messages");
  }

  @Test
  void the_phases_come_in_their_order() throws SQLException, InterruptedException {
    run();

    assertThat(load.calls)
        .containsSubsequence("describe", "start", "meter", "counts", "settle", "judge");
  }

  @Test
  void a_load_that_has_ended_is_not_waited_for() throws SQLException, InterruptedException {
    load.ended = true;

    assertThat(run().verdict().isClean()).isTrue();
  }

  private TrialReport run() throws SQLException, InterruptedException {
    return new TrialRunner(load, _ -> {}).run();
  }

  /** Messages that all arrive when the load is settled. */
  private static final class FakeLoad implements TrialLoad {
    private final List<String> calls = new ArrayList<>();
    private int lost;
    private int uncertain;
    private int left;
    private boolean damaged;
    private boolean ended;
    private long lateMicros = LATE;
    private long dueMicros;
    private long asked;

    @Override
    public void describe(FigureList figures) {
      calls.add("describe");
    }

    @Override
    public TrialTimes start() {
      calls.add("start");
      TrialTimes times = TrialTimes.in(Duration.ZERO, Duration.ZERO, Duration.ofMillis(50));
      dueMicros = times.measuredFrom() + 1;
      return ended ? times.withoutEnd() : times;
    }

    @Override
    public ResourceMeter meter() {
      calls.add("meter");
      return new ResourceMeter().load();
    }

    @Override
    public Counts counts() {
      calls.add("counts");
      asked++;
      return new Counts(asked, asked);
    }

    @Override
    public boolean hasEnded() {
      return ended;
    }

    @Override
    public LoadAccounts settle() {
      calls.add("settle");
      ArrivalLedger ledger = new ArrivalLedger(0, LoadClock.micros() - 60_000_000, Long.MAX_VALUE);
      for (int sequence = 0; sequence < SENT - lost; sequence++) {
        ledger.arrived(sequence, dueMicros, dueMicros + lateMicros, !damaged);
      }
      return new LoadAccounts(
          SENT, SENT, uncertain, Duration.ZERO, ledger, ledger.missing(SENT, Set.of()), left, 0);
    }

    @Override
    public void judge(Done done, LoadAccounts accounts, FigureList figures, RunVerdict verdict) {
      calls.add("judge");
    }
  }
}
