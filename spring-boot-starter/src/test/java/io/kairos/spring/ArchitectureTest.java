package io.kairos.spring;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.io.ObjectInputStream;
import java.lang.annotation.Annotation;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The rules of the house that concern the starter; the server's test of them comes before it in the
 * build. Where {@code spring-boot-test} is on the class path, they hold for it as well.
 */
class ArchitectureTest {
  private static final JavaClasses PRODUCTION =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.kairos.spring");

  /** Tests may know the server, so they break the rule. */
  private static final JavaClasses TESTS =
      new ClassFileImporter()
          .withImportOption(new ImportOption.OnlyIncludeTests())
          .importPackages("io.kairos.spring");

  private static ArchRule knowsOnly(String folder, String... known) {
    return noClasses()
        .that()
        .resideInAPackage(folder)
        .should()
        .dependOnClassesThat(resideInAPackage("io.kairos..").and(resideOutsideOfPackages(known)))
        .allowEmptyShould(true)
        .because("the starter is for Java 17, and its nodes are behind the client");
  }

  @Test
  void the_starter_knows_the_client_and_nothing_else_of_the_house() {
    ArchRule rule = knowsOnly("io.kairos.spring", "io.kairos.spring", "io.kairos.client..");

    rule.check(PRODUCTION);
    assertThat(rule.evaluate(TESTS).getFailureReport().getDetails())
        .anyMatch(violation -> violation.contains(TransactionsTest.class.getName()));
  }

  @Test
  void its_tests_for_applications_know_the_node_of_tests_as_well() {
    knowsOnly(
            "io.kairos.spring.test",
            "io.kairos.spring",
            "io.kairos.spring.test",
            "io.kairos.client..",
            "io.kairos.junit")
        .check(PRODUCTION);
  }

  @Test
  void nothing_is_deserialised() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .areAssignableTo(ObjectInputStream.class)
        .check(PRODUCTION);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Scheduler", "Manager", "Util", "Utils", "Helper"})
  void names_say_what_a_class_does(String suffix) {
    noClasses().should().haveSimpleNameEndingWith(suffix).check(PRODUCTION);
  }

  @Test
  void every_package_is_null_marked() throws Exception {
    Set<String> packages =
        PRODUCTION.stream().map(JavaClass::getPackageName).collect(Collectors.toSet());

    assertThat(packages).contains("io.kairos.spring");
    for (String each : packages) {
      Annotation[] annotations = Class.forName(each + ".package-info").getAnnotations();
      assertThat(annotations).as(each).hasAtLeastOneElementOfType(NullMarked.class);
    }
  }
}
