package io.kairos.server.config;

import io.kairos.api.text.ResourceText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Prints settings: the effective ones for a terminal, all of them as a documentation page. */
public final class SettingsListing {
  private SettingsListing() {}

  /** One line per key with its value and, in brackets, its origin unless that is the default. */
  public static String effective(List<GivenSetting> settings) {
    return settings.stream()
        .map(setting ->
            "%s = %s%s%n"
                .formatted(
                    setting.key(),
                    setting.text(),
                    setting.origin().equals(SettingOrigin.DEFAULT)
                        ? ""
                        : "   [" + setting.origin().text() + "]"))
        .collect(Collectors.joining());
  }

  /** One line with the keys that do not have their default, by their origin. */
  public static String origins(List<GivenSetting> settings) {
    Map<String, List<String>> keys = new LinkedHashMap<>();
    for (GivenSetting setting : settings) {
      if (!setting.origin().equals(SettingOrigin.DEFAULT)) {
        keys.computeIfAbsent(setting.origin().source(), place -> new ArrayList<>())
            .add(setting.key());
      }
    }
    if (keys.isEmpty()) {
      return "all defaults";
    }
    return keys.entrySet().stream()
            .map(place -> place.getKey() + ": " + String.join(", ", place.getValue()))
            .collect(Collectors.joining("; "))
        + "; all else default";
  }

  /**
   * The documentation page of all settings: the text {@code configuration.md} with tables of keys.
   *
   * @param node settings of a node
   * @param replica settings that only a replica has
   */
  public static String reference(List<DocumentedSetting> node, List<DocumentedSetting> replica) {
    return ResourceText.of(SettingsListing.class, "configuration.md")
        .replace("${node}", tables(node))
        .replace("${replica}", tables(replica));
  }

  private static String tables(List<DocumentedSetting> settings) {
    Map<String, List<DocumentedSetting>> tables = new LinkedHashMap<>();
    for (DocumentedSetting setting : settings) {
      tables.computeIfAbsent(table(setting.key()), key -> new ArrayList<>()).add(setting);
    }
    StringBuilder page = new StringBuilder();
    tables.forEach((title, rows) -> {
      page.append("\n## `").append(title).append("`\n\n");
      page.append("| Key | Default | Kind | Meaning |\n| --- | --- | --- | --- |\n");
      for (DocumentedSetting row : rows) {
        page.append(
            "| `%s` | %s | %s | %s |\n"
                .formatted(
                    row.key(), code(row.fallback()), kind(row), row.declared().description()));
      }
    });
    return page.toString();
  }

  private static String table(String key) {
    String[] words = key.split("\\.", -1);
    return words[0].equals("delay") ? words[0] + "." + words[1] : words[0];
  }

  private static String kind(DocumentedSetting setting) {
    return (setting.format().name() + " " + setting.bounds()).trim();
  }

  private static String code(String text) {
    return text.isEmpty() ? "none" : "`" + text + "`";
  }
}
