package io.kairos.spring;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** The health {@code kairos} of Spring Boot 4: whether a node answers. */
final class Boot4Health extends AbstractHealthIndicator {
  private final KairosMode mode;

  Boot4Health(KairosMode mode) {
    super("no node of Kairos answers");
    this.mode = mode;
  }

  @Override
  protected void doHealthCheck(Health.Builder builder) {
    builder.up().withDetail("tasks", mode.check());
  }
}
