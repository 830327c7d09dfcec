package io.kairos.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;
import org.springframework.core.annotation.AliasFor;

/**
 * Makes a method of a bean the handler of tasks: the application performs them as a worker.
 *
 * <pre>{@code
 * @KairosHandler(name = "resize-image", attempts = 3)
 * Resized resize(@Valid Resize resize, TaskContext context) { ... }
 * }</pre>
 *
 * <p>The method has at most one parameter besides {@link io.kairos.client.handler.TaskContext},
 * which is optional: the payload, read from JSON by the application's Jackson, or {@code byte[]} as
 * it is. A payload that is not readable, or not valid under {@code @Valid}, fails for good. What
 * the method returns is the result of the task. It is called as {@link
 * io.kairos.client.handler.Handler#handle} is: on the worker's threads, concurrently, and at least
 * once for each task; its exceptions mean what they mean there.
 *
 * <p>The other fields are what tasks have that this application schedules by {@link KairosTemplate}
 * or by an interface with {@link KairosTasks}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Reflective(KairosMethodHints.class)
public @interface KairosHandler {
  /** The handler's name: 1 to 128 of letters, digits and {@code . _ : / -}. */
  @AliasFor("name")
  String value() default "";

  /** The handler's name: 1 to 128 of letters, digits and {@code . _ : / -}. */
  @AliasFor("value")
  String name() default "";

  /** Most attempts, the first included; 0 for the handler's policy on the nodes. */
  int attempts() default 0;

  /** Longest time of one attempt, such as {@code 5m} or {@code PT5M}; empty for no limit. */
  String executionTimeout() default "";

  /** 0 to 100, higher priorities first. */
  int priority() default 50;

  /**
   * Whether the JVM halts when an attempt goes on without its lease: {@link
   * io.kairos.client.handler.HandlerOptions#HALT_JVM}.
   */
  boolean haltOnLostLease() default false;
}
