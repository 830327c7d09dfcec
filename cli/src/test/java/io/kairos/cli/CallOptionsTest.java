package io.kairos.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.api.v1.ListHandlersResponse;
import io.kairos.api.v1.PollResponse;
import io.kairos.cli.ScriptedNode.Said;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Where the address, the token and the output format of a call come from. */
final class CallOptionsTest {
  private final ScriptedNode node = new ScriptedNode();
  private final Map<String, String> environment = new HashMap<>();
  @TempDir private Path folder;

  @BeforeEach
  void no_contexts() {
    environment.put("XDG_CONFIG_HOME", folder.toString());
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private Said kairos(String line) {
    String text = line.replace("NODE", node.address()).replace("FOLDER", folder.toString());
    return ScriptedNode.run(environment, ScriptedTerminal.none(), ScriptedNode.words(text));
  }

  /** Runs a command that must reach the node. */
  private Said reached(String line) {
    node.answers(ListHandlersResponse.getDefaultInstance());
    Said said = kairos(line);
    assertThat(said.err()).isEmpty();
    assertThat(said.code()).isZero();
    return said;
  }

  private String token(String name) throws Exception {
    return Files.writeString(folder.resolve(name), name + "\n").toString();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--address NODE -o json handler list",
        "--address=NODE -ojson handler list",
        "handler --address NODE -o json list",
        "handler list --address NODE -o json",
        "-o json handler --address NODE list",
        "--address NODE handler list -o json"
      })
  void options_stand_before_or_behind_the_command(String line) {
    assertThat(reached(line).out()).isEqualTo("[]");
  }

  @Test
  void a_command_without_a_group_takes_them_as_well() {
    node.answers(PollResponse.getDefaultInstance());

    assertThat(kairos("--address NODE poll -o json")).isEqualTo(new Said(0, "[]", ""));
  }

  @Test
  void every_command_has_them() {
    List<String> lacking =
        CommandTree.of(CliMain.commandLine()).stream()
            .filter(command ->
                !command
                    .optionsMap()
                    .keySet()
                    .containsAll(List.of("--address", "--token-file", "--context", "-o")))
            .map(CommandSpec::qualifiedName)
            .toList();

    assertThat(lacking).isEmpty();
  }

  @Test
  void only_the_group_of_the_first_word_is_built_also_behind_options() {
    CommandLine line = CliMain.commandLine("--address", "task", "-o=json", "handler", "list");

    assertThat(line.getSubcommands()).containsOnlyKeys("handler");
  }

  @Test
  void an_option_comes_before_the_environment_and_the_environment_before_the_context_in_use()
      throws Exception {
    kairos("context add dead --address 127.0.0.1:1 --token-file " + token("dead"));
    kairos("context use dead");
    environment.put("KAIROS_ADDRESS", node.address());
    environment.put("KAIROS_TOKEN", "variable");
    reached("handler list");
    environment.put("KAIROS_ADDRESS", "127.0.0.1:1");
    reached("--address NODE handler list --token-file " + token("option"));

    assertThat(node.tokens()).containsExactly("Bearer variable", "Bearer option");
  }

  @Test
  void a_context_in_use_gives_address_token_and_format() throws Exception {
    kairos("context add prod --address NODE -o json --token-file " + token("prod"));
    kairos("context use prod");

    assertThat(reached("handler list").out()).isEqualTo("[]");
    assertThat(reached("handler list -o yaml").out()).isEqualTo("[]");
    environment.put("KAIROS_TOKEN", "variable");
    reached("handler list");
    assertThat(node.tokens()).containsExactly("Bearer prod", "Bearer prod", "Bearer variable");
  }

  @Test
  void a_named_context_comes_before_the_environment() throws Exception {
    kairos("context add prod --address NODE --token-file " + token("prod"));
    environment.put("KAIROS_ADDRESS", "127.0.0.1:1");
    environment.put("KAIROS_TOKEN", "variable");

    reached("--context prod handler list");
    reached("handler list --context=prod");
    assertThat(node.tokens()).containsExactly("Bearer prod", "Bearer prod");
  }

  @Test
  void a_variable_names_a_context() {
    kairos("context add prod --address NODE");
    kairos("context add dead --address 127.0.0.1:1");
    kairos("context use dead");
    environment.put("KAIROS_CONTEXT", "prod");

    reached("handler list");
  }

  @Test
  void the_token_of_a_context_goes_to_no_other_address() throws Exception {
    kairos("context add prod --address 127.0.0.1:1 -o yaml --token-file " + token("prod"));
    kairos("context use prod");

    assertThat(reached("handler list --address NODE").out()).startsWith("HANDLER");
    environment.put("KAIROS_ADDRESS", node.address());
    reached("handler list");
    assertThat(node.tokens()).containsExactly("", "");
  }

  @Test
  void replicas_have_an_address_of_their_own_in_a_context() {
    kairos("context add prod --address NODE");
    kairos("context use prod");

    assertThat(kairos("cron tables").err())
        .isEqualTo(
            "kairos: the context prod has no --cron-address: give --address, or add it to the"
                + " context");
    assertThat(node.wasNotAsked()).isTrue();
  }

  @Test
  void a_context_that_is_gone_is_named_with_its_reason() {
    environment.put("KAIROS_CONTEXT", "prod");
    assertThat(kairos("task list").err())
        .startsWith("kairos: there is no context prod, named by KAIROS_CONTEXT, in " + folder)
        .contains("kairos context list");
    assertThat(kairos("task list --context stage").err())
        .startsWith("kairos: there is no context stage, named by --context, in ");
    assertThat(kairos("task list --context stage").code()).isEqualTo(1);
  }

  @Test
  void a_damaged_file_of_contexts_does_not_matter_to_calls_that_need_none() throws Exception {
    kairos("context add prod --address 127.0.0.1:1");
    Files.writeString(folder.resolve("kairos/contexts.yaml"), "damaged");

    reached("handler list --address NODE");
    environment.put("KAIROS_ADDRESS", node.address());
    reached("handler list");
  }

  @Test
  void a_token_file_that_is_gone_is_named() {
    assertThat(kairos("task list --address NODE --token-file FOLDER/none"))
        .isEqualTo(
            new Said(1, "", "kairos: cannot read the token: no such file " + folder + "/none"));
  }
}
