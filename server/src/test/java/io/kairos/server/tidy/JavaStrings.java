package io.kairos.server.tidy;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The string literals of a Java source, without its comments. Literals joined by nothing but {@code
 * +} are one: a statement that is cut into lines is still a statement.
 */
final class JavaStrings {
  /** A comment, a text block, a string, a character, in the order in which a reader tries them. */
  private static final Pattern TOKEN =
      Pattern.compile(
          "//[^\\n]*|/\\*.*?\\*/|\"\"\"(?<block>(?:\\\\.|.)*?)\"\"\"|\"(?<line>(?:\\\\.|[^\"\\\\\\n])*)\"|'(?:\\\\.|[^'\\\\\\n])+'",
          Pattern.DOTALL);

  private static final Pattern JOINED = Pattern.compile("[\\s+]*\\+[\\s+]*");

  private JavaStrings() {}

  static List<String> in(String source) {
    List<String> literals = new ArrayList<>();
    int endOfLast = -1;
    Matcher token = TOKEN.matcher(source);
    while (token.find()) {
      String text = token.group("block") != null ? token.group("block") : token.group("line");
      if (text == null) {
        continue;
      }
      if (endOfLast >= 0 && JOINED.matcher(source.substring(endOfLast, token.start())).matches()) {
        literals.add(literals.removeLast() + text);
      } else {
        literals.add(text);
      }
      endOfLast = token.end();
    }
    return literals;
  }
}
