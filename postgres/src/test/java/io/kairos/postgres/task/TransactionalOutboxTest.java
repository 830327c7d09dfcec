package io.kairos.postgres.task;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.kairos.domain.delay.HeaderCodec;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.domain.delay.PostedId;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.pool.Pool;
import io.kairos.domain.pool.PushRequest;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.domain.task.queue.TopicName;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.operator.TaskView;
import io.kairos.postgres.PostgresStores;
import io.kairos.postgres.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests to pools and messages for topics from the application's own transaction. */
final class TransactionalOutboxTest {
  private static final TestDatabase DATABASE = TestDatabase.create();
  private static final String DUE = "2030-01-01T00:00:00.123456Z";

  private static PostgresStores stores;
  private static RouteId first;
  private static RouteId relaying;
  private Connection application;

  /** A message as it is stored. */
  @SuppressWarnings("ArrayRecordComponent") // compared by parts
  private record Row(
      int route,
      long dueMicros,
      List<MessageHeader> headers,
      byte[] key,
      byte[] value,
      String output) {}

  @BeforeAll
  static void open() {
    stores = DATABASE.open();
    first = stores.messages().route("first");
    relaying = stores.messages().route("relaying");
    stores.pools().create(pool(), new byte[24]);
    for (String role : List.of("sender", "newcomer")) {
      DATABASE.execute("create role " + role + " login password '" + role + "'");
      DATABASE.execute("grant execute on function kairos_schedule to " + role);
    }
    DATABASE.execute("grant execute on function kairos_publish to sender");
  }

  private static Pool pool() {
    return Pool.of(new PoolName("billing"), new Pool.Endpoints.Registered());
  }

  @AfterAll
  static void close() {
    stores.close();
    for (String role : List.of("sender", "newcomer")) {
      DATABASE.execute("drop owned by " + role);
      DATABASE.execute("drop role " + role);
    }
  }

  @BeforeEach
  void connect() throws SQLException {
    DATABASE.execute("truncate task, delayed_message");
    DATABASE.execute(
        "update route set output = name || '.out', posts_to = array[name || '.out', name || '.more']");
    DATABASE.execute("update route set relays_id = (name = 'relaying')");
    application = connection("sender");
  }

  private static Connection connection(String role) throws SQLException {
    Connection connection = DriverManager.getConnection(DATABASE.jdbcUrl(), role, role);
    connection.setAutoCommit(false);
    return connection;
  }

  @AfterEach
  void disconnect() throws SQLException {
    application.close();
  }

  private static UUID call(Connection by, String call) throws SQLException {
    try (Statement statement = by.createStatement();
        ResultSet row = statement.executeQuery("select " + call)) {
      row.next();
      return Objects.requireNonNull(row.getObject(1, UUID.class));
    }
  }

  private UUID call(String call) throws SQLException {
    UUID id = call(application, call);
    application.commit();
    return id;
  }

  private SQLException refusal(String call) throws SQLException {
    SQLException refusal = refusal(application, call);
    application.rollback();
    return refusal;
  }

  private static SQLException refusal(Connection by, String call) {
    return catchThrowableOfType(SQLException.class, () -> call(by, call));
  }

  private static Row row(UUID id) throws SQLException {
    try (Connection connection = DATABASE.connect();
        PreparedStatement statement =
            connection.prepareStatement(
                "select route_id, deadline, message_headers, message_key, message_value, output, readied_by"
                    + " from delayed_message where id = ?")) {
      statement.setString(1, id.toString());
      try (ResultSet row = statement.executeQuery()) {
        assertThat(row.next()).isTrue();
        assertThat(row.getObject(7)).isNull();
        return new Row(
            row.getInt(1),
            row.getLong(2),
            HeaderCodec.decode(row.getBytes(3)),
            row.getBytes(4),
            row.getBytes(5),
            row.getString(6));
      }
    }
  }

  private static MessageHeader header(String name, String value) {
    return new MessageHeader(name, value.getBytes(UTF_8));
  }

  @Test
  void a_message_is_stored_as_a_node_stores_one_that_is_posted() throws SQLException {
    UUID id =
        call(
            """
            kairos_publish('first.out', 'hello', run_at => '%s', message_key => 'k',
              header_names => '{a,ä,a}', header_values => '{1,\\\\x00ff,""}',
              traceparent => '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01')
            """
                .formatted(DUE));

    PostedId posted = new PostedId(id);
    assertThat(posted.route()).isEqualTo(first);
    Row row = row(id);
    assertThat(row.route()).isEqualTo(first.value());
    assertThat(row.dueMicros()).isEqualTo(EpochMicros.of(Instant.parse(DUE)));
    assertThat(row.key()).isEqualTo("k".getBytes(UTF_8));
    assertThat(row.value()).isEqualTo("hello".getBytes(UTF_8));
    assertThat(row.output()).as("the route's own").isNull();
    assertThat(row.headers())
        .containsExactly(
            header("a", "1"),
            new MessageHeader("ä", new byte[] {0, (byte) 0xFF}),
            header("a", ""),
            header("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"));
  }

  @Test
  void a_message_for_another_output_of_a_route_that_relays_ids_has_both() throws SQLException {
    UUID id = call("kairos_publish('relaying.more')");

    Row row = row(id);
    assertThat(row.route()).isEqualTo(relaying.value());
    assertThat(row.output()).isEqualTo("relaying.more");
    assertThat(row.headers()).containsExactly(header("kairos-id", id.toString()));
    assertThat(row.key()).isNull();
    assertThat(row.value()).isEmpty();
    assertThat(EpochMicros.toInstant(row.dueMicros()))
        .isBetween(Instant.now().minus(Duration.ofMinutes(1)), Instant.now().plusSeconds(60));
  }

  @Test
  void messages_with_one_idempotency_key_are_one_under_the_id_that_a_node_gives()
      throws SQLException {
    for (String topic : List.of("first.out", "first.more")) {
      String call =
          "kairos_publish('%s', run_at => '%s', idempotency_key => 'order 7')"
              .formatted(topic, DUE);
      UUID id = call(call);

      assertThat(call(call)).isEqualTo(id);
      assertThat(id)
          .isEqualTo(
              PostedId.once(
                      Instant.parse(DUE).toEpochMilli(),
                      first,
                      topic.equals("first.out") ? null : new TopicName(topic),
                      "order 7")
                  .value());
    }
    assertThat(DATABASE.number("select count(*) from delayed_message")).isEqualTo(2);
  }

  @Test
  void a_message_of_a_transaction_that_is_rolled_back_was_never_there() throws SQLException {
    call(application, "kairos_publish('first.out')");
    application.rollback();

    assertThat(DATABASE.number("select count(*) from delayed_message")).isZero();
  }

  @Test
  void a_topic_that_no_node_has_stated_is_refused() throws SQLException {
    DATABASE.execute("update route set posts_to = null");
    assertThat(refusal("kairos_publish('first.out')").getMessage())
        .contains("topic: first.out must be the output topic of a route");

    stores.statePosts("first", List.of("first.out"), true);

    UUID id = call("kairos_publish('first.out')");
    assertThat(row(id).headers()).containsExactly(header("kairos-id", id.toString()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          null | topic: must be a Kafka topic's name
          'a b' | topic: must be a Kafka topic's name
          'unknown' | topic: unknown must be the output topic
          'first.out', null | payload: must not be null
          'first.out', convert_to(repeat('x', 1048577), 'UTF8') | payload: must be at most 1,048,576 bytes together
          'first.out', convert_to(repeat('x', 1048576), 'UTF8'), message_key => 'k' | payload: must be at most 1,048,576
          'first.out', run_at => now(), delay => '1 s' | run_at: must not be given together with delay
          'first.out', run_at => 'infinity' | run_at: must be a time
          'first.out', delay => '-1 s' | delay: must not be negative
          'first.out', delay => '9000 years' | delay: must not be negative, and must end
          'first.out', header_names => '{a}' | header_values: must be as many as header_names
          'first.out', header_names => '{a}', header_values => '{null}' | header_values: must be as many
          'first.out', header_names => '{null}', header_values => '{a}' | header_names: each must have 1 to 256
          'first.out', header_names => '{Kairos-Id}', header_values => '{a}' | header_names: must not begin with kairos-
          'first.out', header_names => array_fill('a'::text, '{101}') | header_names: must be at most 100
          'first.out', run_at => now(), idempotency_key => '' | idempotency_key: must have 1 to 256
          'first.out', run_at => now(), idempotency_key => 'kairos-1' | idempotency_key: must not begin with kairos-
          'first.out', idempotency_key => 'k' | run_at: must be given together with an idempotency key
          'first.out', traceparent => '00' | traceparent: must be a W3C trace context
          """)
  void a_message_that_breaks_a_rule_is_refused_by_its_name(String arguments, String rule)
      throws SQLException {
    SQLException refusal = refusal("kairos_publish(" + arguments + ")");

    assertThat(refusal.getSQLState()).isEqualTo("22023");
    assertThat(refusal.getMessage()).contains(rule);
  }

  @Test
  void a_request_to_a_pool_is_stored_as_a_node_stores_it() throws SQLException {
    UUID id =
        call(
            """
            kairos_schedule(pool => 'billing', payload => 'body', pool_method => 'PUT', pool_path => '/a?b=%20',
              pool_header_names => '{x-one,x-two}', pool_header_values => '{1,"two, 2"}', pool_routing_key => 'r',
              key => 'customer', fairness_key => 'tenant')
            """);

    TaskView view = stores.tasks().find(new TaskId(id)).orElseThrow();
    assertThat(view.queue().handler()).isEqualTo(new PoolName("billing"));
    assertThat(view.details().payload())
        .isEqualTo(
            new PushRequest(
                    "PUT",
                    "/a?b=%20",
                    List.of(
                        header("x-one", "1"),
                        header("x-two", "two, 2"),
                        header("routing-key", "r")),
                    "body".getBytes(UTF_8))
                .encode());
  }

  @Test
  void a_request_of_which_nothing_is_said_is_a_post() throws SQLException {
    UUID id = call("kairos_schedule(pool => 'billing', payload => 'body')");

    assertThat(stores.tasks().find(new TaskId(id)).orElseThrow().details().payload())
        .isEqualTo(PushRequest.post("body".getBytes(UTF_8)).encode());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          handler => 'h', pool => 'billing' | handler: must not be given together with pool
          handler => 'h', pool_path => '/' | pool: must be given together with its method, path
          pool => 'a b' | pool: must have 1 to 100 of letters, digits
          pool => 'unknown' | pool: there is no pool unknown
          pool => 'billing', pool_method => 'HEAD' | pool_method: must be POST, PUT, PATCH, GET or DELETE
          pool => 'billing', pool_header_names => '{a}' | pool_header_values: must be as many as pool_header_names
          pool => 'billing', pool_header_names => array_fill('a'::text, '{51}') | pool_header_names: must be at most 50
          pool => 'billing', pool_header_names => '{a}', pool_header_values => '{null}' | pool_header_values: each must
          pool => 'billing', pool_routing_key => '' | pool_routing_key: must have 1 to 256 printable
          pool => 'billing', pool_routing_key => 'ä' | pool_routing_key: must have 1 to 256 printable
          pool => 'billing', pool_routing_key => 'r', pool_header_names => '{Routing-Key}', pool_header_values => '{a}' | \
          pool_routing_key: must not be given together with the header
          """)
  void a_request_that_breaks_a_rule_is_refused_by_its_name(String arguments, String rule)
      throws SQLException {
    SQLException refusal = refusal("kairos_schedule(" + arguments + ")");

    assertThat(refusal.getSQLState()).isEqualTo("22023");
    assertThat(refusal.getMessage()).contains(rule);
  }

  private boolean takes(String arguments, String value) throws SQLException {
    try (PreparedStatement statement =
        application.prepareStatement(
            "select kairos_schedule(pool => 'billing', " + arguments + ")")) {
      statement.setString(1, value);
      return statement.execute();
    } catch (SQLException e) {
      assertThat(e.getSQLState()).isEqualTo("22023");
      return false;
    } finally {
      application.rollback();
    }
  }

  /** The rules are those of the domain, in another language. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "",
        "a",
        "//",
        "//a",
        "/a//b",
        "/a/b?c=d&e=%2B",
        "/%",
        "/%4",
        "/%41",
        "/%0a",
        "/%1F",
        "/%7f",
        "/%80",
        "/a/../b",
        "/..",
        "/.",
        "/.a",
        "/a..",
        "/a/.",
        "/%2e%2E/",
        "/a%2f..",
        "/a%2F.%2fb",
        "/..?a",
        "/a#b",
        "/a b",
        "/ä",
        "/a\n",
        "/a'(),;:@~!$*+=",
        "/[",
        "/\\",
        "/a?..",
        "/a?b/../c",
        "/...",
        "/a/..."
      })
  void a_path_is_taken_as_a_node_takes_it(String path) throws SQLException {
    assertThat(takes("pool_path => ?", path)).as(path).isEqualTo(PushRequest.isPath(path));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "",
        "x-a",
        "X_A",
        "host",
        "Host",
        "TE",
        "te-1",
        "kairos-a",
        "KAIROS-A",
        "kairos",
        "webhook-id",
        "x-forwarded-for",
        "x-real-ip",
        "proxy-authorization",
        "proxy-connection",
        "sec-fetch",
        "content-length",
        "Transfer-Encoding",
        "traceparent",
        "tracestate",
        "user-agent",
        "via",
        "ä",
        "a b",
        "a\n",
        "upgrade",
        "expect",
        "keep-alive",
        "http2-settings",
        "forwarded",
        "connection",
        "trailer",
        "content-type"
      })
  void the_name_of_a_header_is_taken_as_a_node_takes_it(String name) throws SQLException {
    assertThat(takes("pool_header_names => array[?], pool_header_values => '{v}'", name))
        .as(name)
        .isEqualTo(PushRequest.isHeader(header(name, "v")));
  }

  /** Where the small letter of I is not i. */
  @Test
  void reserved_names_are_those_of_ascii_whatever_the_collation_of_the_database()
      throws SQLException {
    DATABASE.execute(
        "create database turkish template template0 encoding 'UTF8' locale_provider icu"
            + " icu_locale 'tr-TR'");
    TestDatabase turkish =
        new TestDatabase(
            DATABASE.jdbcUrl().replaceFirst("/t_[0-9a-f]+", "/turkish"),
            DATABASE.user(),
            DATABASE.password());
    assertThat(turkish.number("select (lower('VIA') = 'via')::integer")).isZero();
    try (PostgresStores elsewhere = turkish.open();
        Connection connection = turkish.connect()) {
      elsewhere.messages().route("first");
      turkish.execute("update route set output = 'out', posts_to = '{out}', relays_id = false");
      elsewhere.pools().create(pool(), new byte[24]);
      for (String name : List.of("VIA", "KAIROS-ID", "SEC-FETCH-SITE", "X-FORWARDED-BY")) {
        assertThat(refusal(connection, schedulesWith(name)).getMessage())
            .as(name)
            .contains("pool_header_names: each must");
      }
      assertThat(call(connection, schedulesWith("I"))).isNotNull();
      assertThat(
              refusal(
                      connection,
                      "kairos_publish('out', header_names => '{KAIROS-ID}', header_values => '{a}')")
                  .getMessage())
          .contains("header_names: must not begin with kairos-");
    }
  }

  private static String schedulesWith(String headerName) {
    return "kairos_schedule(pool => 'billing', pool_header_names => '{%s}', pool_header_values => '{v}')"
        .formatted(headerName);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "v", "a b~", "a\tb", "a\n", "ä", "\u007f"})
  void the_value_of_a_header_is_taken_as_a_node_takes_it(String value) throws SQLException {
    assertThat(takes("pool_header_names => '{a}', pool_header_values => array[?]", value))
        .as(value)
        .isEqualTo(PushRequest.isHeader(header("a", value)));
    assertThat(takes("pool_routing_key => ?", value))
        .as(value)
        .isEqualTo(PushRequest.isRoutingKey(value));
  }

  @Test
  void lengths_are_bounded_as_a_node_bounds_them() throws SQLException {
    for (int length : List.of(2_000, 2_001)) {
      String path = "/" + "a".repeat(length - 1);
      assertThat(takes("pool_path => ?", path)).isEqualTo(PushRequest.isPath(path));
    }
    for (int length : List.of(128, 129)) {
      String name = "a".repeat(length);
      assertThat(takes("pool_header_names => array[?], pool_header_values => '{v}'", name))
          .isEqualTo(PushRequest.isHeader(header(name, "v")));
    }
    for (int length : List.of(4_096, 4_097)) {
      String value = "a".repeat(length);
      assertThat(takes("pool_header_names => '{a}', pool_header_values => array[?]", value))
          .isEqualTo(PushRequest.isHeader(header("a", value)));
    }
  }

  @Test
  void who_may_schedule_for_workers_sends_nothing_elsewhere_before_that_is_granted()
      throws SQLException {
    for (String call :
        List.of("kairos_publish('first.out')", "kairos_schedule(pool => 'billing')")) {
      try (Connection newcomer = connection("newcomer")) {
        SQLException refusal = catchThrowableOfType(SQLException.class, () -> call(newcomer, call));

        assertThat(refusal.getSQLState()).as(call).isEqualTo("42501");
      }
    }
  }

  @Test
  void the_application_can_read_neither_messages_nor_routes() throws SQLException {
    for (String other :
        List.of(
            "kairos_headers('{a}', '{b}')::text from route",
            "id from delayed_message",
            "number from task_to_follow")) {
      assertThat(refusal(other).getSQLState()).as(other).isEqualTo("42501");
    }
  }
}
