package io.kairos.server.config;

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
   * The documentation page of all settings.
   *
   * @param node settings of a node
   * @param replica settings that only a replica has
   */
  public static String reference(List<DocumentedSetting> node, List<DocumentedSetting> replica) {
    return """
    # Configuration

    <!-- Written by "./kairos config --markdown docs/configuration.md"; change nothing here. -->

    Settings come from one YAML file (`--config FILE`, or `KAIROS_CONFIG`), from the environment and from flags. The environment
    wins over the file, flags win over both. `./kairos config`, with the same file and flags, prints every key with its value and
    where it comes from.

    ```yaml
    # kairos.yaml
    postgres:
      url: jdbc:postgresql://db.example.com/kairos
      user: kairos
    kafka.bootstrap-servers: broker-1.example.com:9092,broker-2.example.com:9092
    delay:
      routes:
        orders:
          input: orders.delayed
          output: orders.due
          results-topic: orders.results
    ```

    ```sh
    KAIROS_POSTGRES_PASSWORD_FILE=/run/secrets/kairos ./kairos server --config kairos.yaml --set http.port=7071
    ```

    - A key's environment variable is `KAIROS_` and the key in capitals, with `_` for dots and hyphens: `KAIROS_HTTP_PORT`. With `_FILE`
      behind it, it names a file that holds the value.
    - A key that Kairos does not know, a value that is not allowed and values that do not go together refuse to start; the message
      names the key, the value, where it came from and what is allowed.
    - Durations are written `500ms`, `5s`, `2m`, `1h` or `PT5S`, sizes `64KiB`, `4MiB` or as a number of bytes.
    """
        + tables(node)
        + """

        # Configuration of a replica

        What `./kairos replica` runs has the keys below, and of those above all that begin with `http`, `logging` and `push`; its
        `http.port` is 7171 by default. `./kairos replica config` prints them all.
        """
        + tables(replica);
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
