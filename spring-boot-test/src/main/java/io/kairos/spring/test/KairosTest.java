package io.kairos.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.core.annotation.AliasFor;

/**
 * Tests an application with a node of its own, whose clock stands still until the test turns it.
 *
 * <pre>{@code
 * @KairosTest
 * class ImagesTest {
 *   @Autowired KairosNode kairos;
 *   @Autowired Images images;
 *
 *   @Test
 *   void resizes_in_five_minutes() {
 *     images.upload("42.png");
 *     kairos.advance(Duration.ofMinutes(5));
 *     ...
 *   }
 * }
 * }</pre>
 *
 * <p>It is a {@link SpringBootTest} without a web server and with the bean {@link
 * io.kairos.junit.KairosNode}. {@link #classes} names fewer parts of the application. The node runs
 * as long as the context, which Spring keeps for further tests with the same settings: it needs a
 * Java 25, as {@link io.kairos.junit.KairosExtension} says. Its store is in memory, so tasks that
 * are scheduled in a transaction go to it at once: {@code kairos.transactions} is {@code separate}.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@SpringBootTest(webEnvironment = WebEnvironment.NONE)
public @interface KairosTest {
  /** The parts of the application; all of it by default. */
  @AliasFor(annotation = SpringBootTest.class, attribute = "classes")
  Class<?>[] classes() default {};

  /** Properties of the application, as {@code name=value}. */
  @AliasFor(annotation = SpringBootTest.class, attribute = "properties")
  String[] properties() default {};

  /** When the clock begins, such as {@code 2030-01-01T00:00:00Z}; the present time by default. */
  String startingAt() default "";
}
