package io.kairos.postgres.sql;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * One statement, read from the file of this name beside its repository class. Comments are dropped
 * and {@code :name} parameters become positional; casts ({@code ::type}) and quoted text are left
 * alone. Loaded once, into a constant; a missing or broken file fails the class that names it.
 */
public final class Sql {
  private final String name;
  private final String text;
  private final List<String> parameters;

  private Sql(String name, String text, List<String> parameters) {
    this.name = name;
    this.text = text;
    this.parameters = List.copyOf(parameters);
  }

  public static Sql load(Class<?> owner, String file) {
    try (InputStream in = owner.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException("no " + file + " beside " + owner.getName());
      }
      return parse(file, new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  static Sql parse(String name, String source) {
    StringBuilder text = new StringBuilder(source.length());
    List<String> parameters = new ArrayList<>();
    int at = 0;
    while (at < source.length()) {
      char c = source.charAt(at);
      if (source.startsWith("--", at)) {
        at = endOr(source, source.indexOf('\n', at));
      } else if (source.startsWith("::", at)) {
        text.append("::");
        at += 2;
      } else if (c == '\'' || c == '"') {
        int end = source.indexOf(c, at + 1);
        if (end < 0) {
          throw new IllegalStateException(name + ": a quote is not closed");
        }
        text.append(source, at, end + 1);
        at = end + 1;
      } else if (c == '?') {
        throw new IllegalStateException(name + ": write :name for a parameter, not ?");
      } else if (c == ':') {
        int end = at + 1;
        while (end < source.length() && isNamePart(source.charAt(end))) {
          end++;
        }
        if (end == at + 1) {
          throw new IllegalStateException(name + ": a parameter without a name");
        }
        parameters.add(source.substring(at + 1, end));
        text.append('?');
        at = end;
      } else {
        text.append(c);
        at++;
      }
    }
    return new Sql(name, text.toString().strip(), parameters);
  }

  private static int endOr(String source, int index) {
    return index < 0 ? source.length() : index;
  }

  private static boolean isNamePart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  }

  /** Prepares the statement; the driver keeps prepared statements per connection, by their text. */
  @SuppressWarnings("MustBeClosed") // the caller closes the call
  public Call on(Connection connection) throws SQLException {
    return new Call(this, connection.prepareStatement(text));
  }

  public String name() {
    return name;
  }

  /** The statement with {@code ?} for each parameter. */
  public String text() {
    return text;
  }

  /** The name of each {@code ?}, in order; a name that is used twice is there twice. */
  public List<String> parameters() {
    return parameters;
  }

  @Override
  public String toString() {
    return name;
  }
}
