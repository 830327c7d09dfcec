package io.kairos.examples.images;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.client.Task;
import io.kairos.client.TaskQuery;
import io.kairos.client.task.TaskState;
import io.kairos.junit.KairosNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Follows the README: its code is that of the files, the jar is where its commands build and start
 * it, and says what they promise. The node is one whose clock the test turns.
 */
class ReadmeIT {
  private static final Path MODULE = Path.of("").toAbsolutePath();
  private static final Pattern CODE =
      Pattern.compile("<!-- file: (\\S+) -->\n```java\n(.*?)```", Pattern.DOTALL);
  private static final Pattern BUILD =
      Pattern.compile("^\\./mvnw -pl (\\S+) -am -DskipTests package$", Pattern.MULTILINE);
  private static final Pattern COMMAND =
      Pattern.compile("^java -jar (\\S+) (\\S+)$", Pattern.MULTILINE);
  private static final Pattern SAYS_FIRST =
      Pattern.compile("^It says `([^`]+)`", Pattern.MULTILINE);
  private static final Pattern SAYS = Pattern.compile("after five minutes `([^`]+)`");
  private static final Pattern LIST = Pattern.compile("`kairos task list --handler (\\S+)`");
  private static final int MOST_MINUTES = 2;

  private static String readme() throws IOException {
    return Files.readString(MODULE.resolve("README.md"));
  }

  @Test
  void its_code_is_that_of_the_files() throws IOException {
    int blocks = 0;
    for (Matcher block = CODE.matcher(readme()); block.find(); blocks++) {
      String file = Files.readString(MODULE.resolve(requireNonNull(block.group(1))));
      assertThat(file).as(block.group(1)).endsWith(block.group(2));
    }
    assertThat(blocks).isEqualTo(3);
  }

  private static Matcher found(Pattern words) throws IOException {
    Matcher found = words.matcher(readme());
    assertThat(found.find()).as(words.pattern()).isTrue();
    return found;
  }

  private static String words(Pattern words) throws IOException {
    return requireNonNull(found(words).group(1));
  }

  @Test
  void its_commands_build_the_application_and_have_the_image_resized_after_five_minutes()
      throws Exception {
    Matcher command = found(COMMAND);
    Path house = requireNonNull(requireNonNull(MODULE.getParent()).getParent());
    assertThat(house.resolve(words(BUILD))).isEqualTo(MODULE);
    try (KairosNode node = KairosNode.start()) {
      Process application =
          new ProcessBuilder(
                  Path.of(requireNonNull(System.getProperty("java.home")), "bin/java").toString(),
                  "-jar",
                  requireNonNull(command.group(1)),
                  requireNonNull(command.group(2)),
                  "--kairos.address=" + node.address())
              .directory(house.toFile())
              .redirectErrorStream(true)
              .start();
      CompletableFuture.delayedExecutor(MOST_MINUTES, TimeUnit.MINUTES)
          .execute(application::destroyForcibly);
      try (BufferedReader output =
          new BufferedReader(application.inputReader(StandardCharsets.UTF_8))) {
        List<String> lines = new ArrayList<>();
        await(output, words(SAYS_FIRST), lines);
        Task waiting = only(node);
        node.advance(Duration.ofMinutes(5));
        await(output, words(SAYS), lines);
        node.awaitQuiescence();

        assertThat(waiting.state()).isEqualTo(TaskState.NEW);
        assertThat(only(node).state()).isEqualTo(TaskState.SUCCEEDED);
      } finally {
        application.destroy();
        application.waitFor();
      }
    }
  }

  private static Task only(KairosNode node) throws IOException {
    List<Task> tasks = node.client().list(TaskQuery.all().handler(words(LIST))).tasks();
    assertThat(tasks).hasSize(1);
    return tasks.get(0);
  }

  private static void await(BufferedReader output, String text, List<String> lines)
      throws IOException {
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      lines.add(line);
      if (line.contains(text)) {
        return;
      }
    }
    throw new AssertionError("the application has ended: " + String.join("\n", lines));
  }
}
