package io.kairos.server.wiring.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Nodes, replicas and tools are one program: its help, its completion and its options. */
class ProgramTest {
  private record Said(int code, String out, String err) {}

  private static Said kairos(String line) {
    String[] words = line.split(" ");
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Main.commandLine(words)
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(words);
    return new Said(code, out.toString(), err.toString());
  }

  private static List<CommandSpec> commands(CommandLine main) {
    List<CommandSpec> all = new ArrayList<>(List.of(main.getCommandSpec()));
    main.getSubcommands().values().forEach(below -> all.addAll(commands(below)));
    return all;
  }

  @Test
  void the_help_lists_nodes_replicas_and_tools() {
    assertThat(kairos("--help").out())
        .contains("  server ", "  replica ", "  demo ", "  config ", "  task ", "  completion ");
  }

  @Test
  void every_command_has_help_and_version() {
    assertThat(commands(Main.commandLine()))
        .allSatisfy(command ->
            assertThat(command.optionsMap().keySet())
                .as(command.qualifiedName())
                .contains("-h", "--help", "-V", "--version"));
    assertThat(kairos("server --version").out()).startsWith("kairos ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"bash", "zsh", "fish"})
  void completion_knows_all_commands(String shell) {
    assertThat(kairos("completion " + shell).out())
        .contains("data-dir", "kafka-port", "token-file");
  }

  @Test
  void every_command_has_a_manual_page(@TempDir Path folder) {
    assertThat(kairos("man --into " + folder).code()).isZero();

    assertThat(folder.toFile().list())
        .contains(
            "kairos.1",
            "kairos-server.1",
            "kairos-replica.1",
            "kairos-replica-demo.1",
            "kairos-task-list.1");
  }

  /** Otherwise a person who gives an address to listen at, or a cluster, would not be told. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "server --address 127.0.0.1:7070",
        "--address 127.0.0.1:7070 server",
        "--context prod replica demo",
        "replica -o json config",
        "--token-file token config"
      })
  void what_calls_no_node_takes_no_options_of_calls(String line) {
    Said said = kairos(line);

    assertThat(said.code()).isEqualTo(2);
    assertThat(said.err()).containsAnyOf("calls no node", "Unknown option");
  }

  @Test
  void a_tool_fails_as_it_does_alone() {
    Said said = kairos("task list --address 127.0.0.1:1 --token-file /nowhere/token");

    assertThat(said.code()).isEqualTo(1);
    assertThat(said.err().strip())
        .isEqualTo(
            "kairos: the token file /nowhere/token cannot be read: no such file /nowhere/token");
  }

  @Test
  void rights_are_given_in_a_schema_of_kairos_own_alone_and_not_to_its_owner() {
    String migrate =
        "schema migrate --set=postgres.url=jdbc:postgresql://127.0.0.1:1/x --set=postgres.user=owner";

    Said shared = kairos(migrate + " --grant-to=runs");
    Said own = kairos(migrate + " --set=postgres.schema=jobs --grant-to=owner");

    assertThat(shared.code()).isEqualTo(1);
    assertThat(shared.err()).contains("--grant-to needs postgres.schema");
    assertThat(own.code()).isEqualTo(1);
    assertThat(own.err()).contains("names the user that migrates");
  }

  /** Completion in fish could not tell whether a value follows. The tools are among them. */
  @Test
  void no_option_has_a_value_in_some_commands_only() {
    Map<String, Set<Boolean>> valued = new TreeMap<>();
    commands(Main.commandLine())
        .forEach(command ->
            command
                .options()
                .forEach(option -> {
                  for (String name : option.names()) {
                    valued
                        .computeIfAbsent(name, any -> new TreeSet<>())
                        .add(option.arity().min() > 0);
                  }
                }));

    assertThat(valued).allSatisfy((name, kinds) -> assertThat(kinds).as(name).hasSize(1));
  }
}
