package io.kairos.cli.text;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Text with one line per part. */
public final class TextLines {
  private final List<String> lines = new ArrayList<>();

  /** Adds a line, unless the part is null or empty. */
  public TextLines add(String title, @Nullable Object part) {
    String text = part == null ? "" : part.toString();
    if (!text.isEmpty()) {
      lines.add(title + text);
    }
    return this;
  }

  @Override
  public String toString() {
    return String.join(System.lineSeparator(), lines);
  }
}
