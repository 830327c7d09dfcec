package io.kairos.cli.text;

import io.kairos.api.text.TerminalText;
import java.io.PrintWriter;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Output formats of answers. */
public enum OutputFormat {
  TABLE,
  JSON,
  YAML;

  /**
   * Prints an answer.
   *
   * @param answer a record, an API message, or a list of them
   * @param table returns the text for the format table; called only for that format
   */
  public void print(PrintWriter out, @Nullable Object answer, Supplier<?> table) {
    switch (this) {
      case TABLE -> out.println(TerminalText.lines(String.valueOf(table.get())));
      case JSON -> out.println(JsonText.of(AnswerTree.of(answer)));
      case YAML -> out.println(YamlText.of(AnswerTree.of(answer)));
    }
  }
}
