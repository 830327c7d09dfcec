package io.kairos.server.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.io.ObjectInputStream;
import org.jspecify.annotations.NullMarked;

/** How every class and package must look, wherever it is. */
final class Shape {
  private Shape() {}

  static ArchRule nothingIsDeserialised(House house) {
    return noClasses()
        .that()
        .resideInAPackage(house.everything())
        .should()
        .dependOnClassesThat()
        .areAssignableTo(ObjectInputStream.class)
        .because("payloads are opaque, and Java's deserialisation runs what an attacker sends");
  }

  static ArchRule namesSayWhatAClassDoes(House house) {
    return noClasses()
        .that()
        .resideInAPackage(house.everything())
        .should()
        .haveSimpleNameEndingWith("Scheduler")
        .orShould()
        .haveSimpleNameEndingWith("Manager")
        .orShould()
        .haveSimpleNameEndingWith("Util")
        .orShould()
        .haveSimpleNameEndingWith("Utils")
        .orShould()
        .haveSimpleNameEndingWith("Helper")
        .because(
            "such a name fits any class; name the one thing that it does, or put its methods where they are used");
  }

  /** The wire's code is generated, and not by us. */
  static ArchRule everyPackageIsNullMarked(House house) {
    return classes()
        .that()
        .resideInAPackage(house.everything())
        .and()
        .resideOutsideOfPackage(house.in("api"))
        .should(
            new ArchCondition<JavaClass>("be in a package with @NullMarked") {
              @Override
              public void check(JavaClass item, ConditionEvents events) {
                boolean marked = item.getPackage().isAnnotatedWith(NullMarked.class);
                events.add(
                    new SimpleConditionEvent(
                        item, marked, item.getFullName() + " is in a package without @NullMarked"));
              }
            })
        .because("NullAway checks nothing elsewhere; add a package-info.java with @NullMarked");
  }
}
