package io.kairos.spring;

import com.zaxxer.hikari.HikariConfig;
import io.kairos.embedded.EmbeddedPostgres;
import io.kairos.junit.KairosExtension;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Contexts of applications that have the starter and Spring Boot's Jackson. */
final class Applications {
  private static final String[] JACKSON = {
    "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration",
    "org.springframework.boot.autoconfigure.jackson.JacksonAutoConfiguration"
  };
  private static final String[] VALIDATION = {
    "org.springframework.boot.validation.autoconfigure.ValidationAutoConfiguration",
    "org.springframework.boot.autoconfigure.validation.ValidationAutoConfiguration"
  };

  private Applications() {}

  /** For one that reaches no node. */
  static ApplicationContextRunner alone() {
    return new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                KairosAutoConfiguration.class,
                KairosActuatorAutoConfiguration.class,
                present(JACKSON),
                present(VALIDATION)))
        .withPropertyValues("kairos.address=localhost:1", "spring.application.name=shop");
  }

  static ApplicationContextRunner at(KairosExtension node) {
    return alone().withPropertyValues("kairos.address=" + node.address());
  }

  /** Points a pool to a database of the shared Postgres. */
  static <P extends HikariConfig> P pointed(P pool, String url, int most) {
    pool.setJdbcUrl(url);
    pool.setUsername(EmbeddedPostgres.shared().user());
    pool.setPassword(EmbeddedPostgres.shared().password());
    pool.setMaximumPoolSize(most);
    pool.setConnectionTimeout(1_000);
    return pool;
  }

  /** The class that this version of Spring Boot has. */
  private static Class<?> present(String[] names) {
    for (String name : names) {
      try {
        return Class.forName(name);
      } catch (ClassNotFoundException e) {
        // of the other version
      }
    }
    throw new IllegalStateException("none of " + String.join(", ", names));
  }
}
