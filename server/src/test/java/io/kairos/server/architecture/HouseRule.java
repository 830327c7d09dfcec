package io.kairos.server.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.function.Function;

/** A rule, and the classes that must break it. */
record HouseRule(String name, Function<House, ArchRule> rule, List<Class<?>> specimens) {
  static HouseRule of(String name, Function<House, ArchRule> rule, Class<?>... specimens) {
    return new HouseRule(name, rule, List.of(specimens));
  }

  void check(House house, JavaClasses classes) {
    rule.apply(house).check(classes);
  }

  List<String> violations(House house, JavaClasses classes) {
    return rule.apply(house).evaluate(classes).getFailureReport().getDetails();
  }

  @Override
  public String toString() {
    return name;
  }
}
