package io.kairos.cli.terminal;

import io.kairos.api.text.TerminalText;
import io.kairos.cli.text.AnswerTree;
import io.kairos.cli.text.JsonText;
import io.kairos.cli.text.OutputFormat;
import io.kairos.cli.text.YamlText;
import io.kairos.client.error.NodesUnavailableException;
import io.kairos.client.error.QuotaExceededException;
import io.kairos.domain.time.DurationText;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Shows a list again and again, until the process is interrupted or nobody reads the output any
 * more. An interactive terminal is redrawn; other output gets one snapshot after the other, a line
 * each in JSON. While no node answers, the last snapshot stays and the failure is the last line.
 * Used by the main thread only.
 *
 * @param title the command, for the line above a table
 */
public record Watch(
    Terminal terminal,
    PrintWriter out,
    PrintWriter err,
    OutputFormat format,
    String title,
    Duration interval) {
  public static final Duration SHORTEST = Duration.ofMillis(100);

  /** The exit code of a process that ends by SIGINT, with which the JVM ends at Ctrl-C. */
  private static final int INTERRUPTED = 130;

  private static final String CLEAR = "\u001b[H\u001b[2J";

  /**
   * Shows the answers to a question.
   *
   * @param question asked once per interval; its other failures end the command
   * @param tree the answer for JSON and YAML
   * @param words the text of the answer for tables
   * @return the exit code
   */
  public <A> int show(
      Supplier<A> question, Function<? super A, ?> tree, Function<? super A, ?> words) {
    boolean redraws = format == OutputFormat.TABLE && terminal.isInteractive();
    String last = "";
    try {
      while (true) {
        String trouble = "";
        try {
          A answer = question.get();
          last = text(answer, tree, words);
        } catch (NodesUnavailableException | QuotaExceededException e) {
          trouble = TerminalText.line(String.valueOf(e.getMessage()));
        }
        if (trouble.isEmpty() || redraws) {
          out.println((redraws ? CLEAR : "") + heading() + last);
        }
        if (!trouble.isEmpty()) {
          (redraws ? out : err).println("kairos: " + trouble);
        }
        if (out.checkError()) { // flushes as well; the reader of a pipe has gone
          return 0;
        }
        terminal.sleep(interval);
      }
    } catch (InterruptedException e) {
      return INTERRUPTED;
    }
  }

  private String heading() {
    return format == OutputFormat.TABLE
        ? "%s every %s, %s%n"
            .formatted(
                title, DurationText.of(interval), Instant.now().truncatedTo(ChronoUnit.SECONDS))
        : "";
  }

  private <A> String text(A answer, Function<? super A, ?> tree, Function<? super A, ?> words) {
    return switch (format) {
      case TABLE -> TerminalText.lines(String.valueOf(words.apply(answer)));
      case JSON -> JsonText.line(AnswerTree.of(tree.apply(answer)));
      case YAML -> "---\n" + YamlText.of(AnswerTree.of(tree.apply(answer)));
    };
  }
}
