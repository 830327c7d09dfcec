package io.kairos.postgres.pool;

import io.kairos.domain.pool.EndpointUrl;
import io.kairos.domain.pool.Pool;
import io.kairos.domain.task.PoolName;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.pool.port.PoolStore;
import io.kairos.engine.pool.port.StoredPool;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Columns;
import io.kairos.postgres.sql.Database;
import io.kairos.postgres.sql.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Pools in Postgres. Changes of one pool come after each other, by the lock of its row. What a node
 * reads for itself goes by other connections than calls.
 */
public final class PostgresPoolStore implements PoolStore {
  private static final Sql LOCK_ALL = sql("pool_lock_all.sql");
  private static final Sql COUNT = sql("pool_count.sql");
  private static final Sql INSERT = sql("pool_insert.sql");
  private static final Sql LOCK = sql("pool_lock.sql");
  private static final Sql UPDATE = sql("pool_update.sql");
  private static final Sql LIST = sql("pool_list.sql");
  private static final Sql DELETE = sql("pool_delete.sql");
  private static final Sql KEY_INSERT = sql("key_insert.sql");
  private static final Sql KEY_RETIRE = sql("key_retire.sql");
  private static final Sql KEY_FORGET = sql("key_forget.sql");
  private static final Sql PRUNE = sql("endpoint_prune.sql");
  private static final Sql RENEW = sql("endpoint_renew.sql");
  private static final Sql REGISTER = sql("endpoint_register.sql");
  private static final Sql UNREGISTER = sql("endpoint_unregister.sql");
  private static final Sql SECRET_KEEP = sql("secret_keep.sql");
  private static final Sql SECRET_READ = sql("secret_read.sql");

  private static final String FIRST = "";

  private final Database forNode;
  private final Database forCalls;

  public PostgresPoolStore(Database forNode, Database forCalls) {
    this.forNode = forNode;
    this.forCalls = forCalls;
  }

  private static Sql sql(String file) {
    return Sql.load(PostgresPoolStore.class, file);
  }

  @Override
  public Created create(Pool pool, byte[] secret) {
    return forCalls.transaction("creating a pool", connection -> create(connection, pool, secret));
  }

  private static Created create(Connection connection, Pool pool, byte[] secret)
      throws SQLException {
    try (Call call = LOCK_ALL.on(connection);
        ResultSet row = call.query()) {
      row.next();
    }
    if (number(COUNT.on(connection)) >= MOST_POOLS) {
      return find(connection, pool.name()).isPresent() ? Created.TAKEN : Created.FULL;
    }
    try (Call call = PoolRows.bind(INSERT.on(connection), pool)) {
      if (call.update() == 0) {
        return Created.TAKEN;
      }
    }
    addKey(connection, pool.name(), secret);
    return Created.YES;
  }

  private static void addKey(Connection connection, PoolName name, byte[] secret)
      throws SQLException {
    try (Call call = named(KEY_INSERT, connection, name).with("secret", secret)) {
      call.update();
    }
  }

  private static Call named(Sql sql, Connection connection, PoolName name) throws SQLException {
    return sql.on(connection).with("name", name.value());
  }

  private static long number(Call counting) throws SQLException {
    try (Call call = counting;
        ResultSet row = call.query()) {
      row.next();
      return row.getLong(1);
    }
  }

  @Override
  public Optional<StoredPool> find(PoolName name) {
    return forCalls.single("finding a pool", connection -> find(connection, name));
  }

  private static Optional<StoredPool> find(Connection connection, PoolName name)
      throws SQLException {
    return list(connection, FIRST, name, 1).stream().findFirst();
  }

  @Override
  public List<StoredPool> all() {
    return forNode.single(
        "reading the pools", connection -> list(connection, FIRST, null, MOST_POOLS));
  }

  @Override
  public List<StoredPool> list(@Nullable PoolName after, int limit) {
    return forCalls.single(
        "listing pools",
        connection -> list(connection, after == null ? FIRST : after.value(), null, limit));
  }

  private static List<StoredPool> list(
      Connection connection, String after, @Nullable PoolName only, int limit) throws SQLException {
    List<StoredPool> pools = new ArrayList<>();
    try (Call call =
            LIST.on(connection)
                .with("after", after)
                .with("name", only == null ? null : only.value())
                .with("limit", limit);
        ResultSet row = call.query()) {
      while (row.next()) {
        pools.add(PoolRows.read(row));
      }
    }
    return pools;
  }

  @Override
  public Optional<StoredPool> update(PoolName name, UnaryOperator<Pool> change) {
    return forCalls.transaction(
        "changing a pool",
        connection -> {
          if (lock(connection, name).isEmpty()) {
            return Optional.empty();
          }
          Pool changed = change.apply(find(connection, name).orElseThrow().pool());
          if (!changed.name().equals(name)) {
            throw new IllegalArgumentException("a pool keeps its name");
          }
          try (Call call = PoolRows.bind(UPDATE.on(connection), changed)) {
            call.update();
          }
          return find(connection, name);
        });
  }

  /** The kind of its endpoints. */
  private static Optional<String> lock(Connection connection, PoolName name) throws SQLException {
    try (Call call = named(LOCK, connection, name);
        ResultSet row = call.query()) {
      return row.next() ? Optional.of(Columns.text(row, 1)) : Optional.empty();
    }
  }

  @Override
  public boolean delete(PoolName name) {
    return forCalls.single(
        "deleting a pool",
        connection -> {
          try (Call call = named(DELETE, connection, name)) {
            return call.update() == 1;
          }
        });
  }

  @Override
  public Registered register(PoolName name, EndpointUrl url, Duration lease) {
    return renew(name, url, lease)
        ? Registered.RENEWED
        : forCalls.transaction(
            "registering an endpoint", connection -> register(connection, name, url, lease));
  }

  private boolean renew(PoolName name, EndpointUrl url, Duration lease) {
    return forCalls.single(
        "renewing the lease of an endpoint",
        connection -> {
          try (Call call =
              named(RENEW, connection, name)
                  .with("kind", PoolRows.REGISTERED)
                  .with("url", url.toString())
                  .with("lease", EpochMicros.lengthOf(lease))) {
            return call.update() == 1;
          }
        });
  }

  private static Registered register(
      Connection connection, PoolName name, EndpointUrl url, Duration lease) throws SQLException {
    Optional<String> kind = lock(connection, name);
    if (kind.isEmpty()) {
      return Registered.NO_POOL;
    }
    if (!kind.get().equals(PoolRows.REGISTERED)) {
      return Registered.OTHER_KIND;
    }
    try (Call call = named(PRUNE, connection, name)) {
      call.update();
    }
    try (Call call =
        named(REGISTER, connection, name)
            .with("url", url.toString())
            .with("lease", EpochMicros.lengthOf(lease))
            .with("most", Pool.MOST_ENDPOINTS)) {
      return call.update() == 1 ? Registered.NEW : Registered.FULL;
    }
  }

  @Override
  public boolean unregister(PoolName name, EndpointUrl url) {
    return forCalls.single(
        "unregistering an endpoint",
        connection -> number(named(UNREGISTER, connection, name).with("url", url.toString())) == 1);
  }

  @Override
  public Optional<StoredPool> rotate(PoolName name, byte[] secret, Duration overlap) {
    return forCalls.transaction(
        "rotating a key",
        connection -> {
          if (lock(connection, name).isEmpty()) {
            return Optional.empty();
          }
          try (Call call = named(KEY_FORGET, connection, name)) {
            call.update();
          }
          try (Call call =
              named(KEY_RETIRE, connection, name).with("overlap", EpochMicros.lengthOf(overlap))) {
            call.update();
          }
          addKey(connection, name, secret);
          return find(connection, name);
        });
  }

  @Override
  public byte[] completionSecret(byte[] ifNone) {
    return forNode.transaction(
        "reading the completion secret",
        connection -> {
          try (Call call = SECRET_KEEP.on(connection).with("secret", ifNone)) {
            call.update();
          }
          try (Call call = SECRET_READ.on(connection);
              ResultSet row = call.query()) {
            row.next();
            return Columns.bytes(row, 1);
          }
        });
  }
}
