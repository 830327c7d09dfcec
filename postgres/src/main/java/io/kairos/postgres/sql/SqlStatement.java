package io.kairos.postgres.sql;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One statement, read from a file in the folder of its repository class. Comments are dropped and
 * {@code :name} parameters become positional; casts ({@code ::type}) and quoted text are left
 * alone. The {@code parts.sql} of a folder has the parts that several statements share, each under
 * a name in braces, which stands for the part in the statements. Loaded once, into a constant; a
 * missing or broken file fails the class that names it.
 *
 * @param text the statement with {@code ?} for each parameter
 * @param parameters the name of each {@code ?}, in order; a name that is used twice is there twice
 */
public record SqlStatement(String name, String text, List<String> parameters) {
  private static final String ROOT = "/io/kairos/postgres/";
  private static final String PARTS = "parts.sql";
  private static final Pattern PART_NAME = Pattern.compile("\\{(\\w+)}");

  /** The name of a part, then its lines, up to the next blank line. */
  private static final Pattern PART =
      Pattern.compile("^\\{(\\w+)}:\\n((?:.+\\n)+)", Pattern.MULTILINE);

  public SqlStatement {
    parameters = List.copyOf(parameters);
  }

  /**
   * Reads a statement.
   *
   * @param path below the folder of this module, such as {@code task/claim.sql}
   */
  public static SqlStatement load(String path) {
    return parse(path, whole(path, read(path)));
  }

  private static String read(String path) {
    try (InputStream in = SqlStatement.class.getResourceAsStream(ROOT + path)) {
      if (in == null) {
        throw new IllegalStateException("no file " + ROOT + path);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + path, e);
    }
  }

  /** Returns the text with its parts filled in; a part may name others. */
  private static String whole(String path, String text) {
    if (!PART_NAME.matcher(text).find()) {
      return text;
    }
    Map<String, String> parts = new HashMap<>();
    Matcher part = PART.matcher(read(path.substring(0, path.lastIndexOf('/') + 1) + PARTS));
    while (part.find()) {
      parts.put(requireNonNull(part.group(1)), requireNonNull(part.group(2)).strip());
    }
    String whole =
        PART_NAME
            .matcher(text)
            .replaceAll(name -> {
              String named = parts.get(name.group(1));
              if (named == null) {
                throw new IllegalStateException(
                    path + ": no part " + name.group() + " in " + PARTS);
              }
              return Matcher.quoteReplacement(named);
            });
    return whole(path, whole);
  }

  static SqlStatement parse(String name, String source) {
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
    return new SqlStatement(name, text.toString().strip(), parameters);
  }

  private static int endOr(String source, int index) {
    return index < 0 ? source.length() : index;
  }

  private static boolean isNamePart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  }

  /** The driver keeps prepared statements per connection, by their text. */
  public SqlCall on(Connection connection) {
    return new SqlCall(
        this,
        new SqlCall.Runner() {
          @Override
          public <T extends @Nullable Object> T run(SqlDatabase.Work<T> work) {
            try {
              return work.on(connection);
            } catch (SQLException e) {
              throw new SqlFailure(e);
            }
          }
        });
  }
}
