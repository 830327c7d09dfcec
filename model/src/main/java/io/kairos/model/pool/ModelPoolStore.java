package io.kairos.model.pool;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.domain.pool.EndpointUrl;
import io.kairos.domain.pool.Pool;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.pool.port.PoolStore;
import io.kairos.engine.pool.port.StoredPool;
import io.kairos.engine.pool.port.StoredPool.SigningKey;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Pools in memory, on a given clock. Thread-safe. */
public class ModelPoolStore implements PoolStore {
  private final InstantSource clock;

  @GuardedBy("this")
  private final TreeMap<String, Row> rows = new TreeMap<>();

  @GuardedBy("this")
  private byte @Nullable [] completionSecret;

  @GuardedBy("this")
  private long generations;

  private static final class Row {
    Pool pool;
    long generation;
    List<SigningKey> keys = new ArrayList<>();

    /** When the lease of each registered URL ends. */
    final Map<String, Long> registered = new TreeMap<>();

    Row(Pool pool) {
      this.pool = pool;
    }
  }

  public ModelPoolStore(InstantSource clock) {
    this.clock = clock;
  }

  private long now() {
    return EpochMicros.of(clock.instant());
  }

  private StoredPool shown(Row row) {
    return shown(row, now());
  }

  private StoredPool shown(Row row, long believed) {
    long now = now();
    long leasesBy = Math.min(now, believed);
    return new StoredPool(
        row.pool,
        row.generation,
        row.keys.stream().filter(key -> key.retiresMicros() > now).toList(),
        row.registered.entrySet().stream()
            .filter(one -> one.getValue() > leasesBy)
            .map(one -> EndpointUrl.of(one.getKey()))
            .toList());
  }

  @Override
  public synchronized Created create(Pool pool, byte[] secret) {
    if (rows.containsKey(pool.name().value())) {
      return Created.TAKEN;
    }
    if (rows.size() >= MOST_POOLS) {
      return Created.FULL;
    }
    Row row = new Row(pool);
    row.generation = ++generations;
    row.keys.add(new SigningKey(secret.clone(), now(), Long.MAX_VALUE));
    rows.put(pool.name().value(), row);
    return Created.YES;
  }

  @Override
  public synchronized Optional<StoredPool> find(PoolName name) {
    return Optional.ofNullable(rows.get(name.value())).map(this::shown);
  }

  @Override
  public synchronized List<StoredPool> all(
      OptionalLong believedMicros, BiConsumer<PoolName, RuntimeException> unreadable) {
    long believed = believedMicros.orElse(Long.MAX_VALUE);
    return rows.values().stream().map(row -> shown(row, believed)).toList();
  }

  @Override
  public synchronized List<StoredPool> list(
      @Nullable PoolName after, int limit, BiConsumer<PoolName, RuntimeException> unreadable) {
    return (after == null ? rows : rows.tailMap(after.value(), false))
        .values().stream().limit(limit).map(this::shown).toList();
  }

  @Override
  public synchronized Optional<StoredPool> update(PoolName name, UnaryOperator<Pool> change) {
    Row row = rows.get(name.value());
    if (row == null) {
      return Optional.empty();
    }
    Pool changed = change.apply(row.pool);
    if (!changed.name().equals(name)) {
      throw new IllegalArgumentException("a pool keeps its name");
    }
    row.pool = changed;
    row.generation = ++generations;
    return Optional.of(shown(row));
  }

  @Override
  public synchronized boolean delete(PoolName name) {
    return rows.remove(name.value()) != null;
  }

  @Override
  public synchronized Registered register(PoolName name, EndpointUrl url, Duration lease) {
    Row row = rows.get(name.value());
    if (row == null) {
      return Registered.NO_POOL;
    }
    if (!(row.pool.endpoints() instanceof Pool.Endpoints.Registered)) {
      return Registered.OTHER_KIND;
    }
    if (row.pool.tls() != null && !url.tls()) {
      return Registered.NEEDS_TLS;
    }
    long now = now();
    boolean isFull = row.registered.size() >= Pool.MOST_ENDPOINTS;
    long endedBy = isFull ? now : now - EpochMicros.lengthOf(ENDED_KEPT);
    row.registered.values().removeIf(leaseUntil -> leaseUntil <= endedBy);
    if (!row.registered.containsKey(url.toString())
        && row.registered.size() >= Pool.MOST_ENDPOINTS) {
      return Registered.FULL;
    }
    Long before = row.registered.put(url.toString(), now + EpochMicros.lengthOf(lease));
    return before == null || before <= now ? Registered.NEW : Registered.RENEWED;
  }

  @Override
  public synchronized boolean unregister(PoolName name, EndpointUrl url) {
    Row row = rows.get(name.value());
    Long gone = row == null ? null : row.registered.remove(url.toString());
    return gone != null && gone > now();
  }

  @Override
  public synchronized Optional<StoredPool> rotate(PoolName name, byte[] secret, Duration overlap) {
    Row row = rows.get(name.value());
    if (row == null) {
      return Optional.empty();
    }
    long now = now();
    SigningKey latest =
        row.keys.stream()
            .filter(key -> key.retiresMicros() == Long.MAX_VALUE)
            .max(Comparator.comparingLong(SigningKey::createdMicros))
            .orElseThrow();
    row.keys =
        new ArrayList<>(
            List.of(
                new SigningKey(secret.clone(), now, Long.MAX_VALUE),
                new SigningKey(
                    latest.secret(), latest.createdMicros(), now + EpochMicros.lengthOf(overlap))));
    return Optional.of(shown(row));
  }

  /** Memory has no secrets at rest. */
  @Override
  public OptionalInt encryptSecrets() {
    return OptionalInt.of(0);
  }

  @Override
  public synchronized byte[] completionSecret(byte[] ifNone) {
    if (completionSecret == null) {
      completionSecret = ifNone.clone();
    }
    return completionSecret.clone();
  }
}
