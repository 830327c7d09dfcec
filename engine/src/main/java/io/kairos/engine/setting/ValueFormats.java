package io.kairos.engine.setting;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.time.DurationText;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Formats of settings by the component's type. */
public final class ValueFormats {
  static final ValueFormat<String> TEXT = new ValueFormat<>("text", "a text", "", text -> text);

  static final ValueFormat<Boolean> FLAG =
      new ValueFormat<>(
          "true or false", "true or false", "true|false", text -> text.equals("true"));

  /** Durations as in declarations: {@code 0.5s}, {@code 10m}, {@code 30d}. */
  static final ValueFormat<Duration> DURATION =
      new ValueFormat<>("duration", "a duration", "", DurationText::parse);

  private static final String WHOLE = "-?[0-9]{1,18}";

  static final ValueFormat<Integer> INTEGER =
      new ValueFormat<>("number", "a whole number", WHOLE, text -> narrow(Long.parseLong(text)));

  static final ValueFormat<Long> LONG =
      new ValueFormat<>("number", "a whole number", WHOLE, Long::parseLong);

  private static final Map<Class<?>, ValueFormat<?>> BY_TYPE =
      Map.of(
          String.class, TEXT,
          boolean.class, FLAG,
          Boolean.class, FLAG,
          int.class, INTEGER,
          long.class, LONG,
          Duration.class, DURATION);

  private final Map<Class<?>, ValueFormat<?>> byType;

  private ValueFormats(Map<Class<?>, ValueFormat<?>> byType) {
    this.byType = byType;
  }

  /** Formats of texts, flags, numbers, durations, words, and lists of all these. */
  public static final ValueFormats BASIC = new ValueFormats(BY_TYPE);

  /** These formats with additions and replacements. */
  public ValueFormats and(Map<Class<?>, ValueFormat<?>> further) {
    Map<Class<?>, ValueFormat<?>> all = new LinkedHashMap<>(byType);
    all.putAll(further);
    return new ValueFormats(all);
  }

  /** The format of durations. */
  @SuppressWarnings("unchecked") // registered for this type
  public ValueFormat<Duration> durations() {
    return (ValueFormat<Duration>) of(Duration.class);
  }

  /** The format of a component's type. */
  ValueFormat<?> of(Type type) {
    if (type instanceof ParameterizedType list) {
      ValueFormat<?> element = of(list.getActualTypeArguments()[0]);
      return listOf(list, element);
    }
    ValueFormat<?> known = byType.get(type);
    if (known != null) {
      return known;
    }
    if (type instanceof Class<?> words && words.isEnum()) {
      return WordFormat.of(words);
    }
    throw new IllegalStateException("no format for the settings of " + type);
  }

  /** The format of a list or set whose elements have the given format. */
  static ValueFormat<?> listOf(ParameterizedType list, ValueFormat<?> element) {
    return new ListFormat<>(element, list.getRawType() == Set.class);
  }

  private static int narrow(long number) {
    if (number != (int) number) {
      throw new IllegalArgumentException(number + " is too large");
    }
    return (int) number;
  }

  /** Reads {@code 64KiB} or a number of bytes. */
  public abstract static sealed class Size<N extends Number> extends ValueFormat<N> {
    private static final Map<String, Long> UNITS =
        Map.of("GiB", 1L << 30, "MiB", 1L << 20, "KiB", 1L << 10);

    private static final Pattern AMOUNT =
        Pattern.compile("([0-9]{1,15}(?:\\.[0-9]{1,9})?)([GMK]iB)");

    private Size(Function<String, N> parser) {
      super("size", "a number of bytes such as 4MiB or 65536", "[0-9]{1,18}|" + AMOUNT, parser);
    }

    static long bytes(String text) {
      Matcher amount = AMOUNT.matcher(text);
      if (!amount.matches()) {
        return Long.parseLong(text);
      }
      try {
        return new BigDecimal(requireNonNull(amount.group(1)))
            .multiply(BigDecimal.valueOf(requireNonNull(UNITS.get(amount.group(2)))))
            .setScale(0, RoundingMode.UNNECESSARY)
            .longValueExact();
      } catch (ArithmeticException e) {
        throw new IllegalArgumentException(e);
      }
    }

    @Override
    public String print(N value) {
      long bytes = value.longValue();
      return UNITS.entrySet().stream()
          .filter(unit -> bytes > 0 && bytes % unit.getValue() == 0)
          .max(Map.Entry.comparingByValue())
          .map(unit -> bytes / unit.getValue() + unit.getKey())
          .orElse(Long.toString(bytes));
    }
  }

  /** A size in bytes as a {@code long}. */
  public static final class LongSize extends Size<Long> {
    public LongSize() {
      super(Size::bytes);
    }
  }

  /** A size in bytes as an {@code int}. */
  public static final class IntSize extends Size<Integer> {
    public IntSize() {
      super(text -> narrow(bytes(text)));
    }
  }

  /** One of the constants of an enum, in lower case. */
  public static final class WordFormat extends ValueFormat<Object> {
    private final Map<String, Object> words;

    static WordFormat of(Class<?> type) {
      Map<String, Object> words = new LinkedHashMap<>();
      for (Object constant : requireNonNull(type.getEnumConstants())) {
        words.put(word(constant), constant);
      }
      return new WordFormat(words);
    }

    private WordFormat(Map<String, Object> words) {
      super(
          String.join(", ", words.keySet()),
          "one of " + String.join(", ", words.keySet()),
          String.join("|", words.keySet()),
          text -> requireNonNull(words.get(text)));
      this.words = words;
    }

    @Override
    public String print(Object value) {
      return word(value);
    }

    private static String word(Object constant) {
      return ((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public Collection<String> words() {
      return words.keySet();
    }
  }

  /** A list or set, written with commas between the elements. */
  public static final class ListFormat<E> extends ValueFormat<Collection<E>> {
    private final ValueFormat<E> element;

    ListFormat(ValueFormat<E> element, boolean isSet) {
      super(
          "list: " + element.name(),
          "a list, separated by commas, in which each is " + element.rule(),
          "",
          text -> split(text, element, isSet));
      this.element = element;
    }

    private static <E> Collection<E> split(String text, ValueFormat<E> element, boolean isSet) {
      if (!text.isEmpty() && text.chars().allMatch(each -> each == ',' || each == ' ')) {
        throw new IllegalArgumentException("a list without an element");
      }
      Stream<E> elements =
          Arrays.stream(text.split(",", -1))
              .map(String::trim)
              .filter(each -> !each.isEmpty())
              .map(element::read);
      Stream<E> ordered = element instanceof WordFormat ? elements.sorted() : elements;
      return isSet
          ? ordered.collect(Collectors.toCollection(LinkedHashSet::new))
          : ordered.toList();
    }

    @Override
    public String print(Collection<E> value) {
      return value.stream().map(element::print).collect(Collectors.joining(", "));
    }

    public ValueFormat<E> element() {
      return element;
    }
  }
}
