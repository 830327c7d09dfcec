package io.kairos.bench.report;

import io.kairos.bench.report.FigureList.Unit;
import java.util.List;

/** The smallest, the middle and the largest of several values of one figure. */
public record ValueSpread(double min, double median, double max) {
  /** Returns the spread of at least one value. */
  public static ValueSpread of(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    double median =
        sorted.size() % 2 == 1
            ? sorted.get(middle)
            : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    return new ValueSpread(sorted.getFirst(), median, sorted.getLast());
  }

  /** A row with a ratio. */
  public FigureList report(String key, String label, FigureList figures) {
    return figures
        .row(label)
        .add(key + ".min", "min", Unit.RATIO, min)
        .add(key + ".median", "median", Unit.RATIO, median)
        .add(key + ".max", "max", Unit.RATIO, max);
  }
}
