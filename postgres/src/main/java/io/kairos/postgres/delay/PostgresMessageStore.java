package io.kairos.postgres.delay;

import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.delay.port.ClaimRequest;
import io.kairos.engine.delay.port.Claimed;
import io.kairos.engine.delay.port.IntakeBatch;
import io.kairos.engine.delay.port.IntakeResult;
import io.kairos.engine.delay.port.MessageStore;
import io.kairos.engine.delay.port.Overview;
import io.kairos.engine.delay.port.Suspect;
import io.kairos.engine.delay.port.TopicId;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Columns;
import io.kairos.postgres.sql.Database;
import io.kairos.postgres.sql.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * {@link MessageStore} on the table {@code delayed_message}. One statement per call where one is
 * enough; several share a transaction.
 */
public final class PostgresMessageStore implements MessageStore {
  private static final Sql ROUTE_INSERT = Sql.load(PostgresMessageStore.class, "route_insert.sql");
  private static final Sql ROUTE_FIND = Sql.load(PostgresMessageStore.class, "route_find.sql");
  private static final Sql PENDING = Sql.load(PostgresMessageStore.class, "pending.sql");
  private static final Sql CLAIM = Sql.load(PostgresMessageStore.class, "claim.sql");
  private static final Sql TAKE_OVER = Sql.load(PostgresMessageStore.class, "take_over.sql");
  private static final Sql READ_BACK = Sql.load(PostgresMessageStore.class, "read_back.sql");
  private static final Sql DEFER = Sql.load(PostgresMessageStore.class, "defer.sql");
  private static final Sql OVERHELD = Sql.load(PostgresMessageStore.class, "overheld.sql");
  private static final Sql RESET = Sql.load(PostgresMessageStore.class, "reset.sql");
  private static final Sql ROUTES_PENDING =
      Sql.load(PostgresMessageStore.class, "routes_pending.sql");
  private static final Sql OVERVIEW = Sql.load(PostgresMessageStore.class, "overview.sql");

  private final Database database;
  private final Database calls;
  private final Intake intake = new Intake();

  /**
   * @param database for what the node does
   * @param calls for messages that come by calls, which must not be in the way of heartbeats
   *     however many they are
   */
  public PostgresMessageStore(Database database, Database calls) {
    this.database = database;
    this.calls = calls;
  }

  @Override
  public RouteId route(String name) {
    return database.transaction(
        "naming a route",
        connection -> {
          try (Call call = ROUTE_INSERT.on(connection).with("name", name)) {
            call.update();
          }
          try (Call call = ROUTE_FIND.on(connection).with("name", name);
              ResultSet row = call.query()) {
            row.next();
            return new RouteId(row.getInt(1));
          }
        });
  }

  @Override
  public Map<Integer, Long> positions(
      RouteId route, TopicId topic, Collection<Integer> partitions) {
    return database.transaction(
        "reading positions", connection -> Positions.read(connection, route, topic, partitions));
  }

  @Override
  public IntakeResult accept(IntakeBatch batch) {
    // What comes from an input topic moves a position.
    Database by = batch.moves().isEmpty() ? calls : database;
    return by.transaction("accepting a batch", connection -> intake.accept(connection, batch));
  }

  @Override
  public Set<MessageId> pending(RouteId route, Collection<MessageId> ids) {
    if (ids.isEmpty()) {
      return Set.of();
    }
    BinaryArray wanted = Ids.of(ids);
    return database.single(
        "looking for pending ids",
        connection -> {
          Set<MessageId> pending = new HashSet<>();
          try (Call call = PENDING.on(connection).with("route", route.value()).with("ids", wanted);
              ResultSet rows = call.query()) {
            while (rows.next()) {
              pending.add(new MessageId(Columns.text(rows, 1)));
            }
          }
          return pending;
        });
  }

  @Override
  public List<Claimed> claim(ClaimRequest request) {
    if (request.routes().isEmpty()) {
      return List.of();
    }
    return database.single(
        "claiming",
        connection -> {
          try (Call call = bind(CLAIM.on(connection), request);
              ResultSet rows = call.query()) {
            return MessageRows.under(request.to(), rows);
          }
        });
  }

  @Override
  public List<Claimed> takeOver(NodeId from, ClaimRequest request, long maybeFiredMicros) {
    if (request.routes().isEmpty()) {
      return List.of();
    }
    return database.single(
        "taking over",
        connection -> {
          try (Call call =
                  bind(TAKE_OVER.on(connection), request)
                      .with("from", from.value())
                      .with("maybe_fired_until", maybeFiredMicros);
              ResultSet rows = call.query()) {
            return MessageRows.under(request.to(), rows);
          }
        });
  }

  private static Call bind(Call call, ClaimRequest request) throws SQLException {
    return call.with("routes", routes(request.routes()))
        .with("until", request.untilMicros())
        .with("max_messages", request.maxMessages())
        .with("max_bytes", request.maxBytes())
        .with("holder", request.to().readiedBy().value())
        .with("stamp", request.to().readiedAtMicros());
  }

  @Override
  public List<Claimed> readBack(Fence fence) {
    return database.single(
        "reading back a claim",
        connection -> {
          try (Call call =
                  READ_BACK
                      .on(connection)
                      .with("holder", fence.readiedBy().value())
                      .with("stamp", fence.readiedAtMicros());
              ResultSet rows = call.query()) {
            return MessageRows.under(fence, rows);
          }
        });
  }

  @Override
  public List<Claimed> delete(List<Claimed> fired) {
    if (fired.isEmpty()) {
      return List.of();
    }
    List<Pairs<Claimed>> pairs = Pairs.grouped(fired, Pairs.Place::of);
    return database.transaction(
        "deleting fired messages", connection -> Deletion.run(connection, pairs));
  }

  @Override
  public void defer(List<Claimed> held, long untilMicros) {
    if (held.isEmpty()) {
      return;
    }
    List<Pairs<Claimed>> all = Pairs.grouped(held, Pairs.Place::of);
    database.transaction(
        "deferring messages",
        connection -> {
          int changed = 0;
          for (Pairs<Claimed> pairs : all) {
            try (Call call =
                pairs
                    .bind(DEFER.on(connection))
                    .with("marked", Ids.of(marked(pairs), one -> one.message().id()))
                    .with("until", untilMicros)) {
              changed += call.update();
            }
          }
          return changed;
        });
  }

  private static List<Claimed> marked(Pairs<Claimed> pairs) {
    return pairs.members().stream().filter(Claimed::maybeFired).toList();
  }

  @Override
  public List<Suspect> overheld(Set<RouteId> routes, Duration holdTime, int limit) {
    if (routes.isEmpty()) {
      return List.of();
    }
    return database.single(
        "looking for overheld messages",
        connection -> {
          try (Call call =
                  OVERHELD
                      .on(connection)
                      .with("routes", routes(routes))
                      .with("hold_micros", EpochMicros.lengthOf(holdTime))
                      .with("max_per_holder", limit);
              ResultSet rows = call.query()) {
            return suspects(rows);
          }
        });
  }

  @Override
  public List<Suspect> reset(List<Suspect> suspects) {
    if (suspects.isEmpty()) {
      return List.of();
    }
    List<Pairs<Suspect>> all = Pairs.grouped(suspects, Pairs.Place::of);
    return database.transaction(
        "resetting suspects",
        connection -> {
          List<Suspect> changed = new ArrayList<>();
          for (Pairs<Suspect> pairs : all) {
            try (Call call = pairs.bind(RESET.on(connection));
                ResultSet rows = call.query()) {
              Set<String> ids = new HashSet<>();
              while (rows.next()) {
                ids.add(Columns.text(rows, 1));
              }
              changed.addAll(pairs.with(ids));
            }
          }
          return changed;
        });
  }

  private static List<Suspect> suspects(ResultSet rows) throws SQLException {
    List<Suspect> suspects = new ArrayList<>();
    while (rows.next()) {
      suspects.add(
          new Suspect(
              new RouteId(rows.getInt(1)),
              new MessageId(Columns.text(rows, 2)),
              new Fence(MessageRows.node(rows, 3), rows.getLong(4))));
    }
    return suspects;
  }

  @Override
  public Overview overview(Set<RouteId> routes) {
    return database.single(
        "looking at the store",
        connection -> {
          try (Call call = OVERVIEW.on(connection).with("routes", routes(routes));
              ResultSet row = call.query()) {
            row.next();
            long stored = row.getLong(1);
            long oldest = row.getLong(2);
            OptionalLong oldestWaiting =
                row.wasNull() ? OptionalLong.empty() : OptionalLong.of(oldest);
            return new Overview(stored, oldestWaiting, row.getLong(3));
          }
        });
  }

  /** Every route that was ever served here, with how many messages it has, counted to 10,001. */
  public Map<String, Integer> pendingByRoute() {
    return database.single(
        "counting messages of all routes",
        connection -> {
          Map<String, Integer> pending = new TreeMap<>();
          try (Call call = ROUTES_PENDING.on(connection);
              ResultSet rows = call.query()) {
            while (rows.next()) {
              pending.put(Columns.text(rows, 1), rows.getInt(2));
            }
          }
          return pending;
        });
  }

  private static BinaryArray routes(Set<RouteId> routes) {
    return BinaryArray.ints(routes.stream().mapToInt(RouteId::value).sorted().toArray());
  }
}
