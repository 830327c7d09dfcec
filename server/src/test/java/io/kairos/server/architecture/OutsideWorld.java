package io.kairos.server.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleNameEndingWith;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.lang.syntax.elements.GivenClassesConjunction;
import java.time.Clock;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Time, waiting, chance and settings come from outside, so that a simulated node is the production
 * node. The calls that would fetch them are banned by name, as calls and as method references. A
 * name with {@code ()} bans only the form without arguments.
 */
final class OutsideWorld {
  private static final Set<String> CLOCK =
      Set.of(
          "java.lang.System.currentTimeMillis",
          "java.lang.System.nanoTime",
          "java.time.InstantSource.system",
          "java.time.Clock.system",
          "java.time.Clock.systemUTC",
          "java.time.Clock.systemDefaultZone",
          "java.time.Clock.tickMillis",
          "java.time.Clock.tickSeconds",
          "java.time.Clock.tickMinutes",
          "java.util.Date.<init>()",
          "java.util.Calendar.getInstance",
          "java.util.GregorianCalendar.<init>()");

  private static final Set<String> SLEEP =
      Set.of(
          "java.lang.Thread.sleep",
          "java.lang.Object.wait",
          "java.util.Timer.<init>",
          "java.util.concurrent.CompletableFuture.completeOnTimeout",
          "java.util.concurrent.CompletableFuture.delayedExecutor",
          "java.util.concurrent.CompletableFuture.orTimeout",
          "java.util.concurrent.Executors.newScheduledThreadPool",
          "java.util.concurrent.Executors.newSingleThreadScheduledExecutor",
          "java.util.concurrent.ScheduledThreadPoolExecutor.<init>",
          "java.util.concurrent.TimeUnit.sleep",
          "java.util.concurrent.TimeUnit.timedJoin",
          "java.util.concurrent.TimeUnit.timedWait",
          "java.util.concurrent.locks.LockSupport.parkNanos",
          "java.util.concurrent.locks.LockSupport.parkUntil");

  private static final Set<String> CHANCE =
      Set.of(
          "java.lang.Math.random",
          "java.lang.StrictMath.random",
          "java.security.SecureRandom.<init>",
          "java.security.SecureRandom.getInstance",
          "java.security.SecureRandom.getInstanceStrong",
          "java.util.Random.<init>()",
          "java.util.SplittableRandom.<init>()",
          "java.util.UUID.randomUUID",
          "java.util.concurrent.ThreadLocalRandom.current",
          "java.util.random.RandomGenerator.getDefault",
          "java.util.random.RandomGenerator.of",
          "java.util.random.RandomGeneratorFactory.create()");

  private static final Set<String> SETTINGS =
      Set.of(
          "java.lang.System.getenv",
          "java.lang.System.getProperty",
          "java.lang.System.getProperties",
          "java.lang.Boolean.getBoolean",
          "java.lang.Integer.getInteger",
          "java.lang.Long.getLong");

  private OutsideWorld() {}

  static ArchRule noClock(House house) {
    return allBut(house, "server.wiring", "node", "bench", "cli", "embedded", "fuzzing")
        .should(notCall("read the system's clock", named(CLOCK).or(OutsideWorld::isNowOfTheSystem)))
        .because("a test must set the time; take an InstantSource or Monotonic in the constructor");
  }

  /**
   * A contract suite may wait: it also drives a real broker and a real database, which take their
   * time.
   */
  static ArchRule noSleep(House house) {
    return allBut(house, "server.wiring", "node", "bench", "cli", "embedded", "fuzzing")
        .and(not(resideInAPackage(house.in("contracts")).and(simpleNameEndingWith("Contract"))))
        .should(notCall("wait for time to pass", named(SLEEP)))
        .because("a test must not wait; return when to run again from the Step, or use Wakeups");
  }

  static ArchRule noChance(House house) {
    return allBut(house, "server.wiring", "node", "bench", "cli", "embedded")
        .should(notCall("draw random numbers", named(CHANCE).or(OutsideWorld::isUnseededShuffle)))
        .because("a seed must replay a run; take a RandomGenerator in the constructor");
  }

  /**
   * The models are free of this one: the replay reads the seed to replay from a system property.
   */
  static ArchRule noSettings(House house) {
    return allBut(house, "server.wiring", "bench", "cli", "embedded", "fuzzing", "model")
        .should(notCall("read the environment or system properties", named(SETTINGS)))
        .because("configuration is parsed once, in wiring; take a configuration record");
  }

  private static GivenClassesConjunction allBut(House house, String... free) {
    return classes()
        .that()
        .resideInAPackage(house.everything())
        .and()
        .resideOutsideOfPackages(house.in(free))
        .and(not(clockOfTheClient(house)));
  }

  /** The client has no wiring: one class of it stands for the outside world. */
  private static DescribedPredicate<JavaClass> clockOfTheClient(House house) {
    return nameMatching(Pattern.quote(house.root() + ".client.time.SystemTime") + "(\\$.*)?")
        .forSubtype();
  }

  private static ArchCondition<JavaClass> notCall(
      String what, Predicate<CodeUnitAccessTarget> banned) {
    return new ArchCondition<>("not " + what) {
      @Override
      public void check(JavaClass item, ConditionEvents events) {
        for (JavaCodeUnitAccess<?> access : item.getCodeUnitAccessesFromSelf()) {
          if (banned.test(access.getTarget())) {
            events.add(SimpleConditionEvent.violated(access, access.getDescription()));
          }
        }
      }
    };
  }

  private static Predicate<CodeUnitAccessTarget> named(Set<String> names) {
    return target -> {
      String name = target.getOwner().getFullName() + "." + target.getName();
      return names.contains(name)
          || (target.getRawParameterTypes().isEmpty() && names.contains(name + "()"));
    };
  }

  /**
   * {@code now()} and {@code now(ZoneId)} of every type in java.time, but not {@code now(Clock)}.
   */
  private static boolean isNowOfTheSystem(CodeUnitAccessTarget target) {
    return target.getName().equals("now")
        && target.getOwner().getPackageName().startsWith("java.time")
        && target.getRawParameterTypes().stream()
            .noneMatch(type -> type.isEquivalentTo(Clock.class));
  }

  private static boolean isUnseededShuffle(CodeUnitAccessTarget target) {
    return target.getFullName().equals("java.util.Collections.shuffle(java.util.List)");
  }
}
