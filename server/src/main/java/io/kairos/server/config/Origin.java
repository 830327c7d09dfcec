package io.kairos.server.config;

/** Where a value came from, as an operator would say it. */
public sealed interface Origin {
  record Default() implements Origin {
    @Override
    public String toString() {
      return "default";
    }
  }

  /** A line of the YAML file. */
  record Line(String file, int number) implements Origin {
    @Override
    public String toString() {
      return file + " line " + number;
    }
  }

  /** An environment variable; the value may stand in a file that the variable names. */
  record Variable(String name) implements Origin {
    @Override
    public String toString() {
      return "environment variable " + name;
    }
  }

  /** On the command line, such as {@code --set} or {@code --data-dir}. */
  record Flag(String name) implements Origin {
    @Override
    public String toString() {
      return "flag " + name;
    }
  }
}
