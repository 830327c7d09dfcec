package io.kairos.postgres.delay;

import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.queue.MessageOutput;
import io.kairos.engine.delay.port.ClaimRequest;
import io.kairos.engine.delay.port.ClaimedMessage;
import io.kairos.engine.delay.port.IntakeBatch;
import io.kairos.engine.delay.port.IntakeResult;
import io.kairos.engine.delay.port.KeptLetter;
import io.kairos.engine.delay.port.LetterMark;
import io.kairos.engine.delay.port.LongHeldMessage;
import io.kairos.engine.delay.port.MessageCounts;
import io.kairos.engine.delay.port.MessageStore;
import io.kairos.engine.delay.port.StoredMessage;
import io.kairos.engine.delay.port.TopicId;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.NullableColumns;
import io.kairos.postgres.sql.SqlCall;
import io.kairos.postgres.sql.SqlDatabase;
import io.kairos.postgres.sql.SqlStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/**
 * {@link MessageStore} on the table {@code delayed_message}. One statement per call where one is
 * enough; several share a transaction.
 */
public final class PostgresMessageStore implements MessageStore {
  private static final SqlStatement ROUTE_INSERT = SqlStatement.load("delay/route_insert.sql");
  private static final SqlStatement ROUTE_FIND = SqlStatement.load("delay/route_find.sql");
  private static final SqlStatement ROUTE_STATE = SqlStatement.load("delay/route_state.sql");
  private static final SqlStatement ROUTE_POSTS = SqlStatement.load("delay/route_posts.sql");
  private static final SqlStatement ROUTES_STATED = SqlStatement.load("delay/routes_stated.sql");
  private static final SqlStatement LETTER_KEEP = SqlStatement.load("delay/letter_keep.sql");
  private static final SqlStatement LETTER_FIND = SqlStatement.load("delay/letter_find.sql");
  private static final SqlStatement LETTER_MARK = SqlStatement.load("delay/letter_mark.sql");
  private static final SqlStatement LETTER_UNMARK = SqlStatement.load("delay/letter_unmark.sql");
  private static final SqlStatement FIND = SqlStatement.load("delay/find.sql");
  private static final long LETTERS_MAX_BYTES = 1L << 30;
  private static final long LETTERS_KEPT_MICROS = Duration.ofDays(30).toNanos() / 1_000;
  private static final SqlStatement PENDING = SqlStatement.load("delay/pending.sql");
  private static final SqlStatement CLAIM = SqlStatement.load("delay/claim.sql");
  private static final SqlStatement TAKE_OVER = SqlStatement.load("delay/take_over.sql");
  private static final SqlStatement READ_BACK = SqlStatement.load("delay/read_back.sql");
  private static final SqlStatement DEFER = SqlStatement.load("delay/defer.sql");
  private static final SqlStatement OVERHELD = SqlStatement.load("delay/overheld.sql");
  private static final SqlStatement RESET = SqlStatement.load("delay/reset.sql");
  private static final SqlStatement ROUTES_PENDING = SqlStatement.load("delay/routes_pending.sql");
  private static final SqlStatement OVERVIEW = SqlStatement.load("delay/overview.sql");

  private final SqlDatabase database;
  private final SqlDatabase calls;
  private final MessageIntake intake = new MessageIntake();

  /**
   * @param database connections for the node's own work
   * @param calls connections for messages that come by calls, so that no number of calls delays
   *     heartbeats
   */
  public PostgresMessageStore(SqlDatabase database, SqlDatabase calls) {
    this.database = database;
    this.calls = calls;
  }

  @Override
  public RouteId route(String name) {
    return database.transaction(
        "naming a route",
        connection -> {
          ROUTE_INSERT.on(connection).with("name", name).update();
          return ROUTE_FIND
              .on(connection)
              .with("name", name)
              .one(row -> new RouteId(row.getInt(1)));
        });
  }

  @Override
  public Map<Integer, Long> positions(
      RouteId route, TopicId topic, Collection<Integer> partitions) {
    return database.transaction(
        "reading positions",
        connection -> InputPositions.read(connection, route, topic, partitions));
  }

  @Override
  public IntakeResult accept(IntakeBatch batch) {
    // A batch from an input topic moves a position.
    SqlDatabase by = batch.moves().isEmpty() ? calls : database;
    return by.transaction("accepting a batch", connection -> intake.accept(connection, batch));
  }

  @Override
  public Set<MessageId> pending(RouteId route, Collection<MessageId> ids) {
    if (ids.isEmpty()) {
      return Set.of();
    }
    BinaryArray wanted = MessageIdArray.of(ids);
    return database
        .call("looking for pending ids", PENDING)
        .with("route", route.value())
        .with("ids", wanted)
        .set(row -> new MessageId(NonNullColumns.text(row, 1)));
  }

  @Override
  public List<ClaimedMessage> claim(ClaimRequest request) {
    if (request.routes().isEmpty()) {
      return List.of();
    }
    return MessageRows.under(request.to(), bind(database.call("claiming", CLAIM), request));
  }

  @Override
  public List<ClaimedMessage> takeOver(NodeId from, ClaimRequest request, long maybeFiredMicros) {
    if (request.routes().isEmpty()) {
      return List.of();
    }
    return MessageRows.under(
        request.to(),
        bind(database.call("taking over", TAKE_OVER), request)
            .with("from", from.value())
            .with("maybe_fired_until", maybeFiredMicros));
  }

  private static SqlCall bind(SqlCall call, ClaimRequest request) {
    return call.with("routes", routes(request.routes()))
        .with("until", request.untilMicros())
        .with("max_messages", request.maxMessages())
        .with("max_bytes", request.maxBytes())
        .with("holder", request.to().readiedBy().value())
        .with("stamp", request.to().readiedAtMicros());
  }

  @Override
  public List<ClaimedMessage> readBack(Fence fence) {
    return MessageRows.under(
        fence,
        database
            .call("reading back a claim", READ_BACK)
            .with("holder", fence.readiedBy().value())
            .with("stamp", fence.readiedAtMicros()));
  }

  @Override
  public List<ClaimedMessage> delete(List<ClaimedMessage> fired) {
    if (fired.isEmpty()) {
      return List.of();
    }
    List<FencePairs<ClaimedMessage>> pairs = FencePairs.grouped(fired, FencePairs.FencedId::of);
    return database.transaction(
        "deleting fired messages", connection -> MessageDeletion.run(connection, pairs));
  }

  @Override
  public void defer(List<ClaimedMessage> held, long untilMicros) {
    if (held.isEmpty()) {
      return;
    }
    List<FencePairs<ClaimedMessage>> all = FencePairs.grouped(held, FencePairs.FencedId::of);
    database.transaction(
        "deferring messages",
        connection -> {
          int changed = 0;
          for (FencePairs<ClaimedMessage> pairs : all) {
            changed +=
                pairs
                    .bind(DEFER.on(connection))
                    .with("marked", MessageIdArray.of(marked(pairs), one -> one.message().id()))
                    .with("until", untilMicros)
                    .update();
          }
          return changed;
        });
  }

  private static List<ClaimedMessage> marked(FencePairs<ClaimedMessage> pairs) {
    return pairs.members().stream().filter(ClaimedMessage::maybeFired).toList();
  }

  @Override
  public List<LongHeldMessage> overheld(Set<RouteId> routes, long sinceMicros, int limit) {
    if (routes.isEmpty()) {
      return List.of();
    }
    return database
        .call("looking for overheld messages", OVERHELD)
        .with("routes", routes(routes))
        .with("since_micros", sinceMicros)
        .with("max_per_holder", limit)
        .list(PostgresMessageStore::suspect);
  }

  @Override
  public List<LongHeldMessage> reset(List<LongHeldMessage> suspects) {
    if (suspects.isEmpty()) {
      return List.of();
    }
    List<FencePairs<LongHeldMessage>> all = FencePairs.grouped(suspects, FencePairs.FencedId::of);
    return database.transaction(
        "resetting suspects",
        connection -> {
          List<LongHeldMessage> changed = new ArrayList<>();
          for (FencePairs<LongHeldMessage> pairs : all) {
            changed.addAll(
                pairs.with(
                    pairs.bind(RESET.on(connection)).set(row -> NonNullColumns.text(row, 1))));
          }
          return changed;
        });
  }

  private static LongHeldMessage suspect(ResultSet row) throws SQLException {
    return new LongHeldMessage(
        new RouteId(row.getInt(1)),
        new MessageId(NonNullColumns.text(row, 2)),
        new Fence(MessageRows.node(row, 3), row.getLong(4)));
  }

  @Override
  public MessageCounts overview(Set<RouteId> routes) {
    return database
        .call("looking at the store", OVERVIEW)
        .with("routes", routes(routes))
        .one(PostgresMessageStore::overview);
  }

  @Override
  public boolean keep(KeptLetter letter) {
    return database
        .call("keeping a dead letter", LETTER_KEEP)
        .with("id", letter.id())
        .with("route", letter.route().value())
        .with("reason", letter.reason())
        .with("key", letter.key())
        .with("value", letter.value())
        .with("headers", letter.headers())
        .with("max_bytes", LETTERS_MAX_BYTES)
        .with("kept_micros", LETTERS_KEPT_MICROS)
        .optional(row -> NonNullColumns.uuid(row, 1))
        .isPresent();
  }

  @Override
  public Optional<KeptLetter> kept(UUID id) {
    return calls
        .call("finding a dead letter", LETTER_FIND)
        .with("id", id)
        .optional(row ->
            new KeptLetter(
                id,
                new RouteId(row.getInt(1)),
                NonNullColumns.text(row, 2),
                row.getBytes(3),
                row.getBytes(4),
                NonNullColumns.bytes(row, 5)));
  }

  @Override
  public boolean mark(LetterMark letter, boolean again) {
    return marked(calls.call("noting a dead letter", LETTER_MARK), letter)
        .with("again", again)
        .with("kept_micros", LETTERS_KEPT_MICROS)
        .any();
  }

  @Override
  public void unmark(LetterMark letter) {
    marked(calls.call("taking a note back", LETTER_UNMARK), letter).update();
  }

  private static SqlCall marked(SqlCall call, LetterMark letter) {
    return call.with("route", letter.route().value())
        .with("partition", letter.partition())
        .with("letter_offset", letter.offset())
        .with("letter_millis", letter.timestampMillis());
  }

  @Override
  public Optional<StoredMessage> find(RouteId route, MessageId id) {
    return calls
        .call("looking for a message", FIND)
        .with("route", route.value())
        .with("id", id.value())
        .optional(row ->
            new StoredMessage(
                row.getLong(1),
                NullableColumns.text(row, 2, MessageOutput::ofLabel),
                row.getBoolean(3)));
  }

  private static MessageCounts overview(ResultSet row) throws SQLException {
    return new MessageCounts(row.getLong(1), optional(row, 2), row.getLong(3));
  }

  /** Returns every route that was ever served here, with its messages. */
  public Map<String, RouteBacklog> backlogByRoute() {
    return new TreeMap<>(
        database
            .call("counting messages of all routes", ROUTES_PENDING)
            .map(
                row -> NonNullColumns.text(row, 1),
                row -> new RouteBacklog(row.getInt(2), optional(row, 3))));
  }

  private static OptionalLong optional(ResultSet row, int column) throws SQLException {
    long value = row.getLong(column);
    return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(value);
  }

  /** States the topics of a route, and returns those that were stated before. */
  public Optional<RouteTopics> state(String route, RouteTopics topics) {
    Optional<RouteTopics> before = Optional.ofNullable(stated().get(route));
    database
        .call("stating the topics of a route", ROUTE_STATE)
        .with("name", route)
        .with("input", topics.input())
        .with("output", topics.output())
        .update();
    return before;
  }

  /**
   * States what transactions of applications may post by a route.
   *
   * @param topics to which this node publishes messages of the route
   * @param relaysId true when such messages carry their id in a header
   */
  public void statePosts(String route, Collection<String> topics, boolean relaysId) {
    database
        .call("stating what may be posted by a route", ROUTE_POSTS)
        .with("name", route)
        .with("topics", ColumnBatch.texts(topics, topic -> topic))
        .with("relays_id", relaysId)
        .update();
  }

  /** The topics of every route as they were last stated. */
  public Map<String, RouteTopics> stated() {
    return database
        .call("reading the topics of all routes", ROUTES_STATED)
        .map(row -> NonNullColumns.text(row, 1), row -> RouteTopics.read(row, 2));
  }

  static BinaryArray routes(Set<RouteId> routes) {
    return BinaryArray.ints(routes.stream().mapToInt(RouteId::value).sorted().toArray());
  }
}
