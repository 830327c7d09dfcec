package io.kairos.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.contracts.PoolStoreContract;
import io.kairos.domain.node.NodeId;
import io.kairos.domain.pool.EndpointUrl;
import io.kairos.domain.pool.Pool;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.engine.node.StoreCallTimer;
import io.kairos.engine.pool.port.OlderNodesRun;
import io.kairos.engine.pool.port.PoolStore;
import io.kairos.engine.pool.port.StoredPool;
import io.kairos.engine.pool.port.StoredPool.SigningKey;
import io.kairos.engine.pool.port.UnreadablePool;
import io.kairos.engine.pool.secret.SecretKeys;
import io.kairos.postgres.PostgresStores;
import io.kairos.postgres.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The store with encryption of secrets. */
class EncryptedPoolStoreTest extends PoolStoreContract {
  private static final TestDatabase DATABASE = TestDatabase.create();
  private static final SecretKeys FIRST = keys("k1");
  private static final byte[] SECRET = filled(32, 7);
  private static final byte[] OTHER_SECRET = filled(32, 9);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final PoolName BILLING = new PoolName("billing");
  private static final PoolName OTHER = new PoolName("other");

  private static volatile SecretKeys present = FIRST;
  private static final PostgresStores STORES =
      PostgresStores.open(DATABASE.config(), StoreCallTimer.NONE, () -> present);

  @Override
  protected PoolStore open() {
    DATABASE.execute("truncate http_pool, http_pool_key, http_endpoint, push_secret, node");
    present = FIRST;
    return STORES.pools();
  }

  @Override
  protected void pass(Duration time) {
    String past = " - " + time.toNanos() / 1_000;
    DATABASE.execute("update http_endpoint set lease_until = lease_until" + past);
    DATABASE.execute("update http_pool_key set retires_at = retires_at" + past);
  }

  private static byte[] filled(int length, int filling) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) filling);
    return bytes;
  }

  /** Keys of these ids, the first encrypts; the key of an id is always the same. */
  private static SecretKeys keys(String... ids) {
    return SecretKeys.parse(Stream.of(ids).map(id -> line(id, id.hashCode())).toList());
  }

  private static String line(String id, int filling) {
    return id + ":" + Base64.getEncoder().encodeToString(filled(32, filling));
  }

  private static void create(PoolStore pools, PoolName name, byte[] secret) {
    EndpointUrl url = EndpointUrl.of("https://10.0.0.1");
    Pool pool = Pool.of(name, new Pool.Endpoints.Listed(List.of(url)));
    assertThat(pools.create(pool, secret)).isEqualTo(PoolStore.Created.YES);
  }

  private static List<byte[]> secrets(PoolStore pools, PoolName name) {
    return pools.find(name).orElseThrow().keys().stream().map(SigningKey::secret).toList();
  }

  /** Each row of the table: the secret in hexadecimal digits, and the id of its key or null. */
  private static List<String> rows() {
    List<String> rows = new ArrayList<>();
    try (Connection connection = DATABASE.connect();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "select encode(secret, 'hex'), encrypted_with from http_pool_key order by id")) {
      while (row.next()) {
        rows.add(row.getString(1) + " " + row.getString(2));
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
    return rows;
  }

  private static void olderNodeRuns() {
    DATABASE.execute(
        """
        insert into node (id, enrolled_at, renewed_at, lapse)
        values (gen_random_uuid(), clock_timestamp(), clock_timestamp(), interval '1.5 s')\
        """);
  }

  @Test
  void the_table_has_no_secret_in_clear() {
    PoolStore pools = open();
    create(pools, BILLING, SECRET);
    pools.rotate(BILLING, OTHER_SECRET, HOUR);

    assertThat(rows())
        .hasSize(2)
        .allMatch(row -> row.endsWith(" k1"))
        .noneMatch(row -> row.contains(HexFormat.of().formatHex(filled(4, 7))))
        .noneMatch(row -> row.contains(HexFormat.of().formatHex(filled(4, 9))));
    assertThat(secrets(pools, BILLING)).containsExactly(OTHER_SECRET, SECRET);
  }

  @Test
  void a_secret_of_another_pool_or_row_is_refused() {
    PoolStore pools = open();
    create(pools, BILLING, SECRET);
    create(pools, OTHER, OTHER_SECRET);
    DATABASE.execute(
        """
        update http_pool_key k set secret = o.secret
        from http_pool_key o where o.pool <> k.pool\
        """);

    assertThatThrownBy(() -> pools.find(BILLING))
        .isInstanceOf(UnreadablePool.class)
        .hasMessageContaining("billing")
        .hasMessageContaining("for another pool");
    assertThatThrownBy(() -> pools.find(OTHER)).isInstanceOf(UnreadablePool.class);

    // Nor may a former secret of the same pool take the place of the present one.
    DATABASE.execute("truncate http_pool cascade");
    create(pools, BILLING, SECRET);
    pools.rotate(BILLING, OTHER_SECRET, HOUR);
    DATABASE.execute(
        """
        update http_pool_key k set secret = o.secret
        from http_pool_key o where o.id < k.id\
        """);
    assertThatThrownBy(() -> pools.find(BILLING)).isInstanceOf(UnreadablePool.class);
  }

  @Test
  void secrets_that_are_stored_in_clear_are_encrypted_in_batches() {
    PoolStore pools = open();
    present = SecretKeys.NONE;
    for (int i = 0; i < 205; i++) {
      create(pools, new PoolName("p" + i), SECRET);
    }
    assertThat(rows()).allMatch(row -> row.endsWith(" null"));
    assertThat(pools.encryptSecrets()).isEqualTo(OptionalInt.of(0));

    present = FIRST;
    assertThat(secrets(pools, new PoolName("p7"))).containsExactly(SECRET);
    assertThat(pools.encryptSecrets()).isEqualTo(OptionalInt.of(205));

    assertThat(rows())
        .allMatch(row -> row.endsWith(" k1"))
        .noneMatch(row -> row.contains(HexFormat.of().formatHex(filled(4, 7))));
    assertThat(secrets(pools, new PoolName("p7"))).containsExactly(SECRET);
    assertThat(pools.encryptSecrets()).isEqualTo(OptionalInt.of(0));
  }

  @Test
  void when_the_first_key_changes_all_is_encrypted_anew_and_the_former_can_go() {
    PoolStore pools = open();
    create(pools, BILLING, SECRET);

    present = keys("k2", "k1");
    assertThat(secrets(pools, BILLING)).containsExactly(SECRET);
    assertThat(pools.encryptSecrets()).isEqualTo(OptionalInt.of(1));

    present = keys("k2");
    assertThat(rows()).singleElement().asString().endsWith(" k2");
    assertThat(secrets(pools, BILLING)).containsExactly(SECRET);
  }

  @Test
  void a_pool_whose_key_is_missing_is_left_out_and_the_others_go_on() {
    PoolStore pools = open();
    create(pools, BILLING, SECRET);
    present = keys("k2");
    create(pools, OTHER, OTHER_SECRET);
    List<String> unreadable = new ArrayList<>();

    List<StoredPool> all =
        pools.all(
            OptionalLong.empty(), (name, why) -> unreadable.add(String.valueOf(why.getMessage())));

    assertThat(all).extracting(one -> one.pool().name()).containsExactly(OTHER);
    assertThat(unreadable)
        .singleElement()
        .asString()
        .startsWith("the pool billing cannot be read by this node: its secret is encrypted with")
        .contains("k1")
        .contains(SecretKeys.SETTING);
    assertThat(pools.encryptSecrets()).isEqualTo(OptionalInt.of(0));
    assertThat(rows()).first().asString().endsWith(" k1");

    assertThatThrownBy(() -> pools.rotate(BILLING, OTHER_SECRET, HOUR))
        .isInstanceOf(UnreadablePool.class);
    assertThat(pools.rotate(BILLING, OTHER_SECRET, Duration.ZERO)).isPresent();
    assertThat(secrets(pools, BILLING)).containsExactly(OTHER_SECRET);
  }

  @Test
  void a_wrong_key_of_the_same_id_is_refused() {
    PoolStore pools = open();
    create(pools, BILLING, SECRET);

    present = SecretKeys.parse(List.of(line("k1", 77)));

    assertThatThrownBy(() -> pools.find(BILLING))
        .isInstanceOf(UnreadablePool.class)
        .hasMessageContaining("another key of this id");
  }

  @Test
  void nothing_is_encrypted_and_no_credentials_are_named_while_a_node_runs_that_knows_neither() {
    PoolStore pools = open();
    present = SecretKeys.NONE;
    create(pools, BILLING, SECRET);
    present = FIRST;
    olderNodeRuns();

    assertThat(pools.encryptSecrets()).isEmpty();
    assertThat(rows()).singleElement().asString().endsWith(" null");
    assertThatThrownBy(() -> create(pools, OTHER, SECRET))
        .isInstanceOf(OlderNodesRun.class)
        .hasMessageContaining(SecretKeys.SETTING);
    assertThatThrownBy(() -> pools.rotate(BILLING, OTHER_SECRET, HOUR))
        .isInstanceOf(OlderNodesRun.class);
    assertThatThrownBy(() -> pools.update(BILLING, EncryptedPoolStoreTest::withCredentials))
        .isInstanceOf(OlderNodesRun.class)
        .hasMessageContaining("pool.tls");
    assertThat(secrets(pools, BILLING)).containsExactly(SECRET);

    DATABASE.execute("update node set retired_at = clock_timestamp()");
    assertThat(pools.encryptSecrets()).isEqualTo(OptionalInt.of(1));
    assertThat(pools.update(BILLING, EncryptedPoolStoreTest::withCredentials).orElseThrow().pool())
        .extracting(Pool::tls)
        .isEqualTo("partner");
  }

  private static void enrolOlderNode() {
    DATABASE.execute(
        """
        insert into node (id, enrolled_at, renewed_at, lapse, schema_known)
        values (gen_random_uuid(), clock_timestamp(), clock_timestamp(), interval '1.5 s', 8)\
        """);
  }

  private static void refusesOlderNodes() {
    assertThatThrownBy(EncryptedPoolStoreTest::olderNodeRuns)
        .rootCause()
        .hasMessageContaining("versions up to 4 at most");
    assertThatThrownBy(EncryptedPoolStoreTest::enrolOlderNode)
        .rootCause()
        .hasMessageContaining("needs nodes that know version 9 of the schema")
        .hasMessageContaining("versions up to 8 at most: start a later build");
    STORES.liveness().enrol(new NodeId(UUID.randomUUID()), Duration.ofSeconds(1));
  }

  @Test
  void a_node_that_does_not_know_them_starts_no_more_while_there_are_encrypted_secrets() {
    PoolStore pools = open();
    create(pools, BILLING, SECRET);
    refusesOlderNodes();

    present = SecretKeys.NONE;
    pools.rotate(BILLING, OTHER_SECRET, Duration.ZERO);
    enrolOlderNode();
  }

  @Test
  void a_node_that_does_not_know_them_starts_no_more_while_a_pool_has_credentials() {
    PoolStore pools = open();
    present = SecretKeys.NONE;
    create(pools, BILLING, SECRET);
    pools.update(BILLING, EncryptedPoolStoreTest::withCredentials);
    refusesOlderNodes();

    pools.delete(BILLING);
    enrolOlderNode();
  }

  /** Else it would go on where it was, and not be asked for its version. */
  @Test
  void an_older_node_that_was_frozen_meanwhile_has_lost_its_life() {
    PoolStore pools = open();
    enrolOlderNode();
    DATABASE.execute("update node set renewed_at = renewed_at - interval '2 minutes'");

    create(pools, BILLING, SECRET);

    assertThat(DATABASE.number("select count(*) from node where retired_at is null")).isZero();
  }

  @Test
  void an_older_node_that_enrols_meanwhile_is_counted_or_refused() throws Exception {
    PoolStore pools = open();
    assertThatThrownBy(() ->
            DATABASE.blockedBehind(
                TestDatabase.sql(
                    """
                    select pg_advisory_xact_lock_shared(118066125107060);
                    insert into node (id, enrolled_at, renewed_at, lapse, schema_known)
                    values (gen_random_uuid(), clock_timestamp(), clock_timestamp(), interval '1 s', 8)\
                    """),
                () -> {
                  create(pools, BILLING, SECRET);
                  return pools;
                }))
        .hasRootCauseInstanceOf(OlderNodesRun.class);
  }

  /** Builds up to version 4 of the schema do not take the lock of enrolments. */
  @Test
  void a_first_build_that_enrols_meanwhile_waits_for_its_turn() throws Exception {
    PoolStore pools = open();
    assertThatThrownBy(() ->
            DATABASE.blockedBehind(
                TestDatabase.sql(
                    """
                    insert into node (id, enrolled_at, renewed_at, lapse)
                    values (gen_random_uuid(), clock_timestamp(), clock_timestamp(), interval '1 s')\
                    """),
                () -> {
                  create(pools, BILLING, SECRET);
                  return pools;
                }))
        .hasRootCauseInstanceOf(OlderNodesRun.class);
  }

  private static Pool withCredentials(Pool pool) {
    return new Pool(
        pool.name(),
        pool.endpoints(),
        pool.routing(),
        pool.ejection(),
        pool.healthPath(),
        pool.requestTimeout(),
        pool.completionTimeout(),
        pool.answersLater(),
        pool.maxInFlight(),
        "partner");
  }
}
