package io.kairos.bench.replica;

import io.kairos.consensus.RatisConfig;
import io.kairos.consensus.ReplicaAddress;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.cron.entry.EntryBook;
import io.kairos.engine.replica.OrderedExecution;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Settings of a {@link ReplicaBenchMain}.
 *
 * @param ports of all replicas on this machine, in the order of their numbers
 */
record ReplicaSettings(int number, List<Integer> ports, Path directory, Kind kind) {
  private static final String HOST = "127.0.0.1";

  /** The state machine of the log. */
  enum Kind {
    /** A {@link CounterMachine}. */
    BARE,
    /** A cron with an {@link EntryBook} whose entries run a {@link CountingModule}. */
    CRON
  }

  /** Everything else as it is in production. */
  RatisConfig ratis() {
    return new RatisConfig(
        "bench",
        new ReplicaId(number),
        ports.stream().map(port -> new ReplicaAddress(HOST, port)).toList(),
        directory,
        Optional.empty(),
        OrderedExecution.Config.DEFAULT,
        RatisConfig.Limits.DEFAULT);
  }
}
