package io.kairos.bench.delay;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.bench.observe.ArrivalLedger;
import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.RunVerdict;
import io.kairos.bench.trial.LoadAccounts;
import io.kairos.bench.trial.TrialLoad.Done;
import io.kairos.cli.option.DurationWord;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class DelayTrialTest {
  private static final int ASKED = 1_000;

  @Test
  void a_run_without_faults_is_clean_whatever_else_nodes_counted() {
    assertThat(verdict(ASKED, 0, Map.of("gone", 1.0)).isClean()).isTrue();
    assertThat(verdict(ASKED * 0.991, 0, Map.of()).isClean()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "1000, 1, 0, 0, duplicates",
    "1000, 0, 1, 0, takeovers without a fault",
    "1000, 0, 0, 1, suspicions without a fault",
    "900, 0, 0, 0, the rate was not kept",
  })
  void a_fault_that_the_verdict_names_fails_the_process(
      double perSecond, int twice, double takenOver, double suspected, String fault) {
    RunVerdict verdict =
        verdict(
            perSecond,
            twice,
            Map.of(NodeCounters.TAKEN_OVER, takenOver, NodeCounters.SUSPECTED, suspected));

    assertThat(verdict).hasToString("NOT CLEAN: " + fault);
    assertThat(verdict.exitCode()).isEqualTo(1);
  }

  @Test
  void a_delay_that_ends_before_it_begins_is_refused() {
    StringWriter said = new StringWriter();
    CommandLine command =
        new CommandLine(new DelayBenchCommand())
            .registerConverter(Duration.class, new DurationWord())
            .setErr(new PrintWriter(said));

    assertThat(command.execute("--delay-min", "3s", "--delay-max", "2s")).isEqualTo(2);
    assertThat(said.toString()).contains("--delay-max");
  }

  private static RunVerdict verdict(double perSecond, int twice, Map<String, Double> counters) {
    ArrivalLedger ledger = ArrivalLedger.ofEverything(0);
    for (int copy = 0; copy <= twice; copy++) {
      ledger.arrived(0, 1, 1, true);
    }
    RunVerdict verdict = new RunVerdict();
    DelayTrial.judge(
        ASKED,
        new Done(Math.round(perSecond), 1),
        new LoadAccounts(
            1, 1, 0, Duration.ZERO, ledger, new ArrivalLedger.Missing(0, List.of()), 0, 0),
        counters,
        new FigureList(),
        verdict);
    return verdict;
  }
}
