package io.kairos.server.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.lang.ArchRule;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Who may know whom. Arrows point inwards: edges and adapters to the engine, the engine to the
 * domain.
 */
final class Arrows {
  private Arrows() {}

  /**
   * Classes of {@code folder} know their own folder and those in {@code known}, and no other of the
   * house.
   */
  static Function<House, ArchRule> from(String folder, String... known) {
    return house ->
        noClasses()
            .that()
            .resideInAPackage(house.in(folder))
            .should()
            .dependOnClassesThat(
                resideInAPackage(house.everything())
                    .and(
                        resideOutsideOfPackages(
                            house.in(
                                Stream.concat(Stream.of(folder), Stream.of(known))
                                    .toArray(String[]::new)))))
            .because(
                "arrows point inwards and adapters never see each other; put a port into engine and"
                    + " let io.kairos.server.wiring join the two sides");
  }

  static ArchRule onlyWiringKnowsAdapters(House house) {
    return noClasses()
        .that()
        .resideInAnyPackage(house.in("server", "edge", "push"))
        .and()
        .resideOutsideOfPackage(house.in("server.wiring"))
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(house.in("postgres", "kafka", "consensus", "hashgraph", "embedded")))
        .because(
            "only io.kairos.server.wiring constructs adapters; take a port of engine in the"
                + " constructor and let wiring pass it in");
  }

  static ArchRule noInputOrOutputInside(House house) {
    return noClasses()
        .that()
        .resideInAnyPackage(house.in("domain", "engine"))
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(
                "java.sql..",
                "javax.sql..",
                "java.net.http..",
                "java.nio.file..",
                "java.nio.channels.."))
        .orShould()
        .dependOnClassesThat()
        .haveNameMatching("java\\.net\\.\\w*Socket|java\\.io\\.File\\w*")
        .because(
            "input and output come in through a port; the code behind it belongs in an adapter");
  }

  static ArchRule noCycles(House house) {
    return slices()
        .matching(house.root() + ".(**)")
        .should()
        .beFreeOfCycles()
        .because("two packages that know each other are one; move what both need into a third");
  }
}
