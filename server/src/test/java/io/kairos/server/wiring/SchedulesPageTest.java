package io.kairos.server.wiring;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/schedules.md tells a beginner to type, typed in its order. */
class SchedulesPageTest {
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w*)\\n(.*?)^```$");

  @AutoClose private static final RunningNode node = Configured.started();

  @TempDir Path folder;

  @Test
  void the_five_minutes_work_as_they_are_written() throws Exception {
    int commands = 0;
    for (MatchResult block : BLOCK.matcher(fiveMinutes()).results().toList()) {
      String language = requireNonNull(block.group(1));
      String text = requireNonNull(block.group(2));
      switch (language) {
        case "yaml" -> Files.writeString(folder.resolve("schedules.yaml"), text);
        case "sh" -> commands += typed(text);
        case "" -> refused(text);
        default -> assertThat(language).isEqualTo("java");
      }
    }

    assertThat(commands).isGreaterThan(8);
  }

  private static String fiveMinutes() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "schedules.md"));
    int begin = page.indexOf("## Five minutes");
    return page.substring(begin, page.indexOf("\n## ", begin));
  }

  /** All lines of a block; a node runs already, and what waits for tasks is left out. */
  private int typed(String block) throws Exception {
    int typed = 0;
    for (String line : block.replace("\\\n", " ").lines().toList()) {
      List<String> words = words(line);
      if (words.getFirst().equals("curl")) {
        requested(words);
      } else if (!line.startsWith("./kairos server") && !line.startsWith("./kairos worker")) {
        Said said = kairos(words);
        assertThat(said.err()).as(line).isEmpty();
        assertThat(said.code()).as(line).isZero();
      }
      typed++;
    }
    return typed;
  }

  /** A command with what is answered to it. */
  private void refused(String block) {
    List<String> lines = block.lines().toList();
    Said said = kairos(words(lines.getFirst().substring("$ ".length())));

    assertThat(said.err().lines()).containsExactlyElementsOf(lines.subList(1, lines.size()));
    assertThat(said.code()).isEqualTo(1);
  }

  /** As a shell splits them. */
  private static List<String> words(String line) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    boolean quoted = false;
    String ended = line + " ";
    for (int i = 0; i < ended.length(); i++) {
      char c = ended.charAt(i);
      if (c == '\'') {
        quoted = !quoted;
      } else if (c != ' ' || quoted) {
        word.append(c);
      } else if (!word.isEmpty()) {
        words.add(word.toString());
        word.setLength(0);
      }
    }
    return words;
  }

  private Said kairos(List<String> typed) {
    List<String> words = new ArrayList<>(typed.subList(1, typed.size()));
    words.replaceAll(
        word -> word.equals("schedules.yaml") ? folder.resolve(word).toString() : word);
    words.add(1, "--address=127.0.0.1:" + node.places().httpPort());
    return Said.of(words);
  }

  private static void requested(List<String> words) throws Exception {
    String url = words.stream().filter(word -> word.startsWith("http:")).findFirst().orElseThrow();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
            URI.create(url.replace(":7070/", ":" + node.places().httpPort() + "/")));
    int body = words.indexOf("-d");
    if (body > 0) {
      request
          .header("content-type", "application/json")
          .POST(BodyPublishers.ofString(words.get(body + 1)));
    }
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpResponse<String> answer = http.send(request.build(), BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }
  }
}
