package io.kairos.postgres.schedule;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.fire.CalendarText;
import io.kairos.domain.schedule.fire.DecidedBy;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.schedule.fire.Schedule;
import io.kairos.domain.schedule.fire.ScheduleName;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.schedule.port.Agenda;
import io.kairos.engine.schedule.port.CalendarDeletion;
import io.kairos.engine.schedule.port.Change;
import io.kairos.engine.schedule.port.Creation;
import io.kairos.engine.schedule.port.Decider;
import io.kairos.engine.schedule.port.Deed;
import io.kairos.engine.schedule.port.Due;
import io.kairos.engine.schedule.port.Fired;
import io.kairos.engine.schedule.port.LedgerQuery;
import io.kairos.engine.schedule.port.ScheduleQuery;
import io.kairos.engine.schedule.port.ScheduleStore;
import io.kairos.engine.schedule.port.Standing;
import io.kairos.engine.schedule.port.StoredCalendar;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Columns;
import io.kairos.postgres.sql.Database;
import io.kairos.postgres.sql.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
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
 */
public final class PostgresScheduleStore implements ScheduleStore {
  private static final Sql TIME = Sql.load(PostgresScheduleStore.class, "store_time.sql");
  private static final Sql AGENDA = Sql.load(PostgresScheduleStore.class, "agenda.sql");
  private static final Sql PUT_OFF = Sql.load(PostgresScheduleStore.class, "put_off.sql");
  private static final Sql FIND = Sql.load(PostgresScheduleStore.class, "find.sql");
  private static final Sql LIST = Sql.load(PostgresScheduleStore.class, "list.sql");
  private static final Sql LIST_REPLICATED =
      Sql.load(PostgresScheduleStore.class, "list_replicated.sql");
  private static final Sql STANDING = Sql.load(PostgresScheduleStore.class, "standing.sql");
  private static final Sql WAKE_PAGE = Sql.load(PostgresScheduleStore.class, "wake_page.sql");

  private static final int WOKEN_AT_ONCE = 1_000;

  /** Perhaps a newer version has written it, or somebody's hand. */
  private static final Duration UNREADABLE_FOR = Duration.ofMinutes(1);

  private final Database database;
  private final Database calls;

  /**
   * @param database for what the node does
   * @param calls for what applications and operators look up and change, which must not be in the
   *     way of firing however much it is
   */
  public PostgresScheduleStore(Database database, Database calls) {
    this.database = database;
    this.calls = calls;
  }

  @Override
  public Instant now() {
    return calls.single(
        "asking for the time",
        connection -> {
          try (Call call = TIME.on(connection);
              ResultSet row = call.query()) {
            row.next();
            return EpochMicros.toInstant(row.getLong(1));
          }
        });
  }

  @Override
  public Fired fire(NodeId node, int limit, Duration enqueueTimeout, Decider decider) {
    return database.transaction(
        "firing schedules",
        connection ->
            decide(connection, node, Dues.comeDue(connection, limit), enqueueTimeout, decider));
  }

  @Override
  public Fired fireNamed(
      NodeId node,
      Collection<ScheduleName> names,
      Instant upTo,
      int limit,
      Duration enqueueTimeout,
      Decider decider) {
    return calls.transaction(
        "firing schedules of a replicated cron",
        connection ->
            decide(
                connection,
                node,
                Dues.comeDue(connection, names, upTo, limit),
                enqueueTimeout,
                decider));
  }

  private static Fired decide(
      Connection connection, NodeId node, Dues dues, Duration enqueueTimeout, Decider decider)
      throws SQLException {
    for (Dues.Unreadable one : dues.unreadable()) {
      putOff(connection, one.id(), one.generation(), one.decidedToMicros(), UNREADABLE_FOR);
      decider.unreadable(one.name(), one.why());
    }
    return dues.due().isEmpty()
        ? Fired.NOTHING
        : write(connection, node, dues, decider.decide(dues.due(), dues.now()), enqueueTimeout);
  }

  @Override
  public List<Standing> standings(Collection<ScheduleName> names) {
    return calls.single(
        "looking who decides schedules",
        connection -> {
          List<Standing> standings = new ArrayList<>();
          try (Call call = STANDING.on(connection).with("names", Dues.names(names));
              ResultSet rows = call.query()) {
            while (rows.next()) {
              standings.add(
                  new Standing(
                      new ScheduleName(Rows.text(rows, "name")),
                      DecidedBy.valueOf(Rows.text(rows, "decider")),
                      Rows.instantOrNull(rows, "next_at")));
            }
          }
          return standings;
        });
  }

  private static Fired write(
      Connection connection, NodeId node, Dues dues, List<Deed> deeds, Duration enqueueTimeout)
      throws SQLException {
    List<Schedule> before = dues.due().stream().map(Due::schedule).toList();
    return new Writing(connection, before, deeds).run(node, enqueueTimeout);
  }

  @Override
  public Agenda agenda() {
    return database.single(
        "looking for the next schedule",
        connection -> {
          try (Call call = AGENDA.on(connection);
              ResultSet row = call.query()) {
            row.next();
            return new Agenda(Rows.instant(row, "now"), Rows.instantOrNull(row, "next_at"));
          }
        });
  }

  @Override
  public Creation create(Schedule schedule) {
    return calls.transaction(
        "storing a schedule",
        connection -> {
          Optional<CalendarName> missing =
              Definitions.missing(connection, schedule.definition().rule().calendarNames());
          if (missing.isPresent()) {
            return new Creation.NoCalendar(missing.get());
          }
          return Definitions.insert(connection, schedule)
              ? new Creation.Created()
              : new Creation.NameTaken();
        });
  }

  @Override
  public Optional<Fired> change(
      NodeId node, ScheduleName name, String request, Duration enqueueTimeout, Change change) {
    return calls.transaction(
        "changing a schedule",
        connection -> {
          Dues dues = Dues.named(connection, name.value(), request);
          if (dues.due().isEmpty()) {
            return Optional.empty();
          }
          Optional<Deed> deed = change.decide(dues.due().getFirst(), dues.now());
          return Optional.of(
              deed.isEmpty()
                  ? Fired.NOTHING
                  : write(connection, node, dues, List.of(deed.get()), enqueueTimeout));
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
      Connection connection, UUID id, long generation, long decidedToMicros, Duration delay)
      throws SQLException {
    try (Call call =
        PUT_OFF
            .on(connection)
            .with("id", id)
            .with("generation", generation)
            .with("decided_to", decidedToMicros)
            .with("delay_micros", EpochMicros.lengthOf(delay))) {
      return call.update();
    }
  }

  @Override
  public Optional<Schedule> find(ScheduleName name) {
    return calls.single(
        "looking for a schedule",
        connection -> {
          try (Call call = FIND.on(connection).with("name", name.value());
              ResultSet row = call.query()) {
            return row.next() ? Optional.of(Rows.schedule(row)) : Optional.empty();
          }
        });
  }

  @Override
  public boolean discard(ScheduleName name) {
    return calls.transaction(
        "removing a schedule",
        connection -> {
          UUID[] ids = Dues.lock(connection, name.value());
          for (UUID id : ids) {
            Writing.remove(connection, id);
          }
          return ids.length > 0;
        });
  }

  @Override
  public List<Schedule> list(
      ScheduleQuery query, BiConsumer<ScheduleName, RuntimeException> unreadable) {
    return calls.single(
        "listing schedules",
        connection -> {
          List<Schedule> schedules = new ArrayList<>();
          ScheduleName from = query.after();
          String after = from == null ? "" : from.value();
          int missing = query.limit();
          while (missing > 0) {
            int read = 0;
            try (Call call =
                    listing(connection, query.decider())
                        .with("after", after)
                        .with("prefix", query.prefix())
                        .with("statuses", Ledger.names(query.statuses()))
                        .with("max_schedules", missing);
                ResultSet rows = call.query()) {
              while (rows.next()) {
                read++;
                after = Rows.text(rows, "name");
                try {
                  schedules.add(Rows.schedule(rows));
                } catch (RuntimeException e) {
                  unreadable.accept(new ScheduleName(after), e);
                }
              }
            }
            missing = read < missing ? 0 : query.limit() - schedules.size();
          }
          return schedules;
        });
  }

  /** What a replicated cron decides has an index, which a general plan does not know how to use. */
  private static Call listing(Connection connection, @Nullable DecidedBy decider)
      throws SQLException {
    return decider == DecidedBy.REPLICATED
        ? LIST_REPLICATED.on(connection)
        : LIST.on(connection).with("decider", decider == null ? null : decider.name());
  }

  @Override
  public List<LedgerEntry> fires(LedgerQuery query) {
    return calls.single("reading the ledger", connection -> Ledger.list(connection, query));
  }

  @Override
  public int pruneLedger(Duration retention, int limit) {
    return database.single(
        "pruning the ledger",
        connection -> Ledger.prune(connection, EpochMicros.lengthOf(retention), limit));
  }

  @Override
  public Optional<StoredCalendar> putCalendar(
      CalendarName name, CalendarText text, @Nullable Long generation) {
    return calls.transaction(
        "storing a calendar",
        connection -> {
          Optional<StoredCalendar> stored = Calendars.put(connection, name, text, generation);
          if (stored.isPresent()) {
            Calendars.wakeUsers(connection, name);
          }
          return stored;
        });
  }

  @Override
  public List<StoredCalendar> calendars(Collection<CalendarName> names) {
    return calls.single(
        "looking for calendars",
        connection -> Calendars.find(connection, names.stream().distinct().toList()));
  }

  @Override
  public List<StoredCalendar> listCalendars(@Nullable CalendarName after, int limit) {
    return calls.single(
        "listing calendars", connection -> Calendars.list(connection, after, limit));
  }

  @Override
  public CalendarDeletion deleteCalendar(CalendarName name) {
    return calls.transaction(
        "deleting a calendar", connection -> Calendars.delete(connection, name));
  }

  @Override
  public boolean rezone(String timeZoneRules) {
    boolean woken = false;
    UUID after = new UUID(0, 0);
    while (after != null) {
      Page page = wake(after, timeZoneRules);
      woken |= page.woken;
      after = page.last;
    }
    return woken;
  }

  /** Schedules that were looked through. */
  private record Page(@Nullable UUID last, boolean woken) {}

  private Page wake(UUID after, String timeZoneRules) {
    return database.single(
        "looking at schedules anew",
        connection -> {
          UUID last = null;
          boolean woken = false;
          try (Call call =
                  WAKE_PAGE
                      .on(connection)
                      .with("after", after)
                      .with("time_zone_rules", timeZoneRules)
                      .with("max_schedules", WOKEN_AT_ONCE);
              ResultSet rows = call.query()) {
            while (rows.next()) {
              last = Columns.uuid(rows, 1);
              woken |= rows.getBoolean(2);
            }
          }
          return new Page(last, woken);
        });
  }
}
