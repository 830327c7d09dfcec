package io.kairos.engine.schedule;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.calendar.WorkingCalendar;
import io.kairos.domain.schedule.definition.Schedule;
import io.kairos.domain.schedule.definition.ScheduleId;
import io.kairos.domain.schedule.fire.RuleTimetable;
import io.kairos.domain.schedule.fire.Timetable;
import io.kairos.engine.schedule.port.DueSchedule;
import io.kairos.engine.schedule.port.StoredCalendar;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A cache of timetables of recently decided schedules, so that their rules need not be parsed each
 * time. An entry depends only on its key. Bounded; thread-safe.
 */
final class TimetableCache {
  private static final int MOST = 20_000;

  @GuardedBy("this")
  private final Map<Key, Timetable> kept =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Timetable> eldest) {
          return size() > MOST;
        }
      };

  private record Key(ScheduleId id, long generation, List<Long> calendars) {}

  Timetable of(DueSchedule due) {
    Schedule schedule = due.schedule();
    Key key =
        new Key(
            schedule.id(),
            schedule.generation(),
            due.calendars().stream().map(StoredCalendar::generation).toList());
    synchronized (this) {
      Timetable known = kept.get(key);
      if (known != null) {
        return known;
      }
    }
    Timetable read =
        new RuleTimetable(
            schedule.definition().timeRule(schedule.name(), schedule.createdAt()),
            read(due.calendars()));
    synchronized (this) {
      kept.put(key, read);
    }
    return read;
  }

  static Map<CalendarName, WorkingCalendar> read(List<StoredCalendar> calendars) {
    Map<CalendarName, WorkingCalendar> byName = new HashMap<>();
    calendars.forEach(calendar -> byName.put(calendar.name(), calendar.calendar()));
    return byName;
  }
}
