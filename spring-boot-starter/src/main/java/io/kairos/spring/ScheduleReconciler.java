package io.kairos.spring;

import io.kairos.client.AppliedSchedule;
import io.kairos.client.ScheduleSpec;
import io.kairos.client.ScheduleStatus;
import io.kairos.client.error.InvalidRequestException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the stored schedules those that the application declares. Its own are those with its
 * prefix; what it does not declare any more is paused with a note that says so, and goes on when it
 * is declared again. What others have paused stays paused. Not thread-safe.
 */
final class ScheduleReconciler {
  private static final Logger LOG = LoggerFactory.getLogger(ScheduleReconciler.class);
  private static final String NOTE = "not declared by the application any more";
  private static final int MOST_IN_A_NOTE = 500;

  private final KairosMode mode;
  private final TaskMethods methods;
  private final KairosProperties.Schedules settings;
  private final String application;
  private final Supplier<String> instance;

  /** Names of schedules that the application had once, and that are paused for it. */
  private volatile List<String> removed = List.of();

  /**
   * @param application name of the application; empty for none
   * @param instance of the application, for people who look for the one that paused a schedule
   */
  ScheduleReconciler(
      KairosMode mode,
      TaskMethods methods,
      KairosProperties.Schedules settings,
      String application,
      Supplier<String> instance) {
    this.mode = mode;
    this.methods = methods;
    this.settings = settings;
    this.application = application;
    this.instance = instance;
  }

  List<String> removed() {
    return removed;
  }

  String fullName(TaskMethods.DeclaredSchedule schedule) {
    return prefix() + schedule.name();
  }

  /**
   * Returns the begin of the names of the application's schedules; empty for none. It ends with a
   * slash and is not made from other characters: no two applications may share it, as each pauses
   * what it does not declare.
   */
  private String prefix() {
    String given = settings.prefix();
    if (given != null) {
      return given.isEmpty() || given.endsWith("/") ? given : given + "/";
    }
    return application.matches("[A-Za-z0-9._-]+") ? "spring/" + application + "/" : "";
  }

  /**
   * Stores the declared schedules and pauses the others, unless that is switched off.
   *
   * @throws KairosConfigurationException when nodes refuse a schedule
   */
  void reconcile() {
    if (!settings.enabled()) {
      return;
    }
    Collection<TaskMethods.DeclaredSchedule> declared = methods.schedules();
    String prefix = prefix();
    if (prefix.isEmpty()) {
      requireNone(declared);
      return;
    }
    for (TaskMethods.DeclaredSchedule each : declared) {
      apply(each);
    }
    Set<String> names = declared.stream().map(this::fullName).collect(Collectors.toSet());
    List<ScheduleStatus> others =
        mode.schedules(prefix).stream().filter(one -> !names.contains(one.name())).toList();
    for (ScheduleStatus other : others) {
      if (other.state() == ScheduleStatus.State.ACTIVE) {
        mode.pauseSchedule(other.name(), note());
        LOG.atWarn()
            .addKeyValue("schedule", other.name())
            .log(
                "schedule paused, because the application does not declare it any more; where other"
                    + " instances do, set kairos.schedules.enabled to false here, or another"
                    + " kairos.schedules.prefix");
      }
    }
    removed = others.stream().map(ScheduleStatus::name).toList();
  }

  private String note() {
    String note = NOTE + ": paused by " + instance.get();
    return note.substring(0, Math.min(MOST_IN_A_NOTE, note.length()));
  }

  private void requireNone(Collection<TaskMethods.DeclaredSchedule> declared) {
    if (!declared.isEmpty()) {
      throw new KairosConfigurationException(
          "The application has schedules, such as that of %s, and no name to know them again by%s."
              .formatted(
                  declared.iterator().next().place(),
                  application.isEmpty()
                      ? ""
                      : ": '" + application + "' has more than letters, digits and . _ -"),
          "Set spring.application.name, or kairos.schedules.prefix.");
    }
  }

  private void apply(TaskMethods.DeclaredSchedule declared) {
    ScheduleSpec spec = declared.rule().apply(fullName(declared));
    AppliedSchedule applied;
    try {
      applied = mode.apply(spec);
    } catch (InvalidRequestException e) {
      throw new KairosConfigurationException(
          "The schedule '%s' of %s is refused: %s."
              .formatted(declared.name(), declared.place(), e.getMessage()),
          "Correct its annotation @KairosSchedule.",
          e);
    }
    ScheduleStatus now = applied.schedule();
    if (now.state() == ScheduleStatus.State.PAUSED && now.note().startsWith(NOTE)) {
      mode.resumeSchedule(spec.name());
    }
    if (applied.outcome() != AppliedSchedule.Outcome.UNCHANGED) {
      LOG.atInfo()
          .addKeyValue("schedule", spec.name())
          .addKeyValue("outcome", applied.outcome())
          .log("schedule stored");
    }
  }
}
