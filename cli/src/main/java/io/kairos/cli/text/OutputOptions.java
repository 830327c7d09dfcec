package io.kairos.cli.text;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import io.kairos.api.text.TerminalText;
import java.io.PrintWriter;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The output format of answers. */
public final class OutputOptions {
  private static final Gson JSON =
      new GsonBuilder().disableHtmlEscaping().setPrettyPrinting().create();

  @Option(
      names = {"-o", "--output"},
      scope = ScopeType.INHERIT,
      defaultValue = "TABLE",
      description = "Output format: table, json or yaml (default table).")
  Format format = Format.TABLE;

  /** Output formats. */
  public enum Format {
    TABLE,
    JSON,
    YAML
  }

  /**
   * Prints an answer.
   *
   * @param answer a record, an API message, or a list of them
   * @param table returns the text for the format table; called only for that format
   */
  public void print(PrintWriter out, @Nullable Object answer, Supplier<?> table) {
    switch (format) {
      case TABLE -> out.println(TerminalText.lines(String.valueOf(table.get())));
      case JSON -> out.println(json(AnswerTree.of(answer)));
      case YAML -> out.println(yaml(AnswerTree.of(answer)).stripTrailing());
    }
  }

  static String json(@Nullable Object tree) {
    return JSON.toJson(tree);
  }

  private static String yaml(@Nullable Object tree) {
    DumperOptions options = new DumperOptions();
    options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
    options.setSplitLines(false);
    return new Yaml(options).dump(tree);
  }
}
