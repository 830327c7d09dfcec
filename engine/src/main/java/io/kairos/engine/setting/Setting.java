package io.kairos.engine.setting;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares the setting whose value a component of a configuration record holds. Values are written
 * as an operator writes them: {@code 4MiB}, {@code 500ms}, {@code info}.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Setting {
  /**
   * The whole key, such as {@code tasks.lease}. In a key {@code <name>} stands for a name of the
   * operator's choice, and {@code *} at its end for keys of a library. Without a key the operator
   * cannot set the value: code sets it or leaves the default.
   */
  String key() default "";

  /** Empty for an empty list, an empty text or no value. */
  String defaultValue() default "";

  /** Least value of a number, size or duration; the last two are never negative. */
  String min() default "";

  /** Greatest value of a number, size or duration. */
  String max() default "";

  /** The consequence of a value outside the bounds, or of a missing required value. */
  String otherwise() default "";

  /** One or two sentences for the operator. */
  String description();

  /** True when the operator must give a value. */
  boolean required() default false;

  /** True when the default is for a heap of 1 GiB or more and shrinks with a smaller heap. */
  boolean shrinks() default false;

  /** The format of the value, where the component's type does not decide it. */
  Class<? extends ValueFormat<?>> format() default ByType.class;

  /** Stands for the format of the component's type. */
  final class ByType extends ValueFormat<Object> {
    private ByType() {
      super("", "", "", text -> text);
    }
  }
}
