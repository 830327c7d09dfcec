package io.kairos.bench.report;

import java.util.ArrayList;
import java.util.List;

/**
 * Lines of aligned columns for the terminal: the first to the left, the others to the right or left
 * as asked.
 */
public final class Table {
  private final List<List<String>> rows = new ArrayList<>();

  /** A row; rows may differ in length. */
  public Table row(Object... cells) {
    List<String> row = new ArrayList<>();
    for (Object cell : cells) {
      row.add(String.valueOf(cell));
    }
    rows.add(row);
    return this;
  }

  @Override
  public String toString() {
    int columns = rows.stream().mapToInt(List::size).max().orElse(0);
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < row.size() - 1; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    StringBuilder out = new StringBuilder();
    for (List<String> row : rows) {
      out.append("  ");
      for (int i = 0; i < row.size(); i++) {
        out.append(row.get(i));
        if (i < row.size() - 1) {
          out.repeat(' ', widths[i] - row.get(i).length() + 2);
        }
      }
      out.append('\n');
    }
    return out.toString();
  }
}
