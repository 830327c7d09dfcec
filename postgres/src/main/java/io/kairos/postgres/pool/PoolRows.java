package io.kairos.postgres.pool;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.pool.EndpointEjection;
import io.kairos.domain.pool.EndpointRouting;
import io.kairos.domain.pool.EndpointUrl;
import io.kairos.domain.pool.Pool;
import io.kairos.domain.pool.Pool.Endpoints;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.pool.port.StoredPool;
import io.kairos.engine.pool.port.StoredPool.SigningKey;
import io.kairos.engine.pool.port.UnreadablePool;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.SqlCall;
import io.kairos.postgres.sql.UnknownCode;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** Writes pools to rows, and reads them from rows. */
final class PoolRows {
  private static final String LISTED = "L";
  private static final String RESOLVED = "D";

  /** The kind of a pool with which workers register themselves. */
  static final String REGISTERED = "R";

  private PoolRows() {}

  /** Sets all columns but the generation. */
  static SqlCall bind(SqlCall call, Pool pool) {
    EndpointEjection ejection = pool.ejection();
    return call.with("name", pool.name().value())
        .with("kind", kind(pool.endpoints()))
        .with("urls", ColumnBatch.texts(pool.endpoints().urls(), EndpointUrl::toString))
        .with("routing", code(pool.routing()))
        .with("ejection_failures", ejection.failures())
        .with("ejection_pause", EpochMicros.lengthOf(ejection.pause()))
        .with("ejection_ramp_up", EpochMicros.lengthOf(ejection.rampUp()))
        .with("health_path", pool.healthPath())
        .with("request_timeout", EpochMicros.lengthOf(pool.requestTimeout()))
        .with("completion_timeout", EpochMicros.lengthOf(pool.completionTimeout()))
        .with("answers_later", pool.answersLater())
        .with("max_in_flight", pool.maxInFlight())
        .with("tls", pool.tls());
  }

  private static String kind(Endpoints endpoints) {
    return switch (endpoints) {
      case Endpoints.Listed _ -> LISTED;
      case Endpoints.Resolved _ -> RESOLVED;
      case Endpoints.Registered _ -> REGISTERED;
    };
  }

  private static String code(EndpointRouting routing) {
    return switch (routing) {
      case RANDOM -> "R";
      case LEAST_LOADED -> "L";
      case FASTEST -> "F";
      case STICKY -> "S";
      case ROUND_ROBIN -> "T";
    };
  }

  private static EndpointRouting routing(String code) {
    return switch (code) {
      case "R" -> EndpointRouting.RANDOM;
      case "L" -> EndpointRouting.LEAST_LOADED;
      case "F" -> EndpointRouting.FASTEST;
      case "S" -> EndpointRouting.STICKY;
      case "T" -> EndpointRouting.ROUND_ROBIN;
      default -> throw new UnknownCode("routing", code);
    };
  }

  /** Reads a row of {@code pool_list.sql}. Throws {@link UnreadablePool}. */
  static StoredPool read(ResultSet row, StoredSecrets secrets) throws SQLException {
    try {
      return stored(row, secrets);
    } catch (IllegalArgumentException e) {
      throw new UnreadablePool(name(row), e);
    }
  }

  static PoolName name(ResultSet row) throws SQLException {
    return new PoolName(NonNullColumns.text(row, 1));
  }

  private static StoredPool stored(ResultSet row, StoredSecrets secrets) throws SQLException {
    Pool pool =
        new Pool(
            name(row),
            endpoints(NonNullColumns.text(row, 3), urls(row, 4)),
            routing(NonNullColumns.text(row, 5)),
            new EndpointEjection(row.getInt(6), length(row, 7), length(row, 8)),
            row.getString(9),
            length(row, 10),
            length(row, 11),
            row.getBoolean(12),
            row.getInt(13),
            row.getString(18));
    return new StoredPool(pool, row.getLong(2), keys(row, secrets), urls(row, 17));
  }

  private static List<EndpointUrl> urls(ResultSet row, int column) throws SQLException {
    return Stream.of(texts(row, column)).map(EndpointUrl::of).toList();
  }

  private static Endpoints endpoints(String kind, List<EndpointUrl> urls) {
    return switch (kind) {
      case LISTED -> new Endpoints.Listed(urls);
      case RESOLVED -> new Endpoints.Resolved(urls.getFirst());
      case REGISTERED -> new Endpoints.Registered();
      default -> throw new UnknownCode("kind of endpoints", kind);
    };
  }

  private static List<SigningKey> keys(ResultSet row, StoredSecrets secrets) throws SQLException {
    PoolName pool = name(row);
    Long[] ids = numbers(row, 19);
    String[] stored = texts(row, 14);
    String[] encryptedWith = texts(row, 20);
    Long[] created = numbers(row, 15);
    Long[] retires = numbers(row, 16);
    List<SigningKey> keys = new ArrayList<>();
    for (int i = 0; i < ids.length; i++) {
      byte[] secret =
          secrets.read(pool, ids[i], HexFormat.of().parseHex(stored[i]), encryptedWith[i]);
      keys.add(new SigningKey(secret, created[i], retires[i]));
    }
    return keys;
  }

  private static String[] texts(ResultSet row, int column) throws SQLException {
    return (String[]) requireNonNull(row.getArray(column), "never null").getArray();
  }

  private static Long[] numbers(ResultSet row, int column) throws SQLException {
    return (Long[]) requireNonNull(row.getArray(column), "never null").getArray();
  }

  private static Duration length(ResultSet row, int column) throws SQLException {
    return EpochMicros.toDuration(row.getLong(column));
  }
}
