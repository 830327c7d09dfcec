package io.kairos.server.config;

/** The origin of a value; {@code toString} is its text for operators. */
public sealed interface SettingOrigin {
  record Default() implements SettingOrigin {
    @Override
    public String toString() {
      return "default";
    }
  }

  /** A line of the YAML file. */
  record Line(String file, int number) implements SettingOrigin {
    @Override
    public String toString() {
      return file + " line " + number;
    }
  }

  /** An environment variable with the value, or with the name of a file that contains it. */
  record Variable(String name) implements SettingOrigin {
    @Override
    public String toString() {
      return "environment variable " + name;
    }
  }

  /** A flag of the command line, such as {@code --set} or {@code --data-dir}. */
  record Flag(String name) implements SettingOrigin {
    @Override
    public String toString() {
      return "flag " + name;
    }
  }
}
