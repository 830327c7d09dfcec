/**
 * Kairos in an application on Spring Boot: handlers and schedules are methods of beans, and {@link
 * io.kairos.spring.KairosTemplate} schedules tasks.
 */
@NullMarked
package io.kairos.spring;

import org.jspecify.annotations.NullMarked;
