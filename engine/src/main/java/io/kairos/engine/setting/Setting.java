package io.kairos.engine.setting;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares the setting whose value a component of a configuration record holds. Texts are written
 * as an operator would write them: {@code 4MiB}, {@code 500ms}, {@code info}.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Setting {
  /**
   * The whole key, such as {@code tasks.lease}. In it {@code <name>} stands for a name of the
   * operator's choice, and {@code *} at its end for keys of a library. Without a key the value is
   * not for the operator: it is the default, or what code puts there.
   */
  String key() default "";

  /** Empty for an empty list, an empty text or no value. */
  String defaultValue() default "";

  /** Least value of a number, size or duration; the last two are never negative. */
  String min() default "";

  /** Greatest value of a number, size or duration. */
  String max() default "";

  /** What goes wrong with a value outside the bounds, or without a value that is required. */
  String otherwise() default "";

  /** One or two sentences for the operator. */
  String description();

  /** True when there is no default and the operator must give a value. */
  boolean required() default false;

  /** True when the default is for a heap of 1 GiB or more, and shrinks with a smaller one. */
  boolean shrinks() default false;

  /** How the text is read, where the component's type does not say it. */
  Class<? extends ValueFormat<?>> format() default ByType.class;

  /** Stands for the format that the component's type has. */
  final class ByType extends ValueFormat<Object> {
    private ByType() {
      super("", "", "");
    }

    @Override
    protected Object parse(String text) {
      throw new UnsupportedOperationException();
    }
  }
}
