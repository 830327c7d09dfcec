package io.kairos.postgres.pool;

import static io.kairos.domain.check.ArgumentCheck.require;
import static java.util.Objects.requireNonNullElse;

import io.kairos.domain.pool.EndpointRouting;
import io.kairos.domain.pool.EndpointUrl;
import io.kairos.domain.pool.Pool;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.pool.port.OlderNodesRun;
import io.kairos.engine.pool.port.PoolStore;
import io.kairos.engine.pool.port.StoredPool;
import io.kairos.engine.pool.port.UnreadablePool;
import io.kairos.engine.pool.secret.SecretKeys;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.SqlCall;
import io.kairos.postgres.sql.SqlDatabase;
import io.kairos.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * {@link PoolStore} on the tables {@code http_pool}, {@code http_pool_key} and {@code
 * http_endpoint}. Changes of one pool take turns by the lock of its row. Reads of the node and
 * calls use different connections.
 *
 * @param keys the node's keys at any time, by which secrets are encrypted
 */
public record PostgresPoolStore(
    SqlDatabase forNode, SqlDatabase forCalls, Supplier<SecretKeys> keys) implements PoolStore {
  private static final SqlStatement OLDER = SqlStatement.load("node/older.sql");
  private static final SqlStatement RETIRE_OLDER = SqlStatement.load("node/retire_older.sql");
  private static final SqlStatement ENROL_HOLD = SqlStatement.load("node/enrol_hold.sql");
  private static final SqlStatement LOCK_ALL = SqlStatement.load("pool/pool_lock_all.sql");
  private static final SqlStatement INSERT = SqlStatement.load("pool/pool_insert.sql");
  private static final SqlStatement LOCK = SqlStatement.load("pool/pool_lock.sql");
  private static final SqlStatement UPDATE = SqlStatement.load("pool/pool_update.sql");
  private static final SqlStatement LIST = SqlStatement.load("pool/pool_list.sql");
  private static final SqlStatement DELETE = SqlStatement.load("pool/pool_delete.sql");
  private static final SqlStatement KEY_INSERT = SqlStatement.load("pool/key_insert.sql");
  private static final SqlStatement KEY_ENCRYPT = SqlStatement.load("pool/key_encrypt.sql");
  private static final SqlStatement KEY_TO_ENCRYPT = SqlStatement.load("pool/key_to_encrypt.sql");
  private static final SqlStatement KEY_RETIRE = SqlStatement.load("pool/key_retire.sql");
  private static final SqlStatement KEY_FORGET = SqlStatement.load("pool/key_forget.sql");
  private static final SqlStatement PRUNE = SqlStatement.load("pool/endpoint_prune.sql");
  private static final SqlStatement RENEW = SqlStatement.load("pool/endpoint_renew.sql");
  private static final SqlStatement REGISTER = SqlStatement.load("pool/endpoint_register.sql");
  private static final SqlStatement UNREGISTER = SqlStatement.load("pool/endpoint_unregister.sql");
  private static final SqlStatement SECRET_KEEP = SqlStatement.load("pool/secret_keep.sql");

  private static final String FIRST = "";
  private static final int MOST_AT_ONCE = 100;
  private static final byte[] NOT_YET = {};

  /** The migrations that brought what a node of an earlier version does not know. */
  private static final int ROUND_ROBIN_SINCE = 3;

  private static final int CREDENTIALS_SINCE = 9;

  @Override
  public Created create(Pool pool, byte[] secret) {
    return forCalls.transaction("creating a pool", connection -> create(connection, pool, secret));
  }

  private Created create(Connection connection, Pool pool, byte[] secret) {
    requireKnownRouting(connection, pool);
    LOCK_ALL.on(connection).execute();
    if (PoolRows.bind(INSERT.on(connection), pool).with("most", MOST_POOLS).update() == 0) {
      return lock(connection, pool.name()).isPresent() ? Created.TAKEN : Created.FULL;
    }
    requireKnownCredentials(connection, pool);
    addKey(connection, pool.name(), secret);
    return Created.YES;
  }

  private static void requireKnownRouting(Connection connection, Pool pool) {
    if (pool.routing() == EndpointRouting.ROUND_ROBIN) {
      requireKnown(connection, ROUND_ROBIN_SINCE, "pool.routing: " + pool.routing());
    }
  }

  private static void requireKnownCredentials(Connection connection, Pool pool) {
    if (pool.tls() != null) {
      refuseOlderNodes(connection, "pool.tls");
    }
  }

  /**
   * Refuses what migration 9 brought while a node runs that may not know it. Nobody enrols until
   * the transaction ends; from then on such nodes are refused by what it has written (migration
   * 10). Those that do not run lose their lives, so that they cannot go on either. Comes after all
   * locks of pools and keys, against deadlocks.
   */
  private static void refuseOlderNodes(Connection connection, String what) {
    ENROL_HOLD.on(connection).execute();
    RETIRE_OLDER.on(connection).with("version", CREDENTIALS_SINCE).update();
    requireKnown(connection, CREDENTIALS_SINCE, what);
  }

  /** Refuses what a migration brought while a node runs that may not know it. */
  private static void requireKnown(Connection connection, int migration, String what) {
    int older = OLDER.on(connection).with("version", migration).one(row -> row.getInt(1));
    if (older > 0) {
      throw new OlderNodesRun(what, older);
    }
  }

  private StoredSecrets secrets() {
    return new StoredSecrets(keys.get());
  }

  /** The secret is encrypted for its row, whose id is known when it is there. */
  private void addKey(Connection connection, PoolName name, byte[] secret) {
    StoredSecrets secrets = secrets();
    Optional<String> first = secrets.first();
    if (first.isPresent()) {
      refuseOlderNodes(connection, SecretKeys.SETTING);
    }
    long row =
        named(KEY_INSERT, connection, name)
            .with("secret", first.isPresent() ? NOT_YET : secret)
            .one(inserted -> inserted.getLong(1));
    if (first.isPresent()) {
      encrypt(connection, secrets, first.get(), row, name, secret);
    }
  }

  private static void encrypt(
      Connection connection,
      StoredSecrets secrets,
      String key,
      long row,
      PoolName name,
      byte[] secret) {
    KEY_ENCRYPT
        .on(connection)
        .with("id", row)
        .with("secret", secrets.encrypt(name, row, secret))
        .with("encrypted_with", key)
        .update();
  }

  @Override
  public OptionalInt encryptSecrets() {
    StoredSecrets secrets = secrets();
    Optional<String> first = secrets.first();
    int encrypted = 0;
    OptionalLong after = first.isPresent() ? OptionalLong.of(0) : OptionalLong.empty();
    while (after.isPresent()) {
      long from = after.getAsLong();
      Batch batch;
      try {
        batch =
            forNode.transaction(
                "encrypting secrets of pools",
                connection -> encrypt(connection, secrets, first.orElseThrow(), from));
      } catch (OlderNodesRun _) {
        return OptionalInt.empty();
      }
      encrypted += batch.encrypted;
      after = batch.last;
    }
    return OptionalInt.of(encrypted);
  }

  /**
   * The outcome of one batch.
   *
   * @param last the row to go on behind; empty when there are no more
   */
  private record Batch(OptionalLong last, int encrypted) {}

  private static Batch encrypt(
      Connection connection, StoredSecrets secrets, String first, long after) {
    List<KeyToEncrypt> rows =
        KEY_TO_ENCRYPT
            .on(connection)
            .with("after", after)
            .with("first", first)
            .with("most", MOST_AT_ONCE)
            .list(KeyToEncrypt::of);
    if (rows.isEmpty()) {
      return new Batch(OptionalLong.empty(), 0);
    }
    refuseOlderNodes(connection, SecretKeys.SETTING);
    int encrypted = 0;
    for (KeyToEncrypt row : rows) {
      try {
        byte[] secret = secrets.read(row.pool, row.id, row.stored, row.encryptedWith);
        encrypt(connection, secrets, first, row.id, row.pool, secret);
        encrypted++;
      } catch (IllegalArgumentException _) {
        // It cannot be decrypted; whoever reads the pool says so.
      }
    }
    return new Batch(OptionalLong.of(rows.getLast().id), encrypted);
  }

  /** A row of {@code key_to_encrypt.sql}. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record KeyToEncrypt(long id, PoolName pool, byte[] stored, String encryptedWith) {
    static KeyToEncrypt of(ResultSet row) throws SQLException {
      return new KeyToEncrypt(
          row.getLong(1),
          new PoolName(NonNullColumns.text(row, 2)),
          NonNullColumns.bytes(row, 3),
          requireNonNullElse(row.getString(4), ""));
    }
  }

  private static SqlCall named(SqlStatement sql, Connection connection, PoolName name) {
    return sql.on(connection).with("name", name.value());
  }

  @Override
  public Optional<StoredPool> find(PoolName name) {
    return find(forCalls.call("finding a pool", LIST), name);
  }

  private Optional<StoredPool> find(SqlCall list, PoolName name) {
    StoredSecrets secrets = secrets();
    return page(list, FIRST, name, 1).optional(row -> PoolRows.read(row, secrets));
  }

  @Override
  public List<StoredPool> all(
      OptionalLong believedMicros, BiConsumer<PoolName, RuntimeException> unreadable) {
    SqlCall list = page(forNode.call("reading the pools", LIST), FIRST, null, MOST_POOLS);
    return readable(
        list.with("believed_micros", believedMicros.orElse(Long.MAX_VALUE)), unreadable);
  }

  @Override
  public List<StoredPool> list(
      @Nullable PoolName after, int limit, BiConsumer<PoolName, RuntimeException> unreadable) {
    String from = after == null ? FIRST : after.value();
    return readable(page(forCalls.call("listing pools", LIST), from, null, limit), unreadable);
  }

  private List<StoredPool> readable(
      SqlCall list, BiConsumer<PoolName, RuntimeException> unreadable) {
    StoredSecrets secrets = secrets();
    List<StoredPool> readable = new ArrayList<>();
    list.each(row -> {
      try {
        readable.add(PoolRows.read(row, secrets));
      } catch (UnreadablePool e) {
        unreadable.accept(PoolRows.name(row), e);
      }
    });
    return readable;
  }

  private static SqlCall page(SqlCall list, String after, @Nullable PoolName only, int limit) {
    return list.with("after", after)
        .with("name", only, PoolName::value)
        .with("limit", limit)
        .with("believed_micros", Long.MAX_VALUE);
  }

  @Override
  public Optional<StoredPool> update(PoolName name, UnaryOperator<Pool> change) {
    return forCalls.transaction(
        "changing a pool",
        connection -> {
          if (lock(connection, name).isEmpty()) {
            return Optional.empty();
          }
          Pool before = find(LIST.on(connection), name).orElseThrow().pool();
          Pool changed = change.apply(before);
          require(changed.name().equals(name), "a pool keeps its name");
          if (changed.routing() != before.routing()) {
            requireKnownRouting(connection, changed);
          }
          if (before.tls() == null) {
            requireKnownCredentials(connection, changed);
          }
          PoolRows.bind(UPDATE.on(connection), changed).update();
          return find(LIST.on(connection), name);
        });
  }

  /**
   * A pool whose row is locked.
   *
   * @param tls whether it has credentials
   */
  private record LockedPool(String kind, boolean tls) {}

  /**
   * Locks a pool.
   *
   * @return empty when there is no such pool
   */
  private static Optional<LockedPool> lock(Connection connection, PoolName name) {
    return named(LOCK, connection, name)
        .optional(row -> new LockedPool(NonNullColumns.text(row, 1), row.getBoolean(2)));
  }

  @Override
  public boolean delete(PoolName name) {
    return forCalls.call("deleting a pool", DELETE).with("name", name.value()).update() == 1;
  }

  @Override
  public Registered register(PoolName name, EndpointUrl url, Duration lease) {
    return renew(name, url, lease)
        ? Registered.RENEWED
        : forCalls.transaction(
            "registering an endpoint", connection -> register(connection, name, url, lease));
  }

  private boolean renew(PoolName name, EndpointUrl url, Duration lease) {
    int renewed =
        forCalls
            .call("renewing the lease of an endpoint", RENEW)
            .with("name", name.value())
            .with("kind", PoolRows.REGISTERED)
            .with("url", url.toString())
            .with("https", url.tls())
            .with("lease", EpochMicros.lengthOf(lease))
            .update();
    return renewed == 1;
  }

  private static Registered register(
      Connection connection, PoolName name, EndpointUrl url, Duration lease) {
    Optional<LockedPool> pool = lock(connection, name);
    if (pool.isEmpty()) {
      return Registered.NO_POOL;
    }
    if (!pool.get().kind.equals(PoolRows.REGISTERED)) {
      return Registered.OTHER_KIND;
    }
    if (pool.get().tls && !url.tls()) {
      return Registered.NEEDS_TLS;
    }
    named(PRUNE, connection, name)
        .with("kept", EpochMicros.lengthOf(ENDED_KEPT))
        .with("most", Pool.MOST_ENDPOINTS)
        .update();
    int registered =
        named(REGISTER, connection, name)
            .with("url", url.toString())
            .with("lease", EpochMicros.lengthOf(lease))
            .with("most", Pool.MOST_ENDPOINTS)
            .update();
    return registered == 1 ? Registered.NEW : Registered.FULL;
  }

  @Override
  public boolean unregister(PoolName name, EndpointUrl url) {
    return forCalls
        .call("unregistering an endpoint", UNREGISTER)
        .with("name", name.value())
        .with("url", url.toString())
        .one(row -> row.getBoolean(1));
  }

  @Override
  public Optional<StoredPool> rotate(PoolName name, byte[] secret, Duration overlap) {
    return forCalls.transaction(
        "rotating a key",
        connection -> {
          if (lock(connection, name).isEmpty()) {
            return Optional.empty();
          }
          named(KEY_FORGET, connection, name).update();
          named(KEY_RETIRE, connection, name)
              .with("overlap", EpochMicros.lengthOf(overlap))
              .update();
          addKey(connection, name, secret);
          return find(LIST.on(connection), name);
        });
  }

  @Override
  public byte[] completionSecret(byte[] ifNone) {
    return forNode
        .call("reading the completion secret", SECRET_KEEP)
        .with("secret", ifNone)
        .one(row -> NonNullColumns.bytes(row, 1));
  }
}
