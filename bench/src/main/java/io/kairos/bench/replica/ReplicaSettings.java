package io.kairos.bench.replica;

import io.kairos.consensus.RatisConfig;
import io.kairos.consensus.ReplicaAddress;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.cron.entry.EntryBook;
import io.kairos.engine.replica.OrderedExecution;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * How a {@link ReplicaBenchMain} is to run.
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

  List<String> arguments() {
    return List.of(
        Integer.toString(number),
        ports.stream().map(String::valueOf).collect(Collectors.joining(",")),
        directory.toString(),
        kind.name());
  }

  static ReplicaSettings parse(String[] arguments) {
    return new ReplicaSettings(
        Integer.parseInt(arguments[0]),
        Arrays.stream(arguments[1].split(",", -1)).map(Integer::valueOf).toList(),
        Path.of(arguments[2]),
        Kind.valueOf(arguments[3]));
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
