package io.kairos.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/**
 * Makes a method of an interface with {@link KairosTasks} schedule a task.
 *
 * <p>The method has at most one payload, and at most one {@link java.time.Duration} or {@link
 * java.time.Instant} that says when the task is due in place of {@link #delay}. It returns a {@link
 * io.kairos.client.task.TaskId} or nothing. Fields that are left out are those of the handler, if
 * it is in the same application.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
public @interface KairosTask {
  /** Name of the handler. */
  @AliasFor("name")
  String value() default "";

  /** Name of the handler. */
  @AliasFor("value")
  String name() default "";

  /** How much later the task is due, such as {@code 5m} or {@code PT5M}; empty for now. */
  String delay() default "";

  /** Most attempts, the first included; 0 for those of the handler. */
  int attempts() default 0;
}
