package io.kairos.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kairos.cli.ScriptedNode.Said;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code kairos context}: the file, and what is said when something is wrong with it. */
final class ContextCommandTest {
  private final Map<String, String> environment = new HashMap<>();
  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void no_contexts() {
    environment.put("XDG_CONFIG_HOME", folder.toString());
    file = folder.resolve("kairos/contexts.yaml");
  }

  private Said kairos(String line) {
    return ScriptedNode.run(environment, ScriptedTerminal.none(), ScriptedNode.words(line));
  }

  private String done(String line) {
    Said said = kairos(line);
    assertThat(said.err()).isEmpty();
    assertThat(said.code()).isZero();
    return said.out();
  }

  private Path token() throws Exception {
    Path file = Files.writeString(folder.resolve("token"), "secret");
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  private static List<String> squeezed(String table) {
    return table.lines().map(line -> line.strip().replaceAll(" +", " ")).toList();
  }

  @Test
  void contexts_are_added_listed_used_and_removed() throws Exception {
    Path token = token();
    assertThat(done("context add prod --address=a:1,b:1 --token-file=" + token))
        .isEqualTo("prod: added");
    assertThat(done("context add stage --address=c:1 --cron-address=d:1"))
        .isEqualTo("stage: added");
    assertThat(done("context use stage")).isEqualTo("stage: in use");

    assertThat(squeezed(done("context list")))
        .containsExactly(
            "CONTEXT ADDRESS CRON ADDRESS TOKEN FILE OUTPUT",
            "prod a:1,b:1 - " + token + " -",
            "* stage c:1 d:1 - -");
    assertThat(done("context remove stage")).isEqualTo("stage: removed; no context is in use now");
    assertThat(done("context list -o json")).contains("\"prod\"").doesNotContain("stage");
  }

  @Test
  void what_calls_would_do_is_shown_with_its_source() throws Exception {
    Path token = token();
    done("context add prod --address=a:1,b:1 --token-file=" + token);
    done("context add stage --address=c:1 --cron-address=d:1 -o yaml");
    assertThat(squeezed(done("context show")))
        .containsExactly(
            "CALLS PART VALUE FROM",
            "nodes address 127.0.0.1:7070 default",
            "nodes token none default",
            "nodes output table default",
            "replicas address 127.0.0.1:7171 default",
            "replicas token none default",
            "replicas output table default");

    done("context use stage");
    assertThat(squeezed(done("context show")))
        .contains(
            "nodes address c:1 context stage, in use",
            "replicas address d:1 context stage, in use",
            "nodes output yaml context stage, in use");
    assertThat(squeezed(done("--context prod context show")))
        .contains(
            "nodes address a:1,b:1 context prod, named by --context",
            "nodes token " + token + " context prod, named by --context",
            "replicas address none context prod, named by --context");
    environment.put("KAIROS_ADDRESS", "e:1");
    environment.put("KAIROS_TOKEN", "secret");
    assertThat(squeezed(done("context show")))
        .contains(
            "nodes address e:1 KAIROS_ADDRESS",
            "nodes token (hidden) KAIROS_TOKEN",
            "nodes output table default",
            "replicas address d:1 context stage, in use",
            "replicas token none KAIROS_TOKEN goes only to KAIROS_ADDRESS");
    assertThat(squeezed(done("context show --address f:1 --context prod -o table")))
        .contains(
            "nodes address f:1 --address",
            "nodes token none the token of the context prod goes only to its own addresses",
            "nodes output table -o");
    assertThat(done("context show -o json"))
        .contains("\"from\": \"KAIROS_TOKEN\"")
        .doesNotContain("\"secret\"");
  }

  @Test
  void a_context_in_use_that_the_environment_overrules_is_named_as_such() {
    done("context add prod --address=a:1");
    environment.put("KAIROS_ADDRESS", "b:1");
    environment.put("KAIROS_CONTEXT", "stage");

    assertThat(done("context use prod"))
        .isEqualTo("prod: in use; in this shell KAIROS_CONTEXT, KAIROS_ADDRESS comes before it");
  }

  @Test
  void the_file_is_private_and_holds_no_token() throws Exception {
    Path token = token();
    done("context add prod --address=a:1 --token-file=" + token + " -o json");

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(requireNonNull(file.getParent()))))
        .isEqualTo("rwx------");
    assertThat(file)
        .hasContent(
            """
            # Changed by: kairos context
            contexts:
              prod:
                address: a:1
                token-file: %s
                output: json
            """
                .formatted(token));
    assertThat(kairos("context add typo --address=a:1 --token-file=secret").err())
        .contains("there is no readable file")
        .contains("names the file that holds the token");
  }

  @Test
  void an_existing_context_is_only_replaced_when_asked_for() {
    done("context add prod --address=a:1");

    assertThat(kairos("context add prod --address=b:1"))
        .isEqualTo(new Said(1, "", "kairos: the context prod exists; --replace replaces it"));
    done("context add prod --address=b:1 --replace");
    assertThat(done("context list")).contains("b:1").doesNotContain("a:1");
    assertThat(kairos("context use none").err())
        .isEqualTo("kairos: there is no context none; there are: prod");
    assertThat(kairos("context add prod").code()).isEqualTo(2);
    assertThat(kairos("context add a/b --address=b:1").code()).isEqualTo(2);
  }

  @Test
  void a_context_in_use_that_is_gone_can_be_replaced() throws Exception {
    done("context add prod --address=a:1");
    Files.writeString(file, Files.readString(file) + "current: gone\n");

    assertThat(kairos("task list").err())
        .startsWith("kairos: there is no context gone, in use, in " + file);
    done("context list");
    done("context use prod");
    assertThat(done("context show")).contains("prod, in use");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "contexts: [a, b]",
        "contexts: {prod: {token: secret}}",
        "contexts: {prod: {output: xml}}",
        "contexts: {prod: {address: [a]}}",
        "contexts: {prod: {address: a, token-file: secrets/token}}",
        "contexts: {prod: {address: a, token-file: '~other/token'}}",
        "contexts: {",
        "current: a\ncurrent: b",
        "more: true",
        "just words"
      })
  void a_damaged_file_is_named_and_stays_as_it_is(String text) throws Exception {
    done("context add prod --address=a:1");
    Files.writeString(file, text);

    for (String line : List.of("task list", "context list", "context add b --address=a:1")) {
      Said said = kairos(line);
      assertThat(said.code()).isEqualTo(1);
      assertThat(said.err())
          .startsWith("kairos: " + file + " is damaged, ")
          .contains("correct it, or remove it");
    }
    assertThat(file).hasContent(text);
  }

  @Test
  void a_file_that_others_can_read_is_taken_and_one_that_they_can_change_is_not() throws Exception {
    done("context add prod --address=a:1");
    permissions(file, "rw-r--r--");
    done("context list");
    permissions(file, "rw-rw-r--");

    assertThat(kairos("context list"))
        .isEqualTo(
            new Said(
                1, "", "kairos: %s can be changed by others: chmod go-w %1$s".formatted(file)));
    permissions(file, "rw-------");
    Path parent = requireNonNull(file.getParent());
    permissions(parent, "rwxrwxr-x");
    assertThat(kairos("context add b --address=a:1").err())
        .isEqualTo("kairos: %s can be changed by others: chmod go-w %1$s".formatted(parent));
  }

  @Test
  void a_linked_file_in_a_folder_that_others_can_change_is_refused() throws Exception {
    done("context add prod --address=a:1");
    Path open = Files.createDirectory(folder.resolve("open"));
    Files.createSymbolicLink(file, Files.move(file, open.resolve("contexts.yaml")));
    done("context list");
    permissions(open, "rwxrwxrwx");

    assertThat(kairos("context list").err()).endsWith("chmod go-w " + open.toRealPath());
  }

  /** With sudo -E, root would obey the file of another user. */
  @Test
  void a_file_of_another_user_is_refused() throws Exception {
    assumeTrue(Files.getAttribute(folder, "unix:uid").equals(0), "only root can give files away");
    done("context add prod --address=a:1");
    Files.setOwner(
        file, file.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));

    assertThat(kairos("context list").err())
        .isEqualTo(
            "kairos: %s belongs to nobody, who can change it: call as nobody, or set"
                    .formatted(file)
                + " XDG_CONFIG_HOME to a folder of your own");
  }

  private static void permissions(Path path, String permissions) throws Exception {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
  }

  @Test
  void a_link_to_the_file_stays_a_link() throws Exception {
    done("context add prod --address=a:1");
    Path elsewhere = folder.resolve("dotfiles.yaml");
    Files.move(file, elsewhere);
    Files.createSymbolicLink(file, elsewhere);

    done("context add stage --address=b:1");

    assertThat(file).isSymbolicLink();
    assertThat(Files.readString(elsewhere)).contains("prod").contains("stage");
  }

  @Test
  void threads_that_write_at_once_lose_nothing() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<String>> done =
          IntStream.range(0, 16)
              .mapToObj(i -> threads.submit(() -> done("context add c" + i + " --address=a:1")))
              .toList();
      for (Future<String> one : done) {
        one.get();
      }
    }

    assertThat(done("context list").lines()).hasSize(17);
    assertThat(requireNonNull(file.getParent()).toFile().list())
        .containsExactlyInAnyOrder("contexts.yaml", "contexts.lock");
  }

  @Test
  void processes_that_write_at_once_lose_nothing() throws Exception {
    List<Process> processes = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      processes.add(start("context", "add", "c" + i, "--address=a:1"));
    }

    for (Process process : processes) {
      String said = new String(process.getInputStream().readAllBytes(), UTF_8);
      assertThat(process.waitFor()).as(said).isZero();
    }
    assertThat(done("context list").lines()).hasSize(4);
  }

  private Process start(String... words) throws Exception {
    ProcessBuilder command = CliProcess.of(words);
    command.environment().putAll(environment);
    return command.redirectErrorStream(true).start();
  }
}
