package io.kairos.cli.text;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A text table with aligned columns; the last column may have any width. */
public final class TextTable {
  private final List<List<String>> rows = new ArrayList<>();

  public TextTable(String... titles) {
    rows.add(List.of(titles));
  }

  /** Adds a row with as many cells as there are titles; null is shown as a dash. */
  public TextTable row(@Nullable Object... cells) {
    List<String> row = new ArrayList<>();
    for (Object cell : cells) {
      row.add(cell == null ? "-" : cell.toString());
    }
    rows.add(row);
    return this;
  }

  @Override
  public String toString() {
    int columns = rows.getFirst().size();
    int[] width = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns - 1; i++) {
        width[i] = Math.max(width[i], row.get(i).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        line.append(row.get(i)).repeat(' ', Math.max(0, width[i] - row.get(i).length()) + 2);
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString().stripTrailing();
  }
}
