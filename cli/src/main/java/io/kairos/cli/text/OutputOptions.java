package io.kairos.cli.text;

import java.io.PrintWriter;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;
import picocli.CommandLine.Option;

/** How an answer is printed: for people, or for programs. */
public final class OutputOptions {
  @Option(
      names = {"-o", "--output"},
      defaultValue = "TABLE",
      description = "How to print it: table, json or yaml (default table).")
  Format format = Format.TABLE;

  /** What it can be printed as. */
  public enum Format {
    TABLE,
    JSON,
    YAML
  }

  /**
   * Prints an answer.
   *
   * @param answer a record, a message of the wire, or a list of them
   * @param table the same for people; asked for only then
   */
  public void print(PrintWriter out, @Nullable Object answer, Supplier<?> table) {
    switch (format) {
      case TABLE -> out.println(table.get());
      case JSON -> out.println(Json.of(Tree.of(answer)));
      case YAML -> out.println(yaml(Tree.of(answer)).stripTrailing());
    }
  }

  private static String yaml(@Nullable Object tree) {
    DumperOptions options = new DumperOptions();
    options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
    options.setSplitLines(false);
    return new Yaml(options).dump(tree);
  }
}
