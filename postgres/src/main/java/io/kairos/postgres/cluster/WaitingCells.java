package io.kairos.postgres.cluster;

import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.cluster.WaitingSpan;
import io.kairos.postgres.sql.SqlCall;
import java.time.Instant;

/**
 * The cells in which what waits is counted: what is overdue, one for each bar of a span, and one
 * for what is due after it.
 */
record WaitingCells(WaitingSpan span, long nowMicros) {
  static WaitingCells of(WaitingSpan span, Instant now) {
    return new WaitingCells(span, EpochMicros.of(now));
  }

  long beginMicros() {
    return span.beginMicros(EpochMicros.toInstant(nowMicros));
  }

  /** How many there are. */
  int count() {
    return span.bars() + 2;
  }

  /** The time before which the last bar ends. */
  long endMicros() {
    return beginMicros() + span.bars() * span.lengthMicros();
  }

  /** The first time of a cell. */
  long fromMicros(int cell) {
    return switch (cell) {
      case 0 -> Long.MIN_VALUE;
      case 1 -> nowMicros + 1;
      default -> beginMicros() + (cell - 1) * span.lengthMicros();
    };
  }

  /** The time before which a cell ends. */
  long toMicros(int cell) {
    if (cell == 0) {
      return nowMicros + 1;
    }
    return cell == count() - 1 ? Long.MAX_VALUE : beginMicros() + cell * span.lengthMicros();
  }

  /** Sets the parameters of the part "cell". */
  SqlCall on(SqlCall call) {
    return call.with("now_micros", nowMicros)
        .with("begin_micros", beginMicros())
        .with("bar_micros", span.lengthMicros())
        .with("bars", (long) span.bars());
  }
}
