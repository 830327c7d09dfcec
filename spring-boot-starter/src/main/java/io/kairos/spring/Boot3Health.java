package io.kairos.spring;

import org.springframework.boot.actuate.health.AbstractHealthIndicator;
import org.springframework.boot.actuate.health.Health;

/** The health {@code kairos} of Spring Boot 3: whether a node answers. */
final class Boot3Health extends AbstractHealthIndicator {
  private final KairosMode mode;

  Boot3Health(KairosMode mode) {
    super("no node of Kairos answers");
    this.mode = mode;
  }

  @Override
  protected void doHealthCheck(Health.Builder builder) {
    builder.up().withDetail("tasks", mode.check());
  }
}
