package io.kairos.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import io.kairos.api.v1.CronChange;
import io.kairos.api.v1.DeleteCalendarResponse;
import io.kairos.api.v1.DeletePoolResponse;
import io.kairos.api.v1.DeleteScheduleResponse;
import io.kairos.api.v1.Pause;
import io.kairos.api.v1.Pool;
import io.kairos.api.v1.RemoveAllCronEntriesResponse;
import io.kairos.api.v1.RemoveLimitResponse;
import io.kairos.cli.ScriptedNode.Said;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Commands that cannot be undone ask first, or need to be confirmed by an option. */
final class ConfirmTest {
  private static final ScriptedNode NODE = new ScriptedNode();

  @BeforeEach
  void forget() {
    NODE.forget();
  }

  @AfterAll
  static void stop() {
    NODE.close();
  }

  static List<Arguments> commands() {
    Message pool =
        Pool.newBuilder()
            .setName("billing")
            .addKeys(Pool.SigningKey.newBuilder().setSecret("whsec_x"))
            .build();
    return List.of(
        Arguments.of(
            "handler drop mail", "Cancel the waiting tasks of mail,", Pause.getDefaultInstance()),
        Arguments.of(
            "pool delete billing",
            "Delete the pool billing?",
            DeletePoolResponse.getDefaultInstance()),
        Arguments.of(
            "pool rotate-key billing --overlap=1h",
            "Replace the signing secret of billing? The former ends after 1h.",
            pool),
        Arguments.of(
            "schedule delete nightly",
            "Delete nightly?",
            DeleteScheduleResponse.getDefaultInstance()),
        Arguments.of(
            "calendar delete holidays",
            "Delete the calendar holidays?",
            DeleteCalendarResponse.getDefaultInstance()),
        Arguments.of(
            "limit remove api:stripe",
            "Remove the limit api:stripe? Tasks that wait for it begin.",
            RemoveLimitResponse.getDefaultInstance()),
        Arguments.of(
            "cron table --component=1 --remove",
            "Remove table 1 with all its entries?",
            CronChange.getDefaultInstance()),
        Arguments.of(
            "cron remove --component=1 --position=2",
            "Remove position 2 of component 1?",
            CronChange.getDefaultInstance()),
        Arguments.of(
            "cron remove --component=1 --all",
            "Remove all entries of component 1?",
            RemoveAllCronEntriesResponse.getDefaultInstance()));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void without_a_terminal_a_command_needs_the_option(String words, String question, Message done) {
    Said said = NODE.kairos(words);

    assertThat(said.code()).isEqualTo(2);
    assertThat(said.err()).contains("cannot be undone").contains("give --yes");
    assertThat(NODE.wasNotAsked()).isTrue();
    NODE.answers(done);
    assertThat(NODE.kairos(words + " --yes").code()).isZero();
    assertThat(NODE.wasNotAsked()).isFalse();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void on_a_terminal_it_asks(String words, String question, Message done) {
    ScriptedTerminal no = ScriptedTerminal.interactive(false);
    assertThat(NODE.kairos(words, no))
        .isEqualTo(new Said(1, "", "kairos: not confirmed, nothing was changed"));
    assertThat(no.questions)
        .singleElement()
        .asString()
        .startsWith(NODE.address() + " (--address): " + question);
    assertThat(NODE.wasNotAsked()).isTrue();

    NODE.answers(done);
    assertThat(NODE.kairos(words, ScriptedTerminal.interactive(true)).code()).isZero();
    assertThat(NODE.wasNotAsked()).isFalse();
  }

  /** Every command whose name says that something goes away must be in the list above. */
  @Test
  void no_command_that_takes_away_is_without_the_option() {
    Stream<String> lacking =
        CommandTree.of(CliMain.commandLine()).stream()
            .filter(command -> command.name().matches("(drop|delete|remove|rotate-key|table)"))
            .filter(command -> !command.qualifiedName().startsWith("kairos context"))
            .filter(command -> !command.optionsMap().containsKey("--yes"))
            .map(command -> command.qualifiedName());

    assertThat(lacking).isEmpty();
  }

  /** A real terminal, from the program script. */
  @Test
  void a_process_asks_on_its_terminal() throws Exception {
    NODE.answers(Pause.getDefaultInstance());

    assertThat(typed("n")).contains("be put back. [y/N]").contains("nothing was changed");
    assertThat(NODE.wasNotAsked()).isTrue();
    assertThat(typed("y")).doesNotContain("nothing was changed");
    assertThat(NODE.wasNotAsked()).isFalse();
  }

  private static String typed(String answer) throws Exception {
    Process process =
        CliProcess.onTerminal("--address=" + NODE.address(), "handler", "drop", "mail").start();
    process.outputWriter(UTF_8).append(answer).append('\n').flush();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    process.waitFor();
    return said;
  }
}
