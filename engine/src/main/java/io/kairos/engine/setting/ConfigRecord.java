package io.kairos.engine.setting;

import static java.util.Objects.requireNonNull;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A record type whose components declare settings. A component is a setting, a nested record of
 * this kind, a list of such records by the operator's names, or a value that code supplies.
 */
public final class ConfigRecord<R extends Record> {
  private static final ClassValue<ConfigRecord<?>> KNOWN =
      new ClassValue<>() {
        @Override
        protected ConfigRecord<?> computeValue(Class<?> type) {
          return new ConfigRecord<>(type.asSubclass(Record.class));
        }
      };

  private final Class<R> type;
  private final List<Part> parts;

  /** The kind of one component of the record. */
  public sealed interface Part {
    /** The component's name. */
    String name();

    /** A setting that the component declares. */
    record Value(String name, DeclaredSetting setting) implements Part {}

    /** A nested record; optional when all of its keys may be absent together. */
    record Nested(String name, ConfigRecord<?> record, boolean isOptional) implements Part {}

    /** A list of records, each under a name that the operator chooses. */
    record Named(String name, ConfigRecord<?> record) implements Part {}

    /** A value that code supplies. */
    record Supplied(String name) implements Part {}
  }

  private ConfigRecord(Class<R> type) {
    this.type = type;
    this.parts =
        Stream.of(requireNonNull(type.getRecordComponents())).map(ConfigRecord::part).toList();
  }

  /** The declarations of a record type. */
  @SuppressWarnings("unchecked") // computed from the same class
  public static <R extends Record> ConfigRecord<R> of(Class<R> type) {
    return (ConfigRecord<R>) KNOWN.get(type);
  }

  /** The record with all defaults. */
  public static <R extends Record> R defaults(Class<R> type) {
    return of(type).defaults();
  }

  /**
   * Checks values against their bounds, for the constructors of configuration records.
   *
   * @param values the values of all components, in their order
   * @throws IllegalArgumentException that names the key, the value and the allowed values
   */
  public static void check(Class<? extends Record> type, @Nullable Object... values) {
    List<Part> parts = of(type).parts;
    if (parts.size() != values.length) {
      throw new IllegalStateException(type + " has components that its constructor does not check");
    }
    for (int i = 0; i < values.length; i++) {
      if (parts.get(i) instanceof Part.Value(String _, DeclaredSetting setting)) {
        setting.check(values[i]);
      }
    }
  }

  private static Part part(RecordComponent component) {
    String name = component.getName();
    Setting setting = component.getAnnotation(Setting.class);
    if (setting != null) {
      return new Part.Value(name, new DeclaredSetting(component, setting));
    }
    if (component.getType().isRecord()) {
      return nested(component.getType())
          .<Part>map(record -> new Part.Nested(name, record, false))
          .orElse(new Part.Supplied(name));
    }
    if (component.getGenericType() instanceof ParameterizedType generic
        && generic.getActualTypeArguments()[0] instanceof Class<?> element
        && element.isRecord()) {
      boolean isOptional = component.getType() == Optional.class;
      return nested(element)
          .<Part>map(record ->
              isOptional ? new Part.Nested(name, record, true) : new Part.Named(name, record))
          .orElse(new Part.Supplied(name));
    }
    return new Part.Supplied(name);
  }

  /**
   * The declarations of a nested record; empty for a record without settings, which code supplies.
   */
  private static Optional<ConfigRecord<?>> nested(Class<?> type) {
    ConfigRecord<?> record = of(type.asSubclass(Record.class));
    return record.settings().isEmpty() ? Optional.empty() : Optional.of(record);
  }

  /** The components, in their order. */
  public List<Part> parts() {
    return parts;
  }

  /** Every setting of this record and of the records in it. */
  public List<DeclaredSetting> settings() {
    return parts.stream()
        .flatMap(part ->
            switch (part) {
              case Part.Value value -> Stream.of(value.setting());
              case Part.Nested nested -> nested.record().settings().stream();
              case Part.Named named -> named.record().settings().stream();
              case Part.Supplied _ -> Stream.empty();
            })
        .toList();
  }

  private R defaults() {
    List<@Nullable Object> values = new ArrayList<>();
    for (Part part : parts) {
      values.add(
          switch (part) {
            case Part.Value(String _, DeclaredSetting setting) ->
                setting.fallback(setting.defaultValue(), ValueFormats.BASIC);
            case Part.Nested nested ->
                nested.isOptional() ? Optional.empty() : nested.record().defaults();
            case Part.Named _ -> List.of();
            case Part.Supplied(String name) ->
                throw new IllegalStateException(name + " of " + type + " has no default");
          });
    }
    return create(values);
  }

  /**
   * Calls the constructor.
   *
   * @param values the values of all components, in their order
   * @throws IllegalArgumentException when the constructor refuses a value
   */
  public R create(List<? extends @Nullable Object> values) {
    Class<?>[] types =
        Stream.of(requireNonNull(type.getRecordComponents()))
            .map(RecordComponent::getType)
            .toArray(Class[]::new);
    try {
      Constructor<R> constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return constructor.newInstance(values.toArray());
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException refused) {
        throw refused;
      }
      throw new IllegalStateException(e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(type + " cannot be built", e);
    }
  }
}
