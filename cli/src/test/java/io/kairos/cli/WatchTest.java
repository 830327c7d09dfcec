package io.kairos.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.kairos.api.v1.Handler;
import io.kairos.api.v1.ListHandlersResponse;
import io.kairos.api.v1.ListSchedulesRequest;
import io.kairos.api.v1.ListSchedulesResponse;
import io.kairos.cli.ScriptedNode.Said;
import java.io.BufferedReader;
import java.io.Reader;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Model.CommandSpec;

/** {@code --watch}: a list that is shown again and again. */
final class WatchTest {
  private static final int INTERRUPTED = 130;
  private static final char CTRL_C = 3;
  private static final String CLEAR = "\u001b[H\u001b[2J";

  private final ScriptedNode node = new ScriptedNode();

  @AfterEach
  void stop() {
    node.close();
  }

  private static ListHandlersResponse waiting(int tasks) {
    return ListHandlersResponse.newBuilder()
        .addHandlers(Handler.newBuilder().setName("mail").setWaiting(tasks))
        .build();
  }

  private static void nothing() {}

  @Test
  void json_is_one_document_a_line_until_the_command_is_interrupted() {
    node.answers(waiting(1), waiting(2));
    ScriptedTerminal terminal = ScriptedTerminal.none().meanwhile(WatchTest::nothing);

    Said said = node.kairos("handler list --watch 5s -o json", terminal);

    assertThat(said.code()).isEqualTo(INTERRUPTED);
    assertThat(said.out().lines())
        .hasSize(2)
        .allMatch(line -> line.startsWith("[{\"name\":\"mail\"") && line.endsWith("}]"));
    assertThat(terminal.sleeps).containsOnly(Duration.ofSeconds(5));
  }

  @Test
  void a_terminal_is_redrawn() {
    node.answers(waiting(1), waiting(2));

    Said said =
        node.kairos(
            "handler list --watch",
            ScriptedTerminal.interactive(true).meanwhile(WatchTest::nothing));

    List<String> screens = List.of(said.out().split(Pattern.quote(CLEAR)));
    assertThat(screens).hasSize(3);
    assertThat(screens.get(2)).startsWith("kairos handler list every 2s, ").contains("mail     2");
  }

  @Test
  void a_node_that_is_away_is_the_last_line_until_it_is_back() {
    node.answers(waiting(1));
    node.refuses(Status.UNAVAILABLE.withDescription("restarting"));
    node.answers(waiting(3));
    ScriptedTerminal terminal =
        ScriptedTerminal.interactive(true).meanwhile(WatchTest::nothing, WatchTest::nothing);

    Said said = node.kairos("handler list --watch", terminal);

    List<String> screens = List.of(said.out().split(Pattern.quote(CLEAR)));
    assertThat(screens.get(2)).contains("mail     1").contains("kairos: ").contains("restarting");
    assertThat(screens.get(3)).contains("mail     3").doesNotContain("restarting");
    assertThat(said.code()).isEqualTo(INTERRUPTED);
  }

  @Test
  void without_a_terminal_a_failure_leaves_the_output_alone() {
    node.refuses(Status.UNAVAILABLE.withDescription("restarting"));
    node.answers(waiting(1));

    Said said =
        node.kairos(
            "handler list --watch -o json", ScriptedTerminal.none().meanwhile(WatchTest::nothing));

    assertThat(said.err()).contains("restarting").hasLineCount(1);
    assertThat(said.out()).hasLineCount(1);
  }

  @Test
  void a_refusal_ends_the_watch() {
    node.refuses(Status.PERMISSION_DENIED.withDescription("needs the role observe"));

    Said said = node.kairos("handler list --watch", ScriptedTerminal.interactive(true));

    assertThat(said.code()).isEqualTo(1);
    assertThat(said.err()).contains("needs the role observe");
  }

  @Test
  void a_word_behind_it_that_is_no_interval_is_a_parameter() {
    node.answers(ListSchedulesResponse.getDefaultInstance());

    node.kairos("schedule list --watch reports/", ScriptedTerminal.none());

    assertThat(node.request(ListSchedulesRequest.class).getPrefix()).isEqualTo("reports/");
  }

  /** Otherwise the end of a pipe, such as head, would leave a process behind for ever. */
  @Test
  void a_process_ends_when_nobody_reads_any_more() throws Exception {
    for (int i = 0; i < 10_000; i++) {
      node.answers(waiting(i));
    }
    Process process =
        CliProcess.of("--address=" + node.address(), "handler", "list", "--watch=100ms", "-o=json")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();

    try (BufferedReader output = process.inputReader(UTF_8)) {
      assertThat(output.readLine()).startsWith("[{\"name\":\"mail\"");
    }
    assertThat(process.waitFor()).isZero();
  }

  /** The exit code is that of a process that ends by SIGINT. */
  @Test
  void at_a_terminal_ctrl_c_ends_the_process_and_nothing_is_printed_behind_it() throws Exception {
    node.answers(waiting(7));
    Process process =
        CliProcess.onTerminal("--address=" + node.address(), "handler", "list", "--watch=1h")
            .start();
    StringBuilder shown = new StringBuilder();
    try (Reader terminal = process.inputReader(UTF_8)) {
      while (shown.indexOf("mail") < 0 || shown.charAt(shown.length() - 1) != '\n') {
        int next = terminal.read();
        assertThat(next).as(shown.toString()).isNotNegative();
        shown.append((char) next);
      }

      process.outputWriter(UTF_8).append(CTRL_C).flush();

      StringWriter behind = new StringWriter();
      terminal.transferTo(behind);
      assertThat(behind.toString().strip()).isIn("", "^C");
    }
    assertThat(process.waitFor()).isEqualTo(INTERRUPTED);
  }

  @Test
  void every_list_can_be_watched() {
    List<String> lacking =
        CommandTree.of(CliMain.commandLine()).stream()
            .filter(command ->
                command.name().matches("(list|keys|history|tables|entries|fires|status)"))
            .filter(command -> !command.qualifiedName().equals("kairos context list"))
            .filter(command -> !command.optionsMap().containsKey("--watch"))
            .map(CommandSpec::qualifiedName)
            .toList();

    assertThat(lacking).isEmpty();
  }
}
