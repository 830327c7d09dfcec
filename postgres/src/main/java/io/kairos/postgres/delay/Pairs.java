package io.kairos.postgres.delay;

import io.kairos.domain.delay.Fence;
import io.kairos.engine.delay.port.Claimed;
import io.kairos.engine.delay.port.Suspect;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.Call;
import java.sql.SQLException;
import java.util.Collection;
import java.util.UUID;
import java.util.function.Function;

/**
 * Messages with the pair that they must still carry, as the four arrays of every fenced statement.
 */
final class Pairs {
  private Pairs() {}

  static Row<Claimed>[] ofHeld(Collection<Claimed> held) {
    return Row.sorted(held, one -> new Row<>(one.message().route(), one.message().id(), one));
  }

  static Row<Suspect>[] ofSuspects(Collection<Suspect> suspects) {
    return Row.sorted(suspects, one -> new Row<>(one.route(), one.id(), one));
  }

  static <T> Call bind(Call call, Row<T>[] rows, Function<T, Fence> fence) throws SQLException {
    UUID[] holders = new UUID[rows.length];
    long[] stamps = new long[rows.length];
    for (int i = 0; i < rows.length; i++) {
      Fence pair = fence.apply(rows[i].what());
      holders[i] = pair.readiedBy().value();
      stamps[i] = pair.readiedAtMicros();
    }
    return call.with("routes", Row.routes(rows))
        .with("ids", Row.ids(rows))
        .with("holders", BinaryArray.uuids(holders))
        .with("stamps", BinaryArray.longs(stamps));
  }
}
