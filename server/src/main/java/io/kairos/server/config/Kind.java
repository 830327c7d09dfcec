package io.kairos.server.config;

import static java.util.Objects.requireNonNull;

import io.kairos.api.text.DurationText;
import io.kairos.domain.task.HandlerName;
import io.kairos.domain.task.PoolName;
import io.kairos.domain.task.TaskHandler;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A kind of value: how its text is read, how it is shown, and what is allowed, in words.
 *
 * @param name for the documentation
 * @param allowed what may stand there, to follow "must be"
 * @param reader throws {@link IllegalArgumentException} for anything else
 */
public record Kind<T>(
    String name, String allowed, Function<String, T> reader, Function<T, String> printer) {
  private static final Pattern WHOLE = Pattern.compile("-?[0-9]{1,18}");
  private static final Pattern AMOUNT =
      Pattern.compile("([0-9]{1,15}(?:\\.[0-9]{1,9})?)([a-zA-Z]*)");
  private static final Pattern TOPIC_NAME = Pattern.compile("[a-zA-Z0-9._-]{1,249}");

  /** What nanoseconds in a long can hold, with room for sums. */
  private static final Duration LONGEST = Duration.ofDays(36_500);

  /** Bytes by unit, largest first. */
  private static final Map<String, Long> SIZE_UNITS = new LinkedHashMap<>();

  static {
    SIZE_UNITS.put("GiB", 1L << 30);
    SIZE_UNITS.put("MiB", 1L << 20);
    SIZE_UNITS.put("KiB", 1L << 10);
  }

  public static final Kind<String> TEXT = new Kind<>("text", "a text", text -> text, text -> text);

  public static final Kind<Boolean> FLAG =
      new Kind<>("true or false", "true or false", Kind::readFlag, Object::toString);

  public static final Kind<Duration> DURATION =
      new Kind<>(
          "duration",
          "a duration such as 500ms, 5s, 2m or PT5S",
          Kind::readDuration,
          DurationText::of);

  public static final Kind<Long> BYTES =
      new Kind<>(
          "size", "a number of bytes such as 4MiB or 65536", Kind::readBytes, Kind::printBytes);

  public static final Kind<String> TOPIC =
      new Kind<>(
          "topic",
          "a Kafka topic's name: letters, digits, dot, hyphen and underscore, at most 249",
          Kind::readTopic,
          text -> text);

  public static final Kind<Set<String>> TOPICS =
      new Kind<>(
          "topics",
          "Kafka topics' names, as a list or separated by commas",
          text -> readNames(text, Kind::readTopic),
          topics -> String.join(", ", topics));

  public static final Kind<Set<HandlerName>> HANDLERS =
      new Kind<>(
          "handlers",
          "handlers' names, as a list or separated by commas; a name has "
              + HandlerName.RULE
              + " and does not begin with "
              + TaskHandler.POOL_PREFIX,
          Kind::readHandlers,
          handlers -> handlers.stream().map(HandlerName::value).collect(Collectors.joining(", ")));

  public static final Kind<Set<PoolName>> POOLS =
      new Kind<>(
          "pools",
          "pools' names, as a list or separated by commas; a name has " + PoolName.RULE,
          text -> readNames(text, PoolName::new),
          pools -> pools.stream().map(PoolName::value).collect(Collectors.joining(", ")));

  public static Kind<Integer> number(int least, int most) {
    return new Kind<>(
        "number",
        "a whole number from " + least + " to " + most,
        text -> {
          require(WHOLE.matcher(text).matches());
          long number = Long.parseLong(text);
          require(number >= least && number <= most);
          return (int) number;
        },
        Object::toString);
  }

  /** One of a few words, written in lower case. */
  public static <E extends Enum<E>> Kind<E> oneOf(Class<E> words) {
    Map<String, E> byName = new LinkedHashMap<>();
    for (E word : EnumSet.allOf(words)) {
      byName.put(word.name().toLowerCase(Locale.ROOT), word);
    }
    String names = String.join(", ", byName.keySet());
    return new Kind<>(
        names,
        "one of " + names,
        text -> {
          E word = byName.get(text);
          if (word == null) {
            throw new IllegalArgumentException();
          }
          return word;
        },
        word -> word.name().toLowerCase(Locale.ROOT));
  }

  /** Some of a few words, as a list or separated by commas. */
  public static <E extends Enum<E>> Kind<Set<E>> someOf(Class<E> words) {
    Kind<E> one = oneOf(words);
    return new Kind<>(
        "list",
        "a list of " + one.name(),
        text -> {
          Set<E> some = EnumSet.noneOf(words);
          for (String word : text.split(",", -1)) {
            some.add(one.read(word.trim()));
          }
          return some;
        },
        some -> some.stream().map(one::print).collect(Collectors.joining(", ")));
  }

  T read(String text) {
    return reader.apply(text);
  }

  String print(T value) {
    return printer.apply(value);
  }

  private static boolean readFlag(String text) {
    require(text.equals("true") || text.equals("false"));
    return text.equals("true");
  }

  private static Duration readDuration(String text) {
    Duration length = text.equals("0") ? Duration.ZERO : DurationText.parse(text);
    require(length.compareTo(LONGEST) <= 0);
    return length;
  }

  private static long readBytes(String text) {
    if (WHOLE.matcher(text).matches() && !text.startsWith("-")) {
      return Long.parseLong(text);
    }
    Matcher matcher = AMOUNT.matcher(text);
    require(matcher.matches());
    Long unit = SIZE_UNITS.get(matcher.group(2));
    if (unit == null) {
      throw new IllegalArgumentException();
    }
    try {
      return new BigDecimal(requireNonNull(matcher.group(1)))
          .multiply(BigDecimal.valueOf(unit))
          .setScale(0, RoundingMode.UNNECESSARY)
          .longValueExact();
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static String printBytes(long bytes) {
    for (Map.Entry<String, Long> unit : SIZE_UNITS.entrySet()) {
      if (bytes != 0 && bytes % unit.getValue() == 0) {
        return bytes / unit.getValue() + unit.getKey();
      }
    }
    return Long.toString(bytes);
  }

  private static String readTopic(String text) {
    require(TOPIC_NAME.matcher(text).matches() && !text.equals(".") && !text.equals(".."));
    return text;
  }

  private static Set<HandlerName> readHandlers(String text) {
    return readNames(text, HandlerName::new);
  }

  private static <N> Set<N> readNames(String text, Function<String, N> reader) {
    return Arrays.stream(text.split(",", -1))
        .map(String::trim)
        .filter(name -> !name.isEmpty())
        .map(reader)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private static void require(boolean holds) {
    if (!holds) {
      throw new IllegalArgumentException();
    }
  }
}
