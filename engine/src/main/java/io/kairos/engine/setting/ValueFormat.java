package io.kairos.engine.setting;

import java.util.regex.Pattern;

/**
 * How the text of a setting's value is read and shown. A format that {@link Setting#format} names
 * has one constructor, without parameters or with {@link ValueFormats} to read parts by.
 */
public abstract class ValueFormat<T> {
  private final String name;
  private final String rule;
  private final String pattern;
  private final Pattern compiled;

  /**
   * A format.
   *
   * @param name for the documentation, a word or two
   * @param rule what is allowed, to follow "must be"
   * @param pattern regular expression of every text that is allowed, the same in Java and in
   *     JavaScript; empty for any text
   */
  protected ValueFormat(String name, String rule, String pattern) {
    this.name = name;
    this.rule = rule;
    this.pattern = pattern;
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
   * The value that the text means.
   *
   * @throws IllegalArgumentException when the text is not allowed
   */
  public final T read(String text) {
    if (!compiled.matcher(text).matches()) {
      throw new IllegalArgumentException(text + " is not " + rule);
    }
    return parse(text);
  }

  /** Throws {@link IllegalArgumentException} for a text that only the pattern allows. */
  protected abstract T parse(String text);

  /** A text from which the value can be read again. */
  public String print(T value) {
    return value.toString();
  }
}
