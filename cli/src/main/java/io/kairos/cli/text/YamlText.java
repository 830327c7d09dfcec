package io.kairos.cli.text;

import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;

/** Writes trees of maps, lists and scalars as YAML in block style. */
public final class YamlText {
  private YamlText() {}

  /** Returns a document without the end of its last line. */
  public static String of(@Nullable Object tree) {
    DumperOptions options = new DumperOptions();
    options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
    options.setSplitLines(false);
    return new Yaml(options).dump(tree).stripTrailing();
  }
}
