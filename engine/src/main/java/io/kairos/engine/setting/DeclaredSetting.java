package io.kairos.engine.setting;

import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The setting that a component of a configuration record declares with {@link Setting}. */
public final class DeclaredSetting {
  /** The heap size in bytes from which shrinking settings have their full default. */
  private static final long FULL_HEAP = 1L << 30;

  private static final String NAME = "<name>";
  private static final String ANY = ".*";

  private final RecordComponent component;
  private final Setting setting;
  private final boolean isOptional;
  private final Type type;

  DeclaredSetting(RecordComponent component, Setting setting) {
    this.component = component;
    this.setting = setting;
    this.isOptional = component.getType() == Optional.class;
    this.type =
        isOptional
            ? ((ParameterizedType) component.getGenericType()).getActualTypeArguments()[0]
            : component.getGenericType();
  }

  /** The key as it is declared, perhaps with {@code <name>} in it. */
  public String key() {
    return setting.key();
  }

  /** The key for one of the operator's names. */
  public String key(String name) {
    return setting.key().replace(NAME, name);
  }

  public boolean isRequired() {
    return setting.required();
  }

  /** True when the setting stands for all keys of a library below a prefix. */
  public boolean isLibrary() {
    return setting.key().endsWith(ANY);
  }

  /** The prefix of a library's keys. */
  public String prefix() {
    return setting.key().substring(0, setting.key().length() - ANY.length());
  }

  /** The description for the operator. */
  public String description() {
    return setting.shrinks()
        ? setting.description()
            + " The default is for a heap of 1 GiB or more; with less it shrinks in proportion."
        : setting.description();
  }

  public String otherwise() {
    return setting.otherwise();
  }

  public String defaultValue() {
    return setting.defaultValue();
  }

  /** The default for a heap of this many bytes. */
  public String defaultValue(long maxHeapBytes) {
    String text = setting.defaultValue();
    if (!setting.shrinks() || maxHeapBytes >= FULL_HEAP) {
      return text;
    }
    double share = (double) maxHeapBytes / FULL_HEAP;
    if (setting.format() == Setting.ByType.class) {
      return Long.toString((long) (Long.parseLong(text) * share));
    }
    long mebibyte = 1L << 20;
    return Long.toString(
        Math.max(mebibyte, (long) (ValueFormats.Size.bytes(text) * share) / mebibyte * mebibyte));
  }

  /** The format by which the value is read. */
  public ValueFormat<?> format(ValueFormats formats) {
    if (isLibrary()) {
      return ValueFormats.TEXT;
    }
    if (setting.format() == Setting.ByType.class) {
      return formats.of(type);
    }
    ValueFormat<?> own = ownFormat(formats);
    return type instanceof ParameterizedType list ? ValueFormats.listOf(list, own) : own;
  }

  private ValueFormat<?> ownFormat(ValueFormats formats) {
    try {
      Constructor<?> constructor = setting.format().getDeclaredConstructors()[0];
      constructor.setAccessible(true);
      return (ValueFormat<?>)
          (constructor.getParameterCount() == 0
              ? constructor.newInstance()
              : constructor.newInstance(formats));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(setting.format() + " cannot be constructed", e);
    }
  }

  /** The least number, or size in bytes; empty for none and for durations. */
  public OptionalLong min() {
    return number(setting.min());
  }

  /** The greatest number, or size in bytes; empty for none and for durations. */
  public OptionalLong max() {
    return number(setting.max());
  }

  private OptionalLong number(String bound) {
    return bound.isEmpty() || type == Duration.class
        ? OptionalLong.empty()
        : OptionalLong.of(ValueFormats.Size.bytes(bound));
  }

  /** The bounds in words; an empty text for none. */
  public String bounds(ValueFormats formats) {
    String min = bound(setting.min(), formats);
    String max = bound(setting.max(), formats);
    if (min.isEmpty()) {
      return max.isEmpty() ? "" : "at most " + max;
    }
    return max.isEmpty() ? "at least " + min : "from " + min + " to " + max;
  }

  private String bound(String text, ValueFormats formats) {
    return text.isEmpty() ? "" : print(format(formats).read(text), formats);
  }

  /** The allowed values and the reason, as words that follow "must be". */
  public String rule(ValueFormats formats) {
    String rule = format(formats).rule();
    String bounds = bounds(formats);
    if (bounds.isEmpty()) {
      return rule;
    }
    String joint = rule.contains(" such as ") ? ", " : bounds.startsWith("at") ? " of " : " ";
    String all = rule + joint + bounds;
    return setting.otherwise().isEmpty() ? all : all + ", or " + setting.otherwise();
  }

  /**
   * Reads the value from a text.
   *
   * @throws IllegalArgumentException when the text is not allowed, or the value out of bounds
   */
  public Object read(String text, ValueFormats formats) {
    Object value = format(formats).read(text);
    boolean isEmpty = value instanceof Collection<?> values && values.isEmpty();
    if (!isWithinBounds(value) || (setting.required() && isEmpty)) {
      throw new IllegalArgumentException(text + " must be " + rule(formats));
    }
    return isOptional ? Optional.of(value) : value;
  }

  /**
   * The value of a component when the operator gives none; {@code text} is the default. Null when
   * there is no value.
   */
  public @Nullable Object fallback(String text, ValueFormats formats) {
    if (isLibrary()) {
      return Map.of();
    }
    if (text.isEmpty() && isOptional) {
      return Optional.empty();
    }
    boolean isChecked = type == String.class && setting.format() != Setting.ByType.class;
    if (text.isEmpty() && (isChecked || setting.required())) {
      return null;
    }
    return read(text, formats);
  }

  /** Prints the value as a text from which it can be read again. */
  @SuppressWarnings("unchecked") // the value was read by this format
  public String print(@Nullable Object value, ValueFormats formats) {
    Object shown = value instanceof Optional<?> optional ? optional.orElse(null) : value;
    return shown == null || shown instanceof Map
        ? ""
        : ((ValueFormat<Object>) format(formats)).print(shown);
  }

  /** Throws {@link IllegalArgumentException} that names the key for a value out of bounds. */
  void check(@Nullable Object value) {
    if (value != null && !isWithinBounds(value)) {
      String key =
          setting.key().isEmpty()
              ? component.getName() + " of " + component.getDeclaringRecord().getSimpleName()
              : setting.key();
      throw new IllegalArgumentException(
          "%s is %s: it must be %s"
              .formatted(key, print(value, ValueFormats.BASIC), rule(ValueFormats.BASIC)));
    }
  }

  /** True for a value within the bounds. Durations and sizes are never negative. */
  private boolean isWithinBounds(Object value) {
    boolean isNegative =
        switch (value) {
          case Duration length -> length.isNegative();
          case Number number -> setting.format() != Setting.ByType.class && number.longValue() < 0;
          default -> false;
        };
    return !isNegative
        && (setting.min().isEmpty() || compare(value, setting.min()) >= 0)
        && (setting.max().isEmpty() || compare(value, setting.max()) <= 0);
  }

  private int compare(Object value, String bound) {
    return switch (value) {
      case Duration length -> length.compareTo(ValueFormats.DURATION.read(bound));
      case Number number -> Long.compare(number.longValue(), ValueFormats.Size.bytes(bound));
      default -> throw new IllegalStateException(component + " cannot have bounds");
    };
  }
}
