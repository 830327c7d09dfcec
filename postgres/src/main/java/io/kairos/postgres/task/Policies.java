package io.kairos.postgres.task;

import static java.util.Objects.requireNonNullElse;

import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.time.EpochMicros;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.Call;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Retry policies as four columns, all null for that of the handler. */
final class Policies {
  private static final boolean[] NO_NULLS = {};

  private Policies() {}

  /** Sets the four columns of a batch; empty ones, which stand for nulls, when all are null. */
  static Call bind(Call call, List<@Nullable RetryPolicy> policies) throws SQLException {
    if (policies.stream().allMatch(Objects::isNull)) {
      return call.with("max_attempts", BinaryArray.ints(new int[0]))
          .with("backoff_initials", BinaryArray.longs(new long[0]))
          .with("backoff_factors", BinaryArray.doubles(new double[0], NO_NULLS))
          .with("backoff_maxes", BinaryArray.longs(new long[0]));
    }
    int size = policies.size();
    boolean[] isNull = new boolean[size];
    int[] maxAttempts = new int[size];
    long[] initials = new long[size];
    double[] factors = new double[size];
    long[] maxes = new long[size];
    for (int i = 0; i < size; i++) {
      RetryPolicy policy = policies.get(i);
      isNull[i] = policy == null;
      if (policy != null) {
        maxAttempts[i] = policy.maxAttempts();
        initials[i] = EpochMicros.lengthOf(policy.initial());
        factors[i] = policy.factor();
        maxes[i] = EpochMicros.lengthOf(policy.max());
      }
    }
    return call.with("max_attempts", BinaryArray.ints(maxAttempts, isNull))
        .with("backoff_initials", BinaryArray.longs(initials, isNull))
        .with("backoff_factors", BinaryArray.doubles(factors, isNull))
        .with("backoff_maxes", BinaryArray.longs(maxes, isNull));
  }

  /**
   * The policy of a task or else of its handler; when both have none, the one that is shipped.
   *
   * @param first of the four columns
   */
  static RetryPolicy read(ResultSet row, int first) throws SQLException {
    return requireNonNullElse(own(row, first), RetryPolicy.DEFAULT);
  }

  /** Null when the columns are. */
  static @Nullable RetryPolicy own(ResultSet row, int first) throws SQLException {
    int maxAttempts = row.getInt(first);
    return row.wasNull()
        ? null
        : new RetryPolicy(
            maxAttempts,
            Duration.of(row.getLong(first + 1), ChronoUnit.MICROS),
            row.getDouble(first + 2),
            Duration.of(row.getLong(first + 3), ChronoUnit.MICROS));
  }
}
