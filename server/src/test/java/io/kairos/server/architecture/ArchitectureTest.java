package io.kairos.server.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ArchitectureTest {
  private static final JavaClasses PRODUCTION = House.production();
  private static final JavaClasses SPECIMENS = House.specimens();

  @ParameterizedTest
  @MethodSource("io.kairos.server.architecture.HouseRules#all")
  void the_house_keeps_the_rule(HouseRule rule) {
    rule.check(House.KAIROS, PRODUCTION);
  }

  @ParameterizedTest
  @MethodSource("io.kairos.server.architecture.HouseRules#all")
  void the_rule_reports_its_specimens(HouseRule rule) {
    List<String> violations = rule.violations(House.SPECIMENS, SPECIMENS);

    assertThat(rule.specimens()).isNotEmpty();
    for (Class<?> specimen : rule.specimens()) {
      assertThat(violations)
          .as("%s must be reported", specimen.getSimpleName())
          .anyMatch(violation -> violation.contains(specimen.getName()));
    }
  }

  @ParameterizedTest
  @MethodSource("io.kairos.server.architecture.HouseRules#outsideWorld")
  void each_call_to_the_outside_world_is_reported(HouseRule rule) {
    List<String> violations = rule.violations(House.SPECIMENS, SPECIMENS);

    for (Class<?> specimen : rule.specimens()) {
      for (Method method : specimen.getDeclaredMethods()) {
        String call = specimen.getName() + "." + method.getName() + "(";
        if (!method.isSynthetic()) {
          assertThat(violations).as(call).anyMatch(violation -> violation.contains(call));
        }
      }
    }
  }

  @Test
  void every_specimen_belongs_to_a_rule() {
    var known =
        HouseRules.all().stream()
            .flatMap(rule -> rule.specimens().stream())
            .map(Class::getName)
            .collect(Collectors.toSet());

    assertThat(SPECIMENS.stream().map(JavaClass::getName).filter(n -> !n.endsWith("package-info")))
        .containsExactlyInAnyOrderElementsOf(known);
  }

  @Test
  void the_rules_see_every_module() {
    for (String module : House.MODULES) {
      assertThat(PRODUCTION.containPackage(House.KAIROS.root() + "." + module)).as(module).isTrue();
    }
  }
}
