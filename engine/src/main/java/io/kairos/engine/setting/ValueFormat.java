package io.kairos.engine.setting;

import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Reads and prints the text of a setting's value. A format that {@link Setting#format} names has
 * one constructor, without parameters or with {@link ValueFormats} for reading parts of the text.
 */
public class ValueFormat<T> {
  private final String name;
  private final String rule;
  private final String pattern;
  private final Pattern compiled;
  private final Function<String, T> parser;

  /**
   * Creates a format that prints values with {@link Object#toString}.
   *
   * @param name one or two words for the documentation
   * @param rule the allowed texts, as words that follow "must be"
   * @param pattern regular expression that every allowed text matches, valid in Java and in
   *     JavaScript; empty for any text
   * @param parser reads a text that matches the pattern; throws {@link IllegalArgumentException}
   *     for a text that is not allowed
   */
  public ValueFormat(String name, String rule, String pattern, Function<String, T> parser) {
    this.name = name;
    this.rule = rule;
    this.pattern = pattern;
    this.parser = parser;
    this.compiled = Pattern.compile(pattern.isEmpty() ? "(?s).*" : pattern);
  }

  public final String name() {
    return name;
  }

  public final String rule() {
    return rule;
  }

  public final String pattern() {
    return pattern;
  }

  /**
   * Reads the value from a text.
   *
   * @throws IllegalArgumentException when the text is not allowed
   */
  public final T read(String text) {
    if (!compiled.matcher(text).matches()) {
      throw new IllegalArgumentException(text + " is not " + rule);
    }
    return parser.apply(text);
  }

  /** Prints the value as a text from which it can be read again. */
  public String print(T value) {
    return value.toString();
  }
}
