package io.kairos.postgres.task;

import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.time.EpochMicros;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.Call;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Retry policies as four columns, all null for the default. */
final class Policies {
  private static final boolean[] NO_NULLS = {};

  private Policies() {}

  /** Sets the four columns of a batch; empty ones, which stand for nulls, when all are default. */
  static Call bind(Call call, List<RetryPolicy> policies) throws SQLException {
    if (policies.stream().allMatch(RetryPolicy.DEFAULT::equals)) {
      return call.with("max_attempts", BinaryArray.ints(new int[0]))
          .with("backoff_initials", BinaryArray.longs(new long[0]))
          .with("backoff_factors", BinaryArray.doubles(new double[0], NO_NULLS))
          .with("backoff_maxes", BinaryArray.longs(new long[0]));
    }
    int size = policies.size();
    boolean[] isDefault = new boolean[size];
    int[] maxAttempts = new int[size];
    long[] initials = new long[size];
    double[] factors = new double[size];
    long[] maxes = new long[size];
    for (int i = 0; i < size; i++) {
      RetryPolicy policy = policies.get(i);
      isDefault[i] = policy.equals(RetryPolicy.DEFAULT);
      maxAttempts[i] = policy.maxAttempts();
      initials[i] = EpochMicros.lengthOf(policy.initial());
      factors[i] = policy.factor();
      maxes[i] = EpochMicros.lengthOf(policy.max());
    }
    return call.with("max_attempts", BinaryArray.ints(maxAttempts, isDefault))
        .with("backoff_initials", BinaryArray.longs(initials, isDefault))
        .with("backoff_factors", BinaryArray.doubles(factors, isDefault))
        .with("backoff_maxes", BinaryArray.longs(maxes, isDefault));
  }

  /**
   * @param first of the four columns
   */
  static RetryPolicy read(ResultSet row, int first) throws SQLException {
    int maxAttempts = row.getInt(first);
    if (row.wasNull()) {
      return RetryPolicy.DEFAULT;
    }
    return new RetryPolicy(
        maxAttempts,
        Duration.of(row.getLong(first + 1), ChronoUnit.MICROS),
        row.getDouble(first + 2),
        Duration.of(row.getLong(first + 3), ChronoUnit.MICROS));
  }
}
