package io.kairos.spring;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The endpoint and the health of Kairos, for an application with the Actuator. */
@AutoConfiguration(after = KairosAutoConfiguration.class)
@ConditionalOnBean(KairosMode.class)
public final class KairosActuatorAutoConfiguration {
  /** For Spring. */
  public KairosActuatorAutoConfiguration() {}

  /** The endpoint, which is the same in Spring Boot 3 and 4. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
  static class Endpoints {
    @Bean
    @ConditionalOnAvailableEndpoint
    @ConditionalOnMissingBean
    KairosEndpoint kairosEndpoint(TaskMethods methods, ScheduleReconciler schedules) {
      return new KairosEndpoint(methods, schedules);
    }
  }

  /** Spring Boot 3. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(name = "org.springframework.boot.actuate.health.AbstractHealthIndicator")
  @ConditionalOnProperty(name = "management.health.kairos.enabled", matchIfMissing = true)
  static class OfBoot3 {
    @Bean
    @ConditionalOnMissingBean(name = "kairosHealthIndicator")
    Boot3Health kairosHealthIndicator(KairosMode mode) {
      return new Boot3Health(mode);
    }
  }

  /** Spring Boot 4. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(name = "org.springframework.boot.health.contributor.AbstractHealthIndicator")
  @ConditionalOnProperty(name = "management.health.kairos.enabled", matchIfMissing = true)
  static class OfBoot4 {
    @Bean
    @ConditionalOnMissingBean(name = "kairosHealthIndicator")
    Boot4Health kairosHealthIndicator(KairosMode mode) {
      return new Boot4Health(mode);
    }
  }
}
