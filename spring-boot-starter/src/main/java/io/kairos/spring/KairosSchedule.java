package io.kairos.spring;

import io.kairos.client.ScheduleSpec.CatchUp;
import io.kairos.client.ScheduleSpec.Overlap;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * Performs a method of a bean again and again: a schedule makes a task at each fire time, and one
 * instance of the application performs it.
 *
 * <pre>{@code
 * @KairosSchedule(name = "nightly-report", cron = "0 3 * * *", zone = "Europe/Berlin")
 * void report() { ... }
 * }</pre>
 *
 * <p>The method has no parameter but an optional {@link io.kairos.client.handler.TaskContext}. When
 * the application starts, it stores its schedules, each under the name {@code
 * spring/<spring.application.name>/<name>}. Schedules with this prefix that it has no more are
 * paused, with a note and a warning in the log, and never deleted. A handler of the same name
 * performs the tasks; {@link KairosHandler} beside it on the method gives it another one, and the
 * fields of its tasks.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Reflective(KairosMethodHints.class)
public @interface KairosSchedule {
  /** Name within the application: letters, digits and {@code . _ / -}. */
  String name();

  /** A cron expression of five fields, of the Unix dialect; placeholders are resolved. */
  String cron();

  /** IANA name of the time zone of the expression; placeholders are resolved. */
  String zone() default "UTC";

  /** What happens at a fire time while the task of a former one is unfinished. */
  Overlap overlap() default Overlap.SKIP;

  /** What happens to fire times that were missed because no node could fire. */
  CatchUp catchUp() default CatchUp.LATEST;
}
