package io.kairos.domain.pool;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Ports, single ones and ranges: {@code 80,443,1024-65535}. */
public record PortList(List<Range> ranges) {
  /** The rule for a list, for messages. */
  public static final String RULE =
      "ports and ranges of them from 1 to 65535, such as 443,8000-8999";

  /** The ports of the web, and all that are not reserved for system services. */
  public static final String USUAL = "80,443,1024-65535";

  /** The usual ports. */
  public static final PortList DEFAULT = of(List.of(USUAL.split(",", -1)));

  private static final int LAST = 65_535;

  /** From one port to another, both included. */
  public record Range(int first, int last) {
    @Override
    public String toString() {
      return first == last ? Integer.toString(first) : first + "-" + last;
    }
  }

  public PortList {
    ranges = List.copyOf(ranges);
  }

  /** Throws {@link IllegalArgumentException} for a text outside {@link #RULE}. */
  public static PortList of(List<String> texts) {
    // Not a constant: DEFAULT above is made before the constants below it.
    Pattern shape = Pattern.compile("([1-9][0-9]{0,4})(?:-([1-9][0-9]{0,4}))?");
    List<Range> ranges = new ArrayList<>();
    for (String text : texts) {
      Matcher parts = shape.matcher(text);
      if (!parts.matches()) {
        throw new IllegalArgumentException(text + " is not " + RULE);
      }
      int first = Integer.parseInt(requireNonNull(parts.group(1)));
      String end = parts.group(2);
      int last = end == null ? first : Integer.parseInt(end);
      if (first > last || last > LAST) {
        throw new IllegalArgumentException(text + " is not " + RULE);
      }
      ranges.add(new Range(first, last));
    }
    return new PortList(ranges);
  }

  public boolean contains(int port) {
    return ranges.stream().anyMatch(range -> range.first <= port && port <= range.last);
  }

  @Override
  public String toString() {
    return ranges.stream().map(Range::toString).collect(Collectors.joining(","));
  }
}
