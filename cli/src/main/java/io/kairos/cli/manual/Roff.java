package io.kairos.cli.manual;

/** Builds a text in the language of man. */
final class Roff {
  private final StringBuilder text = new StringBuilder();

  /** Adds a request, such as {@code .SH}, with its arguments. */
  Roff request(String name, String... arguments) {
    text.append('.').append(name);
    for (String argument : arguments) {
      text.append(" \"").append(escaped(argument)).append('"');
    }
    text.append('\n');
    return this;
  }

  /** Adds a line of text, which is filled into a paragraph unless filling is off. */
  Roff line(String plain) {
    return formatted(escaped(plain));
  }

  /** Adds a line of text that is already escaped. A dot at its beginning would be a request. */
  Roff formatted(String line) {
    text.append(line.startsWith(".") ? "\\&" : "").append(line).append('\n');
    return this;
  }

  static String bold(String plain) {
    return "\\fB" + escaped(plain) + "\\fR";
  }

  static String italic(String plain) {
    return "\\fI" + escaped(plain) + "\\fR";
  }

  /**
   * Escapes a text so that each character appears as itself: an unescaped dash may become a hyphen,
   * which cannot be copied into a shell, quotes may become curved, and a backslash begins an
   * escape.
   */
  static String escaped(String plain) {
    StringBuilder escaped = new StringBuilder();
    plain
        .codePoints()
        .forEach(c -> {
          switch (c) {
            case '\\' -> escaped.append("\\(rs");
            case '-' -> escaped.append("\\-");
            case '\'' -> escaped.append("\\(aq");
            case '"' -> escaped.append("\\(dq");
            case '`' -> escaped.append("\\(ga");
            case '^' -> escaped.append("\\(ha");
            case '~' -> escaped.append("\\(ti");
            default -> {
              if (c < 128) {
                escaped.append((char) c);
              } else {
                escaped.append("\\[u%04X]".formatted(c));
              }
            }
          }
        });
    return escaped.toString();
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
