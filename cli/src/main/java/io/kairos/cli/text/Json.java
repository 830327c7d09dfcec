package io.kairos.cli.text;

import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes trees as JSON, indented by two. */
final class Json {
  private static final int FIRST_PRINTABLE = 0x20;

  private final StringBuilder text = new StringBuilder();

  private Json() {}

  static String of(@Nullable Object tree) {
    Json json = new Json();
    json.value(tree, "\n");
    return json.text.toString();
  }

  private void value(@Nullable Object tree, String margin) {
    switch (tree) {
      case null -> text.append("null");
      case Map<?, ?> map -> {
        Iterator<? extends Map.Entry<?, ?>> entries = map.entrySet().iterator();
        text.append('{');
        while (entries.hasNext()) {
          Map.Entry<?, ?> entry = entries.next();
          text.append(margin).append("  ");
          string(String.valueOf(entry.getKey()));
          text.append(": ");
          value(entry.getValue(), margin + "  ");
          text.append(entries.hasNext() ? "," : margin);
        }
        text.append('}');
      }
      case Collection<?> list -> {
        Iterator<?> values = list.iterator();
        text.append('[');
        while (values.hasNext()) {
          text.append(margin).append("  ");
          value(values.next(), margin + "  ");
          text.append(values.hasNext() ? "," : margin);
        }
        text.append(']');
      }
      case Number number -> text.append(number);
      case Boolean flag -> text.append(flag);
      default -> string(tree.toString());
    }
  }

  private void string(String value) {
    text.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '"' -> text.append("\\\"");
        case '\\' -> text.append("\\\\");
        case '\n' -> text.append("\\n");
        case '\r' -> text.append("\\r");
        case '\t' -> text.append("\\t");
        default -> {
          if (c < FIRST_PRINTABLE) {
            text.append("\\u%04x".formatted((int) c));
          } else {
            text.append(c);
          }
        }
      }
    }
    text.append('"');
  }
}
