package io.kairos.server.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** What decides the demo's exit code, and what it prints of it. */
class DemoReportTest {
  private final DemoArrivals arrivals =
      new DemoArrivals(new long[] {10_000, 20_000, 30_000, 40_000});

  @Test
  void each_message_once_and_in_time_is_flawless() {
    for (int number = 0; number < 4; number++) {
      arrivals.note(number, 10_000 * (number + 1) + 1_500);
    }

    assertThat(arrivals.isFlawless()).isTrue();
    assertThat(DemoReport.of(arrivals))
        .contains("p50 1.5 ms    p90 1.5 ms", "max 1.5 ms")
        .contains("lost / duplicated / early = 0 / 0 / 0")
        .containsPattern("to 2 ms +4 +#{50}\n");
  }

  @Test
  void a_lost_a_doubled_and_an_early_message_are_each_a_fault() {
    arrivals.note(0, 10_000);
    arrivals.note(1, 20_000 - 5_000);
    arrivals.note(2, 30_000 - 5_001);
    arrivals.note(0, 90_000);

    assertThat(arrivals.isFlawless()).isFalse();
    assertThat(DemoReport.of(arrivals)).contains("lost / duplicated / early = 1 / 1 / 1");
  }

  @Test
  void the_lateness_of_a_message_is_that_of_its_first_copy() {
    arrivals.note(0, 10_100);
    arrivals.note(0, 99_000);

    assertThat(arrivals.lateness()).containsExactly(100);
  }

  @Test
  void progress_is_a_line_now_and_then_where_there_is_no_terminal() {
    StringWriter text = new StringWriter();
    DemoProgress progress = new DemoProgress(new PrintWriter(text), false);
    for (int call = 0; call <= 10; call++) {
      progress.show(call / 5.0, call, 100);
    }

    assertThat(text.toString().lines()).hasSize(2).allMatch(line -> line.contains("of 100"));
  }
}
