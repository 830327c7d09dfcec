package io.kairos.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.cli.ScriptedNode.Said;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code kairos completion}, in the shells that this machine has. */
final class CompletionTest {
  @TempDir private Path folder;
  private String settings = "";

  @BeforeEach
  void contexts() {
    settings = folder.toString();
    kairos("context", "add", "prod", "--address=a:1");
    kairos("context", "add", "stage", "--address=b:1", "--token-file=/dev/null");
    kairos("context", "add", "1", "--address=b:1"); // YAML quotes it
    kairos("context", "use", "prod");
  }

  private String kairos(String... words) {
    Said said =
        ScriptedNode.run(
            Map.of("XDG_CONFIG_HOME", folder.toString()), ScriptedTerminal.none(), List.of(words));
    assertThat(said.err()).isEmpty();
    return said.out();
  }

  private Path script(String shell) throws Exception {
    return Files.writeString(folder.resolve("script"), kairos("completion", shell) + "\n");
  }

  private List<String> lines(String... command) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.directory(folder.toFile());
    builder.environment().put("XDG_CONFIG_HOME", settings);
    builder.environment().put("HOME", folder.toString());
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    process.waitFor();
    return output.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
  }

  /** Returns the candidates of bash for the last word. */
  private List<String> bash(String... words) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                "bash",
                "--norc",
                "-c",
                "source \"$1\"; shift; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); COMP_LINE=\"$*\";"
                    + " _complete_kairos; printf '%s\\n' \"${COMPREPLY[@]}\"",
                "bash",
                script("bash").toString(),
                "kairos"));
    command.addAll(List.of(words));
    return lines(command.toArray(String[]::new));
  }

  @Test
  void bash_completes_commands_options_and_values() throws Exception {
    assertThat(bash("ta")).containsExactly("task");
    assertThat(bash("task", "li")).containsExactly("list");
    assertThat(bash("--address", "a:1", "task", "li")).containsExactly("list");
    assertThat(bash("task", "list", "--sta")).containsExactly("--state");
    assertThat(bash("task", "list", "--addr")).containsExactly("--address");
    assertThat(bash("task", "list", "-o", "")).containsExactly("TABLE", "JSON", "YAML");
  }

  @Test
  void bash_completes_names_of_contexts() throws Exception {
    assertThat(bash("--context", "")).containsExactlyInAnyOrder("1", "prod", "stage");
    assertThat(bash("task", "list", "--context", "st")).containsExactly("stage");
    assertThat(bash("context", "use", "p")).containsExactly("prod");
    assertThat(bash("context", "remove", "")).contains("1", "prod", "stage");
  }

  /** As the command does, and as the XDG specification says. */
  @Test
  void bash_ignores_a_relative_folder_of_settings() throws Exception {
    relativeSettings();

    assertThat(bash("--context", "")).containsExactlyInAnyOrder("1", "prod", "stage");
  }

  @Test
  void fish_ignores_a_relative_folder_of_settings() throws Exception {
    relativeSettings();

    assertThat(fish("--context ")).containsExactlyInAnyOrder("1", "prod", "stage");
  }

  private void relativeSettings() throws Exception {
    Files.createDirectory(folder.resolve(".config"));
    Files.move(folder.resolve("kairos"), folder.resolve(".config/kairos"));
    Path trap = Files.createDirectories(folder.resolve("relative/kairos"));
    Files.writeString(trap.resolve("contexts.yaml"), "contexts:\n  trap:\n    address: a:1\n");
    settings = "relative";
  }

  @Test
  void bash_goes_on_without_contexts() throws Exception {
    Files.delete(folder.resolve("kairos/contexts.yaml"));

    assertThat(bash("--context", "")).isEmpty();
    assertThat(bash("ta")).containsExactly("task");
  }

  @Test
  void zsh_reads_the_script() throws Exception {
    assertThat(
            lines(
                InstalledProgram.named("zsh"),
                "-f",
                "-c",
                "source " + script("zsh") + "; _kairos_contexts"))
        .contains("1", "prod", "stage");
  }

  @Test
  void fish_completes_commands_options_values_and_names_of_contexts() throws Exception {
    assertThat(fish("ta")).containsExactly("task");
    assertThat(fish("--address a:1 task li")).containsExactly("list");
    assertThat(fish("task list --sta")).containsExactly("--state");
    assertThat(fish("task list -o ")).containsExactly("json", "table", "yaml");
    assertThat(fish("--context ")).containsExactlyInAnyOrder("1", "prod", "stage");
    assertThat(fish("context use p")).containsExactly("prod");
  }

  private List<String> fish(String words) throws Exception {
    return lines(
            InstalledProgram.named("fish"),
            "--no-config",
            "-c",
            "source %s; complete -C 'kairos %s'".formatted(script("fish"), words))
        .stream()
        .map(line -> line.split("\t", 2)[0])
        .toList();
  }

  @Test
  void the_script_of_fish_has_a_rule_for_each_command_and_option() throws Exception {
    List<String> script = Files.readAllLines(script("fish"));
    Stream<String> commands =
        CommandTree.of(CliMain.commandLine()).stream().skip(1).map(command -> command.name());

    assertThat(script)
        .contains(
            "complete -c kairos -n '__kairos_is kairos task' -f -a list -d"
                + " 'Lists tasks, newest first'",
            "complete -c kairos -n '__kairos_is kairos task list' -l handler -x -d"
                + " 'Only tasks of this handler.'",
            "complete -c kairos -n '__kairos_is kairos context use' -f -a '(__kairos_contexts)'")
        .anyMatch(line ->
            line.startsWith(
                "complete -c kairos -n '__kairos_is kairos task list' -l context -x -a"
                    + " '(__kairos_contexts)'"))
        .anyMatch(line ->
            line.startsWith(
                "complete -c kairos -n '__kairos_is kairos' -s o -l output -x -a"
                    + " 'table json yaml'"))
        .anyMatch(
            line -> line.startsWith("set -g __kairos_valued ") && line.contains("'--address'"));
    assertThat(commands)
        .allMatch(name -> script.stream().anyMatch(line -> line.contains(" -f -a " + name + " ")));
  }

  /** A rule may span lines: then a quote is open. */
  @Test
  void the_quotes_of_fish_are_closed() throws Exception {
    for (String line : Files.readAllLines(script("fish"))) {
      if (line.startsWith("complete ")) {
        assertThat(
                line.replace("\\\\", "").replace("\\'", "").chars().filter(c -> c == '\'').count())
            .as(line)
            .isEven();
      }
    }
  }
}
