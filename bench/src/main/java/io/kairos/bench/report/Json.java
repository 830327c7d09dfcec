package io.kairos.bench.report;

import java.util.List;
import java.util.Map;

/**
 * Writes maps, lists, numbers, strings, booleans and nulls as JSON (RFC 8259), indented. Numbers
 * that are none become null.
 */
public final class Json {
  private static final int INDENT = 2;

  private final StringBuilder out = new StringBuilder();

  private Json() {}

  public static String write(Object value) {
    Json json = new Json();
    json.append(value, 0);
    return json.out.append('\n').toString();
  }

  private void append(Object value, int depth) {
    switch (value) {
      case Map<?, ?> map -> object(map, depth);
      case List<?> list -> array(list, depth);
      case Double number -> out.append(Double.isFinite(number) ? rounded(number) : "null");
      case Number number -> out.append(number);
      case Boolean flag -> out.append(flag);
      default -> string(value.toString());
    }
  }

  /** Three digits behind the point are more than any of our figures is worth. */
  private static String rounded(double number) {
    double rounded = Math.round(number * 1_000) / 1_000.0;
    return rounded == Math.rint(rounded) && Math.abs(rounded) < 1e15
        ? Long.toString((long) rounded)
        : Double.toString(rounded);
  }

  private void object(Map<?, ?> map, int depth) {
    out.append('{');
    String separator = "";
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      out.append(separator);
      line(depth + 1);
      string(String.valueOf(entry.getKey()));
      out.append(": ");
      Object value = entry.getValue();
      if (value == null) {
        out.append("null");
      } else {
        append(value, depth + 1);
      }
      separator = ",";
    }
    if (!map.isEmpty()) {
      line(depth);
    }
    out.append('}');
  }

  /** Numbers stay on one line, so that a row of a table is a row. */
  private void array(List<?> list, int depth) {
    boolean flat = list.stream().allMatch(Number.class::isInstance);
    out.append('[');
    String separator = "";
    for (Object value : list) {
      out.append(separator);
      if (!flat) {
        line(depth + 1);
      }
      append(value, depth + 1);
      separator = flat ? ", " : ",";
    }
    if (!flat) {
      line(depth);
    }
    out.append(']');
  }

  private void line(int depth) {
    out.append('\n').repeat(' ', depth * INDENT);
  }

  private void string(String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"', '\\' -> out.append('\\').append(c);
        case '\n' -> out.append("\\n");
        case '\t' -> out.append("\\t");
        default -> {
          if (c < ' ') {
            out.append(String.format("\\u%04x", (int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }
}
