package io.kairos.model.replay;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.round.TickRotation;
import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.cron.LogCommand;
import io.kairos.engine.cron.entry.BookCommand;
import io.kairos.engine.cron.entry.TableSettings;
import io.kairos.engine.replica.ClientId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Makes a log like that of three replicas: ticks of the replicas in turn, with their clock
 * readings, and requests of clients between them.
 */
final class LogMaker {
  static final ReplicaGroup CLUSTER = new ReplicaGroup(3, ReplicaGroup.Faults.CRASH);

  /** The client whose requests must be carried out. */
  static final ClientId SETUP = new ClientId(0);

  private static final int CLIENTS = 4;
  private static final long START_MILLIS = Instant.parse("2026-03-28T23:55:00Z").toEpochMilli();
  private static final int MOST_SKEW_MILLIS = 400;
  private static final int MOST_HEX_BYTES = 200;

  private final SplittableRandom random;
  private final List<Timed> timed = new ArrayList<>();

  record Requests(String module, int count, Function<RandomGenerator, byte[]> body) {}

  private record Timed(long atMillis, ReplayLine line) {}

  LogMaker(SplittableRandom random) {
    this.random = random;
  }

  List<ReplayLine> make(List<BookCommand> setup, List<Requests> requests, Duration duration) {
    Map<ReplicaId, Integer> skews = new TreeMap<>();
    for (ReplicaId replica : CLUSTER.replicas()) {
      skews.put(replica, random.nextInt(-MOST_SKEW_MILLIS, MOST_SKEW_MILLIS));
    }
    tables(setup).forEach(table -> addTicks(table, duration.toMillis(), skews));
    requests.forEach(some -> addRequests(some, duration.toMillis()));
    timed.sort(Comparator.comparingLong(Timed::atMillis));
    List<ReplayLine> log = new ArrayList<>();
    for (BookCommand command : setup) {
      log.add(request(SETUP, command, "command " + (log.size() + 1) + " of the test"));
    }
    timed.forEach(each -> log.add(each.line()));
    return log;
  }

  private static List<TableSettings> tables(List<BookCommand> setup) {
    Map<ComponentId, TableSettings> tables = new TreeMap<>();
    for (BookCommand command : setup) {
      if (command instanceof BookCommand.PutTable(var settings)) {
        tables.put(settings.component(), settings);
      } else if (command instanceof BookCommand.PutEntry(var entry, _)) {
        tables.putIfAbsent(entry.component(), new TableSettings(entry.component()));
      }
    }
    return List.copyOf(tables.values());
  }

  private void addTicks(TableSettings table, long durationMillis, Map<ReplicaId, Integer> skews) {
    long period = table.tick().toMillis();
    long rounds = period == 0 ? 0 : durationMillis / period;
    for (long round = 1; round <= rounds; round++) {
      for (ReplicaId replica : new TickRotation(CLUSTER).inTurn(round)) {
        long at = round * period + random.nextLong(period / 2 + 1);
        long reading = START_MILLIS + at + skews.getOrDefault(replica, 0);
        timed.add(
            new Timed(
                at,
                new ReplayLine(
                    ClientId.ofTicks(replica, table.component()),
                    replica,
                    new LogCommand.Tick(table.component(), round, reading).encode(),
                    "a tick of " + table.component() + " from " + replica)));
      }
    }
  }

  private void addRequests(Requests some, long durationMillis) {
    for (int i = 0; i < some.count(); i++) {
      byte[] body = some.body().apply(random);
      String hex = HexFormat.of().formatHex(body, 0, Math.min(body.length, MOST_HEX_BYTES));
      timed.add(
          new Timed(
              random.nextLong(durationMillis + 1),
              request(
                  new ClientId(SETUP.value() + 1 + random.nextInt(CLIENTS)),
                  new BookCommand.ToModule(some.module(), body),
                  "a request to module " + some.module() + " (" + hex + ")")));
    }
  }

  private static ReplayLine request(ClientId client, BookCommand command, String what) {
    return new ReplayLine(client, null, new LogCommand.Request(command.encode()).encode(), what);
  }
}
