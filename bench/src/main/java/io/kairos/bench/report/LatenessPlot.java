package io.kairos.bench.report;

import com.google.errorprone.annotations.FormatMethod;
import io.kairos.bench.observe.ArrivalLedger;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Lateness over time as a picture: p50, p99 and p99.9 of each second, logarithmic from 0.1 ms on.
 * Plain SVG 1.1 without style sheets or scripts, readable on light and dark.
 */
public final class LatenessPlot {
  private static final int WIDTH = 960;
  private static final int HEIGHT = 420;
  private static final int LEFT = 70;
  private static final int RIGHT = 20;
  private static final int TOP = 50;
  private static final int BOTTOM = 50;
  private static final double LOWEST_MILLIS = 0.1;
  private static final int MOST_TIME_LABELS = 10;
  private static final List<Integer> STEPS = List.of(1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1_800);

  private final StringBuilder out = new StringBuilder();
  private final int firstSecond;
  private final int lastSecond;
  private final double highestMillis;

  /**
   * One second of a run.
   *
   * @param second since the start of the load
   */
  public record Point(int second, double p50, double p99, double p999) {}

  /** A part of the run, shaded: the warm-up, an outage. */
  public record Band(int fromSecond, int untilSecond, String label) {}

  private LatenessPlot(List<Point> points) {
    firstSecond = points.stream().mapToInt(Point::second).min().orElse(0);
    lastSecond = Math.max(firstSecond + 1, points.stream().mapToInt(Point::second).max().orElse(1));
    double max = points.stream().mapToDouble(Point::p999).max().orElse(1);
    highestMillis = Math.pow(10, Math.ceil(Math.log10(Math.max(max, 1_000))));
  }

  /** What was observed in each second. */
  public static List<Point> points(List<ArrivalLedger.Second> seconds) {
    return seconds.stream()
        .map(
            s -> new Point(s.second(), s.lateness().p50(), s.lateness().p99(), s.lateness().p999()))
        .toList();
  }

  /** The whole file; {@code limitMillis} draws a line, zero draws none. */
  public static String svg(String title, List<Point> points, List<Band> bands, double limitMillis) {
    LatenessPlot plot = new LatenessPlot(points);
    plot.frame(title);
    bands.forEach(plot::band);
    plot.grid();
    if (limitMillis > 0) {
      plot.limit(limitMillis);
    }
    plot.line("p99.9", "#d62728", 0, points, Point::p999);
    plot.line("p99", "#ff7f0e", 1, points, Point::p99);
    plot.line("p50", "#1f77b4", 2, points, Point::p50);
    return plot.out.append("</svg>\n").toString();
  }

  private void frame(String title) {
    add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">",
        WIDTH, HEIGHT);
    add("<rect width=\"%d\" height=\"%d\" fill=\"white\"/>", WIDTH, HEIGHT);
    add("<text x=\"%d\" y=\"20\" font-size=\"15\">%s</text>", LEFT, escaped(title));
    add(
        "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">seconds since the load began, by due time</text>",
        WIDTH / 2, HEIGHT - 12);
    add(
        "<text transform=\"translate(16 %d) rotate(-90)\" text-anchor=\"middle\">lateness, ms</text>",
        HEIGHT / 2);
  }

  private void grid() {
    for (double decade = LOWEST_MILLIS; decade <= highestMillis * 1.001; decade *= 10) {
      double y = y(decade);
      add("<path d=\"M%d %.1fH%d\" stroke=\"#ddd\"/>", LEFT, y, WIDTH - RIGHT);
      add(
          "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>",
          LEFT - 6,
          y + 4,
          decade < 1
              ? String.format(Locale.ROOT, "%.1f", decade)
              : Long.toString(Math.round(decade)));
    }
    int span = lastSecond - firstSecond;
    int step =
        STEPS.stream()
            .filter(seconds -> span / seconds <= MOST_TIME_LABELS)
            .findFirst()
            .orElse(3_600);
    for (int second = Math.ceilDiv(firstSecond, step) * step;
        second <= lastSecond;
        second += step) {
      add("<path d=\"M%.1f %dV%d\" stroke=\"#eee\"/>", x(second), TOP, HEIGHT - BOTTOM);
      add(
          "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d</text>",
          x(second), HEIGHT - BOTTOM + 16, second);
    }
  }

  private void band(Band band) {
    double from = x(Math.max(band.fromSecond(), firstSecond));
    double until = x(Math.min(band.untilSecond(), lastSecond));
    add(
        "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"#f3f3f3\"/>",
        from, TOP, Math.max(0, until - from), HEIGHT - TOP - BOTTOM);
    add(
        "<text x=\"%.1f\" y=\"%d\" fill=\"#888\">%s</text>",
        from + 4, TOP + 14, escaped(band.label()));
  }

  private void limit(double millis) {
    add(
        "<path d=\"M%d %.1fH%d\" stroke=\"#d62728\" stroke-dasharray=\"4 4\" stroke-opacity=\"0.5\"/>",
        LEFT, y(millis), WIDTH - RIGHT);
  }

  private void line(
      String name, String colour, int nth, List<Point> points, ToDoubleFunction<Point> of) {
    StringBuilder path = new StringBuilder();
    for (Point point : points) {
      path.append(path.isEmpty() ? 'M' : 'L')
          .append(
              String.format(
                  Locale.ROOT, "%.1f %.1f", x(point.second()), y(of.applyAsDouble(point))));
    }
    add("<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.3\"/>", path, colour);
    int x = WIDTH - RIGHT - 200 + nth * 70;
    add("<path d=\"M%d 36h18\" stroke=\"%s\" stroke-width=\"2\"/>", x, colour);
    add("<text x=\"%d\" y=\"40\">%s</text>", x + 22, name);
  }

  private double x(double second) {
    return LEFT
        + (second - firstSecond) / (double) (lastSecond - firstSecond) * (WIDTH - LEFT - RIGHT);
  }

  private double y(double millis) {
    double share =
        Math.log10(Math.max(millis, LOWEST_MILLIS) / LOWEST_MILLIS)
            / Math.log10(highestMillis / LOWEST_MILLIS);
    return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM);
  }

  @FormatMethod
  private void add(String format, Object... values) {
    out.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;");
  }
}
