package io.kairos.postgres.schedule;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.calendar.CalendarText;
import io.kairos.domain.schedule.definition.Schedule;
import io.kairos.domain.schedule.definition.ScheduleDecider;
import io.kairos.domain.schedule.definition.ScheduleId;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.schedule.port.CalendarDeletion;
import io.kairos.engine.schedule.port.CreationResult;
import io.kairos.engine.schedule.port.DueDecider;
import io.kairos.engine.schedule.port.DueSchedule;
import io.kairos.engine.schedule.port.FireReceipt;
import io.kairos.engine.schedule.port.LedgerQuery;
import io.kairos.engine.schedule.port.NamedFiring;
import io.kairos.engine.schedule.port.NextDecision;
import io.kairos.engine.schedule.port.NextTrigger;
import io.kairos.engine.schedule.port.ScheduleChange;
import io.kairos.engine.schedule.port.ScheduleFilter;
import io.kairos.engine.schedule.port.ScheduleListing;
import io.kairos.engine.schedule.port.ScheduleListing.Place;
import io.kairos.engine.schedule.port.ScheduleStore;
import io.kairos.engine.schedule.port.ScheduleWrite;
import io.kairos.engine.schedule.port.StoredCalendar;
import io.kairos.postgres.sql.LikePatterns;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.SqlCall;
import io.kairos.postgres.sql.SqlDatabase;
import io.kairos.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * {@link ScheduleStore} on the tables {@code schedule}, {@code schedule_fire} and {@code
 * business_calendar}. A batch of decisions is one transaction of a few statements. Stateless but
 * for its connections.
 *
 * @param database connections for the node's own work
 * @param calls connections for what applications and operators look up and change, so that no
 *     number of calls delays firing
 */
public record PostgresScheduleStore(SqlDatabase database, SqlDatabase calls)
    implements ScheduleStore {
  private static final SqlStatement TIME = SqlStatement.load("schedule/store_time.sql");
  private static final SqlStatement AGENDA = SqlStatement.load("schedule/agenda.sql");
  private static final SqlStatement PUT_OFF = SqlStatement.load("schedule/put_off.sql");
  private static final SqlStatement FIND = SqlStatement.load("schedule/find.sql");
  private static final SqlStatement LIST = SqlStatement.load("schedule/list.sql");
  private static final SqlStatement LIST_REPLICATED =
      SqlStatement.load("schedule/list_replicated.sql");
  private static final SqlStatement LIST_END = SqlStatement.load("schedule/list_end.sql");
  private static final SqlStatement NAME_OF = SqlStatement.load("schedule/name_of.sql");
  private static final SqlStatement STANDING = SqlStatement.load("schedule/standing.sql");
  private static final SqlStatement WAKE_PAGE = SqlStatement.load("schedule/wake_page.sql");

  private static final SqlStatement PRUNE_LEDGER = SqlStatement.load("schedule/fire_prune.sql");
  private static final int WOKEN_AT_ONCE = 1_000;

  /** Schedules that one list passes over; that takes about ten milliseconds. */
  static final int MOST_LOOKED = 20_000;

  /** How long a schedule is put off whose row a newer version or a person has written. */
  private static final Duration UNREADABLE_FOR = Duration.ofMinutes(1);

  @Override
  public Instant now() {
    return calls
        .call("asking for the time", TIME)
        .one(row -> EpochMicros.toInstant(row.getLong(1)));
  }

  @Override
  public FireReceipt fire(NodeId node, int limit, Duration enqueueTimeout, DueDecider decider) {
    return database.transaction(
        "firing schedules",
        connection ->
            decide(connection, node, DueRows.comeDue(connection, limit), enqueueTimeout, decider));
  }

  @Override
  public FireReceipt fireNamed(
      NodeId node, NamedFiring which, Duration enqueueTimeout, DueDecider decider) {
    return calls.transaction(
        "firing schedules of a replicated cron",
        connection ->
            decide(connection, node, DueRows.comeDue(connection, which), enqueueTimeout, decider));
  }

  private static FireReceipt decide(
      Connection connection,
      NodeId node,
      DueRows dues,
      Duration enqueueTimeout,
      DueDecider decider) {
    for (DueRows.Unreadable one : dues.unreadable()) {
      putOff(connection, one.id(), one.generation(), one.decidedToMicros(), UNREADABLE_FOR);
      decider.unreadable(one.name(), one.why());
    }
    return dues.due().isEmpty()
        ? FireReceipt.NOTHING
        : write(connection, node, dues, decider.decide(dues.due(), dues.now()), enqueueTimeout);
  }

  @Override
  public List<NextDecision> nextDecisions(Collection<ScheduleName> names) {
    return calls
        .call("looking who decides schedules", STANDING)
        .with("names", DueRows.names(names))
        .list(row ->
            new NextDecision(
                new ScheduleName(ScheduleRows.text(row, "name")),
                ScheduleDecider.valueOf(ScheduleRows.text(row, "decider")),
                ScheduleRows.instantOrNull(row, "next_at")));
  }

  private static FireReceipt write(
      Connection connection,
      NodeId node,
      DueRows dues,
      List<ScheduleWrite> writes,
      Duration enqueueTimeout) {
    List<Schedule> before = dues.due().stream().map(DueSchedule::schedule).toList();
    return new DecisionWriter(connection, before, dues.turns(), writes).run(node, enqueueTimeout);
  }

  @Override
  public NextTrigger agenda() {
    return database
        .call("looking for the next schedule", AGENDA)
        .one(row ->
            new NextTrigger(
                ScheduleRows.instant(row, "now"), ScheduleRows.instantOrNull(row, "next_at")));
  }

  @Override
  public CreationResult create(Schedule schedule) {
    return calls.transaction(
        "storing a schedule",
        connection -> {
          Optional<CalendarName> missing =
              DefinitionRows.missing(connection, schedule.definition().rule().calendarNames());
          if (missing.isPresent()) {
            return new CreationResult.NoCalendar(missing.get());
          }
          return DefinitionRows.insert(connection, schedule)
              ? new CreationResult.Created()
              : new CreationResult.NameTaken();
        });
  }

  @Override
  public Optional<FireReceipt> change(
      NodeId node,
      ScheduleName name,
      String request,
      Duration enqueueTimeout,
      ScheduleChange change) {
    return calls.transaction(
        "changing a schedule",
        connection -> {
          DueRows dues = DueRows.named(connection, name.value(), request);
          if (dues.due().isEmpty()) {
            return Optional.empty();
          }
          Optional<ScheduleWrite> write = change.decide(dues.due().getFirst(), dues.now());
          return Optional.of(
              write.isEmpty()
                  ? FireReceipt.NOTHING
                  : write(connection, node, dues, List.of(write.get()), enqueueTimeout));
        });
  }

  @Override
  public void putOff(Schedule schedule, Duration delay) {
    database.single(
        "putting a schedule off",
        connection ->
            putOff(
                connection,
                schedule.id().value(),
                schedule.generation(),
                EpochMicros.of(schedule.progress().decidedTo()),
                delay));
  }

  private static int putOff(
      Connection connection, UUID id, long generation, long decidedToMicros, Duration delay) {
    return PUT_OFF
        .on(connection)
        .with("id", id)
        .with("generation", generation)
        .with("decided_to", decidedToMicros)
        .with("delay_micros", EpochMicros.lengthOf(delay))
        .update();
  }

  @Override
  public Optional<Schedule> find(ScheduleName name) {
    return calls
        .call("looking for a schedule", FIND)
        .with("name", name.value())
        .optional(ScheduleRows::schedule);
  }

  @Override
  public boolean discard(ScheduleName name) {
    return calls.transaction(
        "removing a schedule",
        connection -> {
          List<UUID> ids = DueRows.lock(connection, name.value());
          for (UUID id : ids) {
            DecisionWriter.remove(connection, id);
          }
          return !ids.isEmpty();
        });
  }

  @Override
  public ScheduleListing list(
      ScheduleFilter query, BiConsumer<ScheduleName, RuntimeException> unreadable) {
    return calls.single(
        "listing schedules",
        connection -> {
          List<Schedule> schedules = new ArrayList<>();
          @Nullable Place end = null;
          for (String beginning : query.beginnings()) {
            if (end == null && schedules.size() < query.limit()) {
              end = query.passesOverMany() ? end(connection, query, beginning) : null;
              list(connection, query, new Range(beginning, end), schedules, unreadable);
            }
          }
          return new ScheduleListing(schedules, schedules.size() == query.limit() ? null : end);
        });
  }

  /**
   * Part of the names.
   *
   * @param beginning of all of them
   * @param end the last one that is looked at; null for no bound
   */
  private record Range(String beginning, @Nullable Place end) {
    @Nullable String last() {
      return end == null ? null : end.name().value();
    }
  }

  private static @Nullable Place end(
      Connection connection, ScheduleFilter query, String beginning) {
    return LIST_END
        .on(connection)
        .with("after", after(query))
        .with("prefix", beginning)
        .with("max_looked", MOST_LOOKED - 1)
        .optional(row ->
            new Place(ScheduleRows.id(row), new ScheduleName(ScheduleRows.text(row, "name"))))
        .orElse(null);
  }

  private static String after(ScheduleFilter query) {
    ScheduleName from = query.after();
    return from == null ? "" : from.value();
  }

  @Override
  public Optional<ScheduleName> nameOf(ScheduleId id) {
    return calls
        .call("looking for the name of a schedule", NAME_OF)
        .with("id", id.value())
        .optional(row -> new ScheduleName(NonNullColumns.text(row, 1)));
  }

  /** Adds schedules whose names begin so, until the list has as many as the query wants. */
  private static void list(
      Connection connection,
      ScheduleFilter query,
      Range range,
      List<Schedule> schedules,
      BiConsumer<ScheduleName, RuntimeException> unreadable) {
    String after = after(query);
    int missing = query.limit() - schedules.size();
    while (missing > 0) {
      List<String> names =
          listing(connection, query.decider())
              .with("after", after)
              .with("prefix", range.beginning())
              .with("last_looked", range.last())
              .with("patterns", LikePatterns.of(query.patterns()))
              .with("statuses", FireLedger.names(query.statuses()))
              .with("max_schedules", missing)
              .list(row -> {
                String name = ScheduleRows.text(row, "name");
                try {
                  schedules.add(ScheduleRows.schedule(row).withoutPayload());
                } catch (RuntimeException e) {
                  unreadable.accept(new ScheduleName(name), e);
                }
                return name;
              });
      boolean more = names.size() >= missing;
      missing = more ? query.limit() - schedules.size() : 0;
      after = more ? names.getLast() : after;
    }
  }

  /**
   * Schedules of a replicated cron have an index of their own, which a generic plan of the other
   * statement does not use.
   */
  private static SqlCall listing(Connection connection, @Nullable ScheduleDecider decider) {
    return decider == ScheduleDecider.REPLICATED
        ? LIST_REPLICATED.on(connection)
        : LIST.on(connection).with("decider", decider == null ? null : decider.name());
  }

  @Override
  public List<LedgerEntry> fires(LedgerQuery query) {
    return calls.single("reading the ledger", connection -> FireLedger.list(connection, query));
  }

  @Override
  public int pruneLedger(Duration retention, int limit) {
    return database
        .call("pruning the ledger", PRUNE_LEDGER)
        .with("retention_micros", EpochMicros.lengthOf(retention))
        .with("max_fires", limit)
        .update();
  }

  @Override
  public Optional<StoredCalendar> putCalendar(
      CalendarName name, CalendarText text, @Nullable Long generation) {
    return calls.transaction(
        "storing a calendar",
        connection -> {
          Optional<StoredCalendar> stored = CalendarRows.put(connection, name, text, generation);
          if (stored.isPresent()) {
            CalendarRows.wakeUsers(connection, name);
          }
          return stored;
        });
  }

  @Override
  public List<StoredCalendar> calendars(Collection<CalendarName> names) {
    return calls.single(
        "looking for calendars",
        connection -> CalendarRows.find(connection, names.stream().distinct().toList()));
  }

  @Override
  public List<StoredCalendar> listCalendars(@Nullable CalendarName after, int limit) {
    return calls.single(
        "listing calendars", connection -> CalendarRows.list(connection, after, limit));
  }

  @Override
  public CalendarDeletion deleteCalendar(CalendarName name) {
    return calls.transaction(
        "deleting a calendar", connection -> CalendarRows.delete(connection, name));
  }

  @Override
  public boolean rezone(String timeZoneRules) {
    boolean woken = false;
    UUID after = new UUID(0, 0);
    while (after != null) {
      List<Looked> page = wake(after, timeZoneRules);
      woken |= page.stream().anyMatch(Looked::woken);
      after = page.isEmpty() ? null : page.getLast().id();
    }
    return woken;
  }

  /** A schedule that was looked at, and true if it is due for a decision now. */
  private record Looked(UUID id, boolean woken) {}

  private List<Looked> wake(UUID after, String timeZoneRules) {
    return database
        .call("looking at schedules anew", WAKE_PAGE)
        .with("after", after)
        .with("time_zone_rules", timeZoneRules)
        .with("max_schedules", WOKEN_AT_ONCE)
        .list(row -> new Looked(NonNullColumns.uuid(row, 1), row.getBoolean(2)));
  }
}
