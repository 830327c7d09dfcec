package io.kairos.edge.caller;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the file of tokens: a line for each, of caller, hash and end. */
final class TokensFile {
  private static final Pattern HASH = Pattern.compile("[0-9a-fA-F]{64}");
  private static final Pattern SPACES = Pattern.compile("\\s+");

  /**
   * A token, by its hash.
   *
   * @param notAfter null when it does not expire
   */
  record Token(String caller, String sha256, @Nullable Instant notAfter) {}

  private TokensFile() {}

  /**
   * Reads the text of the file.
   *
   * @param callers the names that are configured
   * @throws IllegalArgumentException that names the line and what is wrong with it
   */
  static List<Token> read(String text, Set<String> callers) {
    List<Token> tokens = new ArrayList<>();
    Set<String> hashes = new HashSet<>();
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      String words = line.strip();
      if (words.isEmpty() || words.startsWith("#")) {
        continue;
      }
      Token token = token(number, SPACES.split(words), callers);
      require(hashes.add(token.sha256), number, "another line has the same token");
      tokens.add(token);
    }
    return List.copyOf(tokens);
  }

  private static Token token(int number, String[] words, Set<String> callers) {
    require(
        words.length == 2 || words.length == 3,
        number,
        "must be the name of a caller, the SHA-256 of its token and, if it expires, when");
    require(callers.contains(words[0]), number, "no caller of http.callers has this name");
    require(HASH.matcher(words[1]).matches(), number, "the SHA-256 has 64 hexadecimal digits");
    try {
      Instant notAfter = words.length == 2 ? null : Instant.parse(words[2]);
      return new Token(words[0], words[1].toLowerCase(Locale.ROOT), notAfter);
    } catch (DateTimeParseException _) {
      throw mistake(number, "the end must be a time such as 2027-01-31T00:00:00Z");
    }
  }

  private static void require(boolean so, int line, String rule) {
    if (!so) {
      throw mistake(line, rule);
    }
  }

  /** Does not show the line, which may hold a token by mistake. */
  private static IllegalArgumentException mistake(int line, String rule) {
    return new IllegalArgumentException("line " + line + ": " + rule);
  }
}
