package io.kairos.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.cli.ScriptedNode.Said;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code kairos man}: a page for each command, which man can read. */
final class ManCommandTest {
  @TempDir private Path folder;
  private Path pages;

  @BeforeEach
  void write() {
    pages = folder.resolve("share/man1");
    Said said =
        ScriptedNode.run(
            ScriptedNode.NOTHING_SET,
            ScriptedTerminal.none(),
            List.of("man", "--into", pages.toString()));
    assertThat(said.err()).isEmpty();
    assertThat(said.code()).isZero();
  }

  private List<Path> all() throws Exception {
    try (Stream<Path> files = Files.list(pages)) {
      return files.sorted().toList();
    }
  }

  @Test
  void every_command_has_a_page() throws Exception {
    List<String> commands =
        CommandTree.of(CliMain.commandLine()).stream()
            .map(command -> command.qualifiedName("-") + ".1")
            .sorted()
            .toList();

    assertThat(all().stream().map(page -> pages.relativize(page).toString()))
        .containsExactlyElementsOf(commands)
        .contains("kairos.1", "kairos-task-list.1", "kairos-handler-redrive.1");
  }

  @Test
  void a_page_has_the_usual_sections() throws Exception {
    String page = Files.readString(pages.resolve("kairos-schedule-create.1"));

    assertThat(page)
        .startsWith(".TH \"KAIROS\\-SCHEDULE\\-CREATE\" \"1\" ")
        .containsSubsequence(
            ".SH \"NAME\"",
            "kairos\\-schedule\\-create \\- Stores a new schedule",
            ".SH \"SYNOPSIS\"",
            "kairos schedule create",
            ".SH \"DESCRIPTION\"",
            ".SH \"OPTIONS\"",
            "\\fB\\-\\-cron\\fR=\\fI",
            ".SH \"SEE ALSO\"",
            "\\fBkairos\\-schedule\\fR(1)")
        .doesNotContain("--");
  }

  @Test
  void only_requests_begin_with_a_dot() throws Exception {
    for (Path page : all()) {
      assertThat(Files.readAllLines(page))
          .as(page.toString())
          .allMatch(
              line -> line.matches("\\.(TH|SH|TP|PP|nf|fi)( \".*\")*") || !line.matches("[.'].*"))
          .noneMatch(line -> line.contains("${"));
    }
  }

  @Test
  void groff_formats_all_pages_without_a_warning() throws Exception {
    String groff = InstalledProgram.named("groff");
    List<String> command = new ArrayList<>(List.of(groff, "-man", "-Tascii", "-ww", "-z"));
    all().forEach(page -> command.add(page.toString()));

    assertThat(output(command)).isEmpty();
    assertThat(
            output(
                List.of(
                    groff,
                    "-man",
                    "-Tascii",
                    "-P-c",
                    "-P-b",
                    "-P-u",
                    pages.resolve("kairos-schedule.1").toString())))
        .contains("kairos schedule preview '0 9 * * MON-FRI' --zone Europe/Berlin");
  }

  private static String output(List<String> command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }
}
