package io.kairos.cli.text;

import io.kairos.api.text.TerminalText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A text table with aligned columns and a row per element; the last column may have any width. */
public final class TextTable<T> {
  private final Collection<T> elements;
  private final List<List<String>> columns = new ArrayList<>();

  private TextTable(Collection<T> elements) {
    this.elements = elements;
  }

  public static <T> TextTable<T> of(Collection<T> elements) {
    return new TextTable<>(elements);
  }

  /** Adds a column; null is shown as a dash. */
  public TextTable<T> column(String title, Function<? super T, ? extends @Nullable Object> cell) {
    List<String> column = new ArrayList<>(List.of(title));
    for (T element : elements) {
      Object value = cell.apply(element);
      column.add(value == null ? "-" : TerminalText.line(value.toString()));
    }
    columns.add(column);
    return this;
  }

  @Override
  public String toString() {
    StringBuilder[] lines = new StringBuilder[elements.size() + 1];
    Arrays.setAll(lines, row -> new StringBuilder());
    for (List<String> column : columns) {
      int width = column.stream().mapToInt(String::length).max().orElse(0) + 2;
      for (int row = 0; row < lines.length; row++) {
        String cell = column.get(row);
        lines[row].append(cell).repeat(' ', width - cell.length());
      }
    }
    return Stream.of(lines)
        .map(line -> line.toString().stripTrailing())
        .collect(Collectors.joining("\n"))
        .stripTrailing();
  }
}
