package io.kairos.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes an interface a bean whose methods schedule tasks instead of performing them.
 *
 * <pre>{@code
 * @KairosTasks
 * interface Images {
 *   @KairosTask(name = "resize-image", delay = "5m")
 *   TaskId resize(Resize resize);
 * }
 * }</pre>
 *
 * <p>Interfaces are found in the packages of the application, where Spring Boot finds components.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface KairosTasks {}
