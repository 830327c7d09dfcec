package io.kairos.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.cli.CliMain;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** {@code kairos task} and {@code kairos queue} as an operator types them, against a whole node. */
class CommandLineEndToEndTest {
  private static RunningNode node;

  @BeforeAll
  static void start() {
    node = RunningNode.start(Configured.node());
    assertThat(node.awaitReady(java.time.Duration.ofSeconds(30))).isTrue();
  }

  @AfterAll
  static void stop() {
    node.stop();
  }

  private record Said(int code, String out, String err) {}

  private static Said kairos(String group, String... words) {
    List<String> all = new ArrayList<>(List.of(group));
    all.add("--address=127.0.0.1:" + node.places().httpPort());
    all.addAll(List.of(words));
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line = CliMain.commandLine();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    int code = line.execute(all.toArray(String[]::new));
    return new Said(code, out.toString().strip(), err.toString().strip());
  }

  private static String done(String group, String... words) {
    Said said = kairos(group, words);
    assertThat(said.err).isEmpty();
    assertThat(said.code).isZero();
    return said.out;
  }

  @Test
  void a_task_is_added_shown_rescheduled_and_cancelled() {
    String id = done("task", "add", "cli-task", "--payload", "hello", "--delay", "1h");

    assertThat(done("task", "get", id)).contains("handler   cli-task").contains("state     new");
    assertThat(done("task", "list", "--handler", "cli-task")).contains(id);
    assertThat(done("task", "reschedule", id, "--at", "2090-01-01T00:00:00Z"))
        .contains("2090-01-01");
    assertThat(done("task", "cancel", id)).isEqualTo("cancelled");
    Said again = kairos("task", "cancel", id);
    assertThat(again.code).isEqualTo(1);
    assertThat(again.out).isEqualTo("too late");
  }

  @Test
  void da4_a_handler_is_paused_shown_and_resumed() {
    done("task", "add", "cli-pause");

    assertThat(done("queue", "pause", "cli-pause", "--note", "deploy"))
        .isEqualTo("cli-pause: paused (deploy)");
    assertThat(line("cli-pause")).contains("no worker").contains("paused (deploy)");
    assertThat(done("queue", "resume", "cli-pause")).isEqualTo("cli-pause: resumed");
    assertThat(line("cli-pause")).doesNotContain("paused");
    Said again = kairos("queue", "resume", "cli-pause");
    assertThat(again.code).isEqualTo(1);
    assertThat(again.err).startsWith("kairos: ");
  }

  private static String line(String handler) {
    return done("queue", "list")
        .lines()
        .filter(line -> line.startsWith(handler + " "))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void a_queue_is_limited_shown_and_freed() {
    done("task", "add", "cli-limit");

    assertThat(done("queue", "limits", "cli-limit", "--max-running", "3", "--rate", "2.5"))
        .isEqualTo("priority 50: 0 of 3 running, 2.5 per second");
    assertThat(done("queue", "limits", "cli-limit", "--max-running", "none"))
        .isEqualTo("priority 50: 2.5 per second");
    assertThat(done("queue", "limits", "cli-limit")).isEqualTo("priority 50: 2.5 per second");
    assertThat(done("queue", "limits", "cli-limit", "--rate", "none"))
        .isEqualTo("priority 50: not limited");
  }

  @Test
  void what_makes_no_sense_is_refused_with_the_usage() {
    assertThat(kairos("queue", "redrive").code).isEqualTo(2);
    assertThat(kairos("queue", "limits", "h", "--rate", "fast").code).isEqualTo(2);
    assertThat(kairos("queue").code).isEqualTo(2);
    assertThat(kairos("task", "get", "7").code).isEqualTo(1);
  }

  @Test
  void daf3_nothing_is_put_back_where_nothing_has_failed() {
    assertThat(done("queue", "redrive", "--handler", "cli-none", "--rate", "5"))
        .isEqualTo("0 put back");
  }
}
