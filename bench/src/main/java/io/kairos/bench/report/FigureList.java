package io.kairos.bench.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.kairos.bench.observe.LatenessSummary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The figures of a run, each once, with key, label, unit and value. The printed table and the JSON
 * come from this list. Used by one thread.
 */
public final class FigureList {
  private static final double JSON_DIGITS = 1_000;

  /** The printed form of a value; JSON has the bare value in the unit that the name says. */
  public enum Unit {
    TEXT,
    COUNT,
    DECIMAL,
    RATIO,
    PER_SECOND,
    MILLIS,
    MICROS,
    SECONDS,
    PERCENT,
    BYTES;

    private String shown(Object value) {
      return value instanceof Number number && this != TEXT
          ? shown(number.doubleValue())
          : value.toString();
    }

    private String shown(double value) {
      return switch (this) {
        case TEXT -> Double.toString(value);
        case COUNT -> ShownNumbers.count(value);
        case DECIMAL -> ShownNumbers.decimal(value);
        case RATIO -> String.format(Locale.ROOT, "%.3f", value);
        case PER_SECOND -> ShownNumbers.count(value) + "/s";
        case MILLIS -> ShownNumbers.millis(value);
        case MICROS -> ShownNumbers.decimal(value) + " µs";
        case SECONDS -> ShownNumbers.decimal(value) + " s";
        case PERCENT -> ShownNumbers.decimal(value) + " %";
        case BYTES -> ShownNumbers.mebibytes(Math.round(value));
      };
    }
  }

  private record Figure(String label, Unit unit, Object value) {
    String shown() {
      return unit.shown(value);
    }

    @Override
    public String toString() {
      return label.isEmpty() ? shown() : label + " " + shown();
    }
  }

  private record Row(String label, List<String> words, List<List<String>> columns) {}

  private final List<Row> rows = new ArrayList<>();
  private final Map<String, Object> data = new LinkedHashMap<>();

  /** Begins a row of the table; what is added next stands in it. */
  public FigureList row(String label) {
    rows.add(new Row(label, new ArrayList<>(), new ArrayList<>()));
    return this;
  }

  /** Words of the table that are no figure. */
  public FigureList note(String words) {
    rows.getLast().words.add(words);
    return this;
  }

  /**
   * A figure of the row.
   *
   * @param key in the JSON; {@code a.b} is {@code b} in the object {@code a}
   * @param label before the value; empty for none
   */
  public FigureList add(String key, String label, Unit unit, Object value) {
    rows.getLast().words.add(new Figure(label, unit, value).toString());
    return only(key, value);
  }

  /** A row with one text, whose label is its key as well. */
  public FigureList fact(String label, Object text) {
    return row(label).add(label, "", Unit.TEXT, text);
  }

  /** A count of the row. */
  public FigureList count(String key, String label, Number value) {
    return add(key, label, Unit.COUNT, value);
  }

  /** A row with a distribution in milliseconds. */
  public FigureList lateness(String key, String label, LatenessSummary of) {
    return row(label)
        .only(key + ".count", of.count())
        .add(key + ".p50", "p50", Unit.DECIMAL, of.p50())
        .add(key + ".p90", "p90", Unit.DECIMAL, of.p90())
        .add(key + ".p99", "p99", Unit.DECIMAL, of.p99())
        .add(key + ".p999", "p99.9", Unit.DECIMAL, of.p999())
        .add(key + ".max", "max", Unit.MILLIS, of.max());
  }

  /** A value for the JSON alone. */
  public FigureList only(String key, Object value) {
    Map<String, Object> at = data;
    String[] names = key.split("\\.", -1);
    for (int i = 0; i < names.length - 1; i++) {
      at = inner(at, names[i]);
    }
    at.put(names[names.length - 1], value);
    return this;
  }

  @SuppressWarnings("unchecked") // whatever has an inner name was put there by this method
  private static Map<String, Object> inner(Map<String, Object> at, String name) {
    return (Map<String, Object>) at.computeIfAbsent(name, _ -> new LinkedHashMap<>());
  }

  /** Adds the figures of several things: a line for each, below a line of labels. */
  public FigureList lines(String key, List<FigureColumns> lines) {
    if (!lines.isEmpty()) {
      Row row = row("").rows.getLast();
      row.columns.add(lines.getFirst().labels());
      lines.forEach(line -> row.columns.add(line.shown()));
    }
    return only(key, lines.stream().map(FigureColumns::data).toList());
  }

  /** One line of several with the same figures. */
  public static final class FigureColumns {
    private final Map<String, Figure> figures = new LinkedHashMap<>();

    /** The next column. */
    public FigureColumns add(String key, String label, Unit unit, Object value) {
      figures.put(key, new Figure(label, unit, value));
      return this;
    }

    private List<String> labels() {
      return figures.values().stream().map(Figure::label).toList();
    }

    private List<String> shown() {
      return figures.values().stream().map(Figure::shown).toList();
    }

    private Map<String, Object> data() {
      Map<String, Object> data = new LinkedHashMap<>();
      figures.forEach((key, figure) -> data.put(key, plain(figure.value)));
      return data;
    }
  }

  /** The number with that key. */
  public double number(String key) {
    Object at = data;
    for (String name : key.split("\\.", -1)) {
      at = at instanceof Map<?, ?> map ? map.get(name) : null;
    }
    if (at instanceof Number number) {
      return number.doubleValue();
    }
    throw new IllegalArgumentException("there is no number " + key);
  }

  /** Data of the JSON: maps, lists, texts and numbers with at most three decimals. */
  public Map<String, Object> data() {
    Map<String, Object> all = new LinkedHashMap<>();
    data.forEach((key, value) -> all.put(key, plain(value)));
    return all;
  }

  /** Writes figures as JSON to a file, each list below its name. */
  public static void writeJson(Path file, Map<String, FigureList> lists) throws IOException {
    Map<String, Object> data = new LinkedHashMap<>();
    lists.forEach((name, list) -> data.put(name, list.data()));
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    new ObjectMapper().writerWithDefaultPrettyPrinter().writeValue(file.toFile(), data);
  }

  private static Object plain(Object value) {
    return switch (value) {
      case Map<?, ?> map -> {
        Map<String, Object> all = new LinkedHashMap<>();
        map.forEach((key, inner) -> all.put(String.valueOf(key), plain(inner)));
        yield all;
      }
      case List<?> list -> list.stream().map(FigureList::plain).toList();
      case Double number when Double.isFinite(number) -> {
        double rounded = Math.round(number * JSON_DIGITS) / JSON_DIGITS;
        yield rounded == Math.rint(rounded) ? (Object) (long) rounded : (Object) rounded;
      }
      case Number number when !(number instanceof Double) -> number;
      case Boolean flag -> flag;
      default -> value.toString();
    };
  }

  /** The table: labels in a column of their own, lines of several things aligned. */
  @Override
  public String toString() {
    int width = rows.stream().mapToInt(row -> row.label.length()).max().orElse(0);
    StringBuilder out = new StringBuilder();
    for (Row row : rows) {
      if (row.columns.isEmpty()) {
        line(out, pad(row.label, width) + "  " + String.join(", ", row.words));
      } else {
        List<Integer> widths = widths(row.columns);
        for (List<String> cells : row.columns) {
          List<String> padded = new ArrayList<>();
          for (int i = 0; i < cells.size(); i++) {
            padded.add(pad(cells.get(i), widths.get(i)));
          }
          line(out, String.join("  ", padded));
        }
      }
    }
    return out.toString();
  }

  private static List<Integer> widths(List<List<String>> lines) {
    List<Integer> widths = new ArrayList<>(Collections.nCopies(lines.getFirst().size(), 0));
    for (List<String> line : lines) {
      for (int i = 0; i < line.size(); i++) {
        widths.set(i, Math.max(widths.get(i), line.get(i).length()));
      }
    }
    return widths;
  }

  private static void line(StringBuilder out, String text) {
    out.append("  ").append(text.stripTrailing()).append('\n');
  }

  private static String pad(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }
}
