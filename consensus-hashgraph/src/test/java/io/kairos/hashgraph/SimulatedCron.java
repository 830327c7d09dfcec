package io.kairos.hashgraph;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.check.HashFunction;
import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.CronAction;
import io.kairos.domain.cron.CronEntry;
import io.kairos.domain.cron.CronListener;
import io.kairos.domain.cron.CronTable;
import io.kairos.domain.cron.CronTableRegistry;
import io.kairos.domain.cron.PeriodicEntries;
import io.kairos.domain.cron.Tick;
import io.kairos.domain.cron.TickEvaluation;
import io.kairos.domain.page.PageArea;
import io.kairos.domain.page.PageId;
import io.kairos.domain.page.ReservedPages;
import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.cron.CronApplication;
import io.kairos.engine.cron.CronMachine;
import io.kairos.engine.cron.TickListener;
import io.kairos.engine.cron.TicksGenerator;
import io.kairos.engine.replica.OrderedRequest;
import io.kairos.engine.replica.VoteSender;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The production cron machine with one table, and what makes a replica tick. */
final class SimulatedCron implements JudgedMachine {
  static final ComponentId TABLE = new ComponentId(7);
  static final Duration PERIOD = Duration.ofMillis(200);
  private static final int REQUESTS = 0;
  private static final int EACH_TICK = 1;
  private static final int EACH_SECOND = 2;
  private static final long LOOK_NANOS = 20_000_000;
  private static final long VOTE_NANOS = 1_000_000_000;

  private final CronMachine machine;
  private long executions;

  /** Is told of each tick by which the table was evaluated. */
  @FunctionalInterface
  interface Watcher {
    Watcher NOBODY = (_, _, _) -> {};

    void ticked(ReplicaId from, long readingMillis, Tick tick);
  }

  SimulatedCron(ReplicaGroup cluster, Watcher watcher) {
    TickListener listener =
        new TickListener() {
          private @Nullable ReplicaId from;
          private long reading;

          @Override
          public void read(ReplicaId sender, long readingMillis) {
            from = sender;
            reading = readingMillis;
          }

          @Override
          public void evaluated(Tick tick, TickEvaluation evaluation) {
            watcher.ticked(requireNonNull(from), reading, tick);
          }
        };
    this.machine =
        new CronMachine(new CronMachine.Config(cluster), new Counts(), CronListener.NONE, listener);
  }

  /** Counts what its entries do, and keeps a hash over requests, in pages. */
  private static final class Counts implements CronApplication {
    @Override
    public void build(CronTableRegistry tables, ReservedPages pages) {
      CronTable table = tables.table(TABLE);
      table.add(new CronEntry(EACH_TICK, _ -> true, counting(pages, EACH_TICK)));
      table.add(
          PeriodicEntries.every(
              table, EACH_SECOND, Duration.ofSeconds(1), counting(pages, EACH_SECOND)));
    }

    private static CronAction counting(ReservedPages pages, int position) {
      return _ -> write(pages, position, read(pages, position) + 1);
    }

    @Override
    public byte[] execute(Request request, ReservedPages pages) {
      long mixed = HashFunction.mixed(read(pages, REQUESTS) ^ request.sequence());
      long time = request.time() instanceof AgreedTime.At at ? at.epochMillis() : -1;
      mixed = HashFunction.mixed(mixed ^ time);
      write(pages, REQUESTS, HashFunction.mixed(mixed ^ Arrays.hashCode(request.body())));
      return new byte[0];
    }

    private static PageId page(int position) {
      return new PageId(PageArea.USER, TABLE.value(), position);
    }

    private static long read(ReservedPages pages, int position) {
      return pages.read(page(position)).map(bytes -> ByteBuffer.wrap(bytes).getLong()).orElse(0L);
    }

    private static void write(ReservedPages pages, int position, long value) {
      pages.write(page(position), ByteBuffer.allocate(Long.BYTES).putLong(value).array());
    }
  }

  /** Makes a replica tick and vote for as long as it lives; its log drives this machine. */
  TicksGenerator drive(SimulatedReplica replica, Timeline timeline) {
    HashgraphLog log = requireNonNull(replica.log());
    TicksGenerator ticks =
        new TicksGenerator(log, machine.rounds(), timeline::nowNanos, replica::clock);
    ticks.start(TABLE, PERIOD);
    VoteSender votes = new VoteSender(log);
    replica.every(LOOK_NANOS, ticks::look);
    replica.every(VOTE_NANOS, votes::look);
    return ticks;
  }

  /** The last round of ticks. */
  long round() {
    return machine.rounds().round(TABLE);
  }

  @Override
  public byte[] execute(OrderedRequest request) {
    executions++;
    return machine.execute(request);
  }

  @Override
  public byte[] snapshot() {
    return machine.snapshot();
  }

  @Override
  public void restore(byte[] snapshot) {
    machine.restore(snapshot);
  }

  @Override
  public byte[] digest() {
    return machine.digest();
  }

  @Override
  public long executions() {
    return executions;
  }

  @Override
  public long state() {
    return ByteBuffer.wrap(machine.digest()).getLong();
  }
}
