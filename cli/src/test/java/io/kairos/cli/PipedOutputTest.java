package io.kairos.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.cli.completion.BashCompletion;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** The command line as a process whose output is read through a pipe. */
class PipedOutputTest {
  /** More than every buffer on the way; the script ends without an end of line. */
  @Test
  void the_script_for_completion_is_printed_to_its_end() throws Exception {
    String script = BashCompletion.script(CliMain.commandLine());

    assertThat(printed("completion", "bash")).isEqualTo(script).hasSizeGreaterThan(90_112);
  }

  @Test
  void the_help_of_a_command_is_printed_to_its_end() throws Exception {
    StringWriter help = new StringWriter();
    CliMain.commandLine()
        .setOut(new PrintWriter(help, true))
        .execute("schedule", "create", "--help");

    assertThat(printed("schedule", "create", "--help")).isEqualTo(help.toString());
  }

  private static String printed(String... arguments) throws Exception {
    ProcessBuilder command = CliProcess.of(arguments);
    command.environment().put("COLUMNS", "80");
    command.redirectError(ProcessBuilder.Redirect.INHERIT);
    Process process = command.start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).isZero();
    return output;
  }
}
