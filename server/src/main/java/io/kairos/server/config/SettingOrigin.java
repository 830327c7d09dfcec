package io.kairos.server.config;

/**
 * The origin of a value.
 *
 * @param text for operators
 * @param source the kind of origin, such as a file's name or {@code flags}
 */
public record SettingOrigin(String source, String text) {
  static final SettingOrigin DEFAULT = new SettingOrigin("default", "default");

  /** A line of the YAML file. */
  static SettingOrigin line(String file, int number) {
    return new SettingOrigin(file, file + " line " + number);
  }

  /** An environment variable with the value, or with the name of a file that contains it. */
  static SettingOrigin variable(String name) {
    return new SettingOrigin("environment", "environment variable " + name);
  }

  /** A flag of the command line, such as {@code --set} or {@code --data-dir}. */
  public static SettingOrigin flag(String name) {
    return new SettingOrigin("flags", "flag " + name);
  }
}
