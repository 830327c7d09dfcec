package io.kairos.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.api.v1.ListTasksResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What a command does not load and does not build, so that it starts soon. */
class StartTest {
  @Test
  void a_call_loads_neither_netty_nor_logging(@TempDir Path folder) throws Exception {
    Path loaded = folder.resolve("classes");
    try (ScriptedNode node = new ScriptedNode()) {
      node.answers(ListTasksResponse.getDefaultInstance());
      ProcessBuilder command = CliProcess.of("task", "list", "--address", node.address());
      command.command().add(1, "-Xlog:class+load:file=" + loaded);
      Process list = command.redirectErrorStream(true).start();

      assertThat(new String(list.getInputStream().readAllBytes(), UTF_8)).contains("HANDLER");
      assertThat(list.waitFor()).isZero();
    }

    // gRPC asks each of its providers of names, also that in the jar of Netty.
    assertThat(Files.readString(loaded).contains(" io.grpc.okhttp.OkHttpChannelBuilder ")).isTrue();
    assertThat(Files.readAllLines(loaded))
        .filteredOn(line -> line.contains("shaded.io.netty.") || line.contains(" ch.qos.logback."))
        .isEmpty();
  }

  @Test
  void only_the_command_that_is_named_is_built() {
    assertThat(commands("task", "--address", "node:7070", "task", "-o=json", "list"))
        .containsExactly("list");
    assertThat(commands("handler", "handler", "list")).contains("list").doesNotContain("pause");
  }

  @Test
  void all_of_a_group_are_built_for_its_help_and_when_none_is_known() {
    Set<String> all = commands("task");
    assertThat(all).contains("add", "get", "list", "cancel", "reschedule");

    assertThat(commands("task", "task")).isEqualTo(all);
    assertThat(commands("task", "task", "--help", "list")).isEqualTo(all);
    assertThat(commands("task", "task", "lits")).isEqualTo(all);
    assertThat(commands("schedule", "schedule", "get", "nightly")).contains("get", "describe");
  }

  /** Returns the names of the commands of a group in the tree for these words. */
  private static Set<String> commands(String group, String... words) {
    CommandLine found = CliMain.commandLine(words).getSubcommands().get(group);
    return requireNonNull(found).getSubcommands().keySet();
  }
}
