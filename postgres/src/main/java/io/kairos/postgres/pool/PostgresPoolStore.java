package io.kairos.postgres.pool;

import static io.kairos.domain.check.ArgumentCheck.require;

import io.kairos.domain.pool.EndpointRouting;
import io.kairos.domain.pool.EndpointUrl;
import io.kairos.domain.pool.Pool;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.pool.port.OlderNodesRun;
import io.kairos.engine.pool.port.PoolStore;
import io.kairos.engine.pool.port.StoredPool;
import io.kairos.engine.pool.port.UnreadablePool;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.SqlCall;
import io.kairos.postgres.sql.SqlDatabase;
import io.kairos.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * {@link PoolStore} on the tables {@code http_pool}, {@code http_pool_key} and {@code
 * http_endpoint}. Changes of one pool take turns by the lock of its row. Reads of the node and
 * calls use different connections.
 */
public record PostgresPoolStore(SqlDatabase forNode, SqlDatabase forCalls) implements PoolStore {
  private static final SqlStatement OLDER = SqlStatement.load("node/older.sql");
  private static final SqlStatement LOCK_ALL = SqlStatement.load("pool/pool_lock_all.sql");
  private static final SqlStatement INSERT = SqlStatement.load("pool/pool_insert.sql");
  private static final SqlStatement LOCK = SqlStatement.load("pool/pool_lock.sql");
  private static final SqlStatement UPDATE = SqlStatement.load("pool/pool_update.sql");
  private static final SqlStatement LIST = SqlStatement.load("pool/pool_list.sql");
  private static final SqlStatement DELETE = SqlStatement.load("pool/pool_delete.sql");
  private static final SqlStatement KEY_INSERT = SqlStatement.load("pool/key_insert.sql");
  private static final SqlStatement KEY_RETIRE = SqlStatement.load("pool/key_retire.sql");
  private static final SqlStatement KEY_FORGET = SqlStatement.load("pool/key_forget.sql");
  private static final SqlStatement PRUNE = SqlStatement.load("pool/endpoint_prune.sql");
  private static final SqlStatement RENEW = SqlStatement.load("pool/endpoint_renew.sql");
  private static final SqlStatement REGISTER = SqlStatement.load("pool/endpoint_register.sql");
  private static final SqlStatement UNREGISTER = SqlStatement.load("pool/endpoint_unregister.sql");
  private static final SqlStatement SECRET_KEEP = SqlStatement.load("pool/secret_keep.sql");

  private static final String FIRST = "";

  @Override
  public Created create(Pool pool, byte[] secret) {
    return forCalls.transaction("creating a pool", connection -> create(connection, pool, secret));
  }

  private static Created create(Connection connection, Pool pool, byte[] secret) {
    requireKnown(connection, pool.routing());
    LOCK_ALL.on(connection).execute();
    if (PoolRows.bind(INSERT.on(connection), pool).with("most", MOST_POOLS).update() == 0) {
      return lock(connection, pool.name()).isPresent() ? Created.TAKEN : Created.FULL;
    }
    addKey(connection, pool.name(), secret);
    return Created.YES;
  }

  /** Refuses a routing that migration 3 brought while a node runs that may not know it. */
  private static void requireKnown(Connection connection, EndpointRouting routing) {
    if (routing == EndpointRouting.ROUND_ROBIN) {
      int older = OLDER.on(connection).with("version", 3).one(row -> row.getInt(1));
      if (older > 0) {
        throw new OlderNodesRun(routing, older);
      }
    }
  }

  private static void addKey(Connection connection, PoolName name, byte[] secret) {
    named(KEY_INSERT, connection, name).with("secret", secret).update();
  }

  private static SqlCall named(SqlStatement sql, Connection connection, PoolName name) {
    return sql.on(connection).with("name", name.value());
  }

  @Override
  public Optional<StoredPool> find(PoolName name) {
    return find(forCalls.call("finding a pool", LIST), name);
  }

  private static Optional<StoredPool> find(SqlCall list, PoolName name) {
    return page(list, FIRST, name, 1).optional(PoolRows::read);
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

  private static List<StoredPool> readable(
      SqlCall list, BiConsumer<PoolName, RuntimeException> unreadable) {
    List<StoredPool> readable = new ArrayList<>();
    list.each(row -> {
      try {
        readable.add(PoolRows.read(row));
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
            requireKnown(connection, changed.routing());
          }
          PoolRows.bind(UPDATE.on(connection), changed).update();
          return find(LIST.on(connection), name);
        });
  }

  /**
   * Locks a pool.
   *
   * @return the kind of its endpoints, empty when there is no such pool
   */
  private static Optional<String> lock(Connection connection, PoolName name) {
    return named(LOCK, connection, name).optional(row -> NonNullColumns.text(row, 1));
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
            .with("lease", EpochMicros.lengthOf(lease))
            .update();
    return renewed == 1;
  }

  private static Registered register(
      Connection connection, PoolName name, EndpointUrl url, Duration lease) {
    Optional<String> kind = lock(connection, name);
    if (kind.isEmpty()) {
      return Registered.NO_POOL;
    }
    if (!kind.get().equals(PoolRows.REGISTERED)) {
      return Registered.OTHER_KIND;
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
