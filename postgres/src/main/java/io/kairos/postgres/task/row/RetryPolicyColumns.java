package io.kairos.postgres.task.row;

import static java.util.Objects.requireNonNullElse;

import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.time.EpochMicros;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.SqlCall;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Retry policies as four columns, which are all null for the policy of the handler. */
public final class RetryPolicyColumns {
  private RetryPolicyColumns() {}

  /** Sets the four columns of a batch. Empty arrays stand for columns of nulls. */
  public static SqlCall bind(SqlCall call, List<@Nullable RetryPolicy> policies) {
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
    return call.with("max_attempts", BinaryArray.ints(maxAttempts, isNull).emptyIfAllNull())
        .with("backoff_initials", BinaryArray.longs(initials, isNull).emptyIfAllNull())
        .with("backoff_factors", BinaryArray.doubles(factors, isNull).emptyIfAllNull())
        .with("backoff_maxes", BinaryArray.longs(maxes, isNull).emptyIfAllNull());
  }

  /**
   * Reads the policy of a task or else of its handler; {@link RetryPolicy#DEFAULT} when both have
   * none.
   *
   * @param first the number of the first of the four columns
   */
  public static RetryPolicy read(ResultSet row, int first) throws SQLException {
    return requireNonNullElse(own(row, first), RetryPolicy.DEFAULT);
  }

  /**
   * Reads the policy of a task or of a schedule's tasks; null when they have none.
   *
   * @param first the number of the first of the four columns
   */
  public static @Nullable RetryPolicy own(ResultSet row, int first) throws SQLException {
    int maxAttempts = row.getInt(first);
    return row.wasNull()
        ? null
        : new RetryPolicy(
            maxAttempts,
            EpochMicros.toDuration(row.getLong(first + 1)),
            row.getDouble(first + 2),
            EpochMicros.toDuration(row.getLong(first + 3)));
  }
}
