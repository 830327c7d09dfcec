package io.kairos.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.kairos.api.v1.Handler;
import io.kairos.api.v1.ListHandlersResponse;
import io.kairos.api.v1.PollResponse;
import io.kairos.cli.ScriptedNode.Said;
import io.kairos.cli.option.CallOptions;
import io.kairos.cli.option.CallToken;
import io.kairos.cli.option.Destination;
import io.kairos.cli.text.OutputFormat;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
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
import picocli.CommandLine.ParseResult;

/** Where the address, the token and the output format of a call come from. */
final class CallOptionsTest {
  private static final String JSON = "[\n  {\n    \"name\": \"mail\"";

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
    node.answers(
        ListHandlersResponse.newBuilder()
            .addHandlers(Handler.newBuilder().setName("mail"))
            .build());
    Said said = kairos(line);
    assertThat(said.err()).isEmpty();
    assertThat(said.code()).isZero();
    return said;
  }

  private String token(String name) throws Exception {
    Path file = Files.writeString(folder.resolve(name), name + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    return file.toString();
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
    assertThat(reached(line).out()).startsWith(JSON);
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

    assertThat(reached("handler list").out()).startsWith(JSON);
    assertThat(reached("handler list -o yaml").out()).startsWith("- name: mail");
    assertThat(reached("handler list -o table").out()).startsWith("HANDLER");
    assertThat(node.tokens()).containsExactly("Bearer prod", "Bearer prod", "Bearer prod");
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
  void the_token_of_a_named_context_goes_to_no_other_address() throws Exception {
    kairos("context add prod --address 127.0.0.1:1 -o json --token-file " + token("prod"));

    assertThat(reached("--context prod handler list --address NODE").out()).startsWith(JSON);
    reached("--context prod handler list --address NODE --token-file " + token("option"));
    assertThat(node.tokens()).containsExactly("", "Bearer option");
  }

  @Test
  void the_token_of_the_environment_goes_to_no_address_from_elsewhere() throws Exception {
    environment.put("KAIROS_TOKEN", "variable");
    kairos("context add open --address NODE");
    kairos("context add prod --address NODE --token-file " + token("prod"));

    reached("--context open handler list");
    reached("--context prod handler list");
    reached("--address NODE handler list");
    kairos("context use open");
    reached("handler list");
    environment.put("KAIROS_CRON_ADDRESS", "127.0.0.1:1");
    reached("handler list");
    assertThat(node.tokens()).containsExactly("", "Bearer prod", "", "", "");
  }

  @Test
  void the_token_of_the_environment_goes_to_the_default_address_when_the_environment_names_none() {
    environment.put("KAIROS_TOKEN", "variable");
    assertThat(new CallOptions(environment).target(Destination.NODES).token())
        .isEqualTo(new CallToken.InEnvironment("KAIROS_TOKEN"));

    environment.put("KAIROS_CRON_ADDRESS", "a:1");
    assertThat(new CallOptions(environment).target(Destination.NODES).token())
        .isEqualTo(new CallToken.None("KAIROS_TOKEN goes only to KAIROS_CRON_ADDRESS"));
  }

  @Test
  void a_refusal_says_that_no_token_was_sent_and_why() throws Exception {
    environment.put("KAIROS_TOKEN", "variable");
    environment.put("KAIROS_ADDRESS", "127.0.0.1:1");
    kairos("context add prod --address 127.0.0.1:1 --token-file " + token("prod"));
    for (int call = 0; call < 4; call++) {
      node.refuses(Status.UNAUTHENTICATED.withDescription("a token is needed"));
    }
    String refusal = "kairos: UNAUTHENTICATED: a token is needed";
    String remedy = "; --token-file gives one to the addresses of this call";

    assertThat(kairos("handler list --address NODE").err())
        .isEqualTo(
            refusal + "; no token was sent, KAIROS_TOKEN goes only to KAIROS_ADDRESS" + remedy);
    assertThat(kairos("handler list --address NODE --context prod").err())
        .isEqualTo(
            refusal
                + "; no token was sent, the token of the context prod goes only to its own"
                + " addresses"
                + remedy);
    assertThat(kairos("handler list --address NODE --token-file " + token("option")).err())
        .isEqualTo(refusal);
    environment.remove("KAIROS_TOKEN");
    assertThat(kairos("handler list --address NODE").err())
        .isEqualTo(refusal + "; no token was sent" + remedy);
  }

  @Test
  void the_contexts_are_read_once() throws Exception {
    kairos("context add prod --address a:1 -o json --token-file " + token("prod"));
    kairos("context use prod");
    CallOptions calls = new CallOptions(environment);
    assertThat(calls.addresses(Destination.NODES)).containsExactly("a:1");

    Files.delete(folder.resolve("kairos/contexts.yaml"));

    assertThat(calls.format(Destination.NODES)).isEqualTo(OutputFormat.JSON);
    assertThat(calls.target(Destination.NODES).token()).isInstanceOf(CallToken.InFile.class);
  }

  @Test
  void a_token_file_that_others_can_read_is_refused() throws Exception {
    Path file = Path.of(token("open"));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    String refusal = "%s can be read or changed by others: chmod 600 %1$s".formatted(file);

    assertThat(kairos("handler list --address NODE --token-file " + file))
        .isEqualTo(new Said(1, "", "kairos: " + refusal));
    assertThat(kairos("context add prod --address NODE --token-file " + file).err())
        .isEqualTo("kairos: " + refusal);
    assertThat(node.wasNotAsked()).isTrue();
  }

  @Test
  void a_token_file_may_begin_with_the_home_folder() throws Exception {
    environment.put("HOME", folder.toString());
    var _ = token("mine");
    Files.createDirectories(folder.resolve("kairos"));
    Files.writeString(
        folder.resolve("kairos/contexts.yaml"),
        "contexts: {prod: {address: '%s', token-file: ~/mine}}".formatted(node.address()));

    reached("--context prod handler list");
    reached("--address NODE --token-file=~/mine handler list");
    kairos("context use prod");
    reached("handler list");
    assertThat(node.tokens()).containsOnly("Bearer mine").hasSize(3);
    assertThat(folder.resolve("kairos/contexts.yaml")).content().contains("~/mine");
  }

  @Test
  void replicas_have_an_address_of_their_own_in_a_context() {
    kairos("context add prod --address NODE");
    kairos("context use prod");

    assertThat(kairos("cron tables").err())
        .isEqualTo(
            "kairos: the context prod, in use, has no --cron-address: give --address, or add it to"
                + " the context");
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
  void what_stands_behind_the_program_of_a_worker_is_its_own() {
    for (String dashes : List.of("", "-- ")) {
      List<String> program = new ArrayList<>();
      String words = "worker exec --handler h " + dashes + "./resize -o json --handler x -- -h";
      ParseResult parsed = CliMain.commandLine("worker").parseArgs(words.split(" "));
      parsed
          .subcommand()
          .subcommand()
          .matchedPositionals()
          .forEach(one -> program.addAll(one.<List<String>>getValue()));

      assertThat(program).containsExactly("./resize", "-o", "json", "--handler", "x", "--", "-h");
    }
  }

  @Test
  void a_token_file_that_is_gone_is_named() {
    assertThat(kairos("task list --address NODE --token-file FOLDER/none"))
        .isEqualTo(
            new Said(
                1,
                "",
                "kairos: the token file %1$s/none cannot be read: no such file %1$s/none"
                    .formatted(folder)));
  }
}
