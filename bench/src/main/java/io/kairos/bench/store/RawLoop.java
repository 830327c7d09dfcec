package io.kairos.bench.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.bench.measure.ResourceMeter;
import io.kairos.bench.observe.ArrivalLedger;
import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.RunVerdict;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.trial.LoadAccounts;
import io.kairos.bench.trial.TrialLoad;
import io.kairos.bench.trial.TrialTimes;
import io.kairos.postgres.PostgresConfig;
import io.kairos.postgres.PostgresStores;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What Postgres can do at most: clients that insert a batch, delete the one of some batches ago,
 * and do nothing else. The table is a copy of the delay queue's with all its indexes. This is the
 * floor that a sustained rate is compared with. Each client has a connection and a thread of its
 * own.
 */
final class RawLoop implements TrialLoad {
  private static final String TABLE = "raw_loop";

  private final BenchRig rig;
  private final Settings settings;
  private final Connection connection;
  private final AtomicLong ids = new AtomicLong(System.nanoTime());
  private final AtomicLong inserted = new AtomicLong();
  private final AtomicLong deleted = new AtomicLong();
  private final ExecutorService threads;
  private final List<Future<?>> clients = new ArrayList<>();
  private volatile boolean stopped;

  /**
   * How hard the loop works.
   *
   * @param batch rows of one statement
   * @param rows that the table holds all the while, in all
   */
  record Settings(
      int clients, int batch, int rows, int valueBytes, Duration warmup, Duration duration) {
    Settings {
      if (clients < 1 || batch < 1 || rows < batch * clients || valueBytes < 0) {
        throw new IllegalArgumentException(
            "at least one client, a batch of one, and rows for a batch of each client");
      }
    }
  }

  RawLoop(BenchRig rig, Settings settings) throws SQLException {
    this.rig = rig;
    this.settings = settings;
    this.connection = rig.connect();
    this.threads = rig.keep(Executors.newFixedThreadPool(settings.clients));
    PostgresStores.open(
            PostgresConfig.of(
                rig.postgres().jdbcUrl(), rig.postgres().user(), rig.postgres().password()))
        .close(); // which brings the schema in
  }

  @Override
  public void describe(FigureList figures) {
    figures
        .row("load")
        .count("clients", "clients", settings.clients)
        .count("batch", "rows in a batch", settings.batch)
        .count("rows", "rows kept", settings.rows)
        .count("valueBytes", "bytes in a value", settings.valueBytes);
  }

  @Override
  public TrialTimes start() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql("raw_table"));
    }
    for (int i = 0; i < settings.clients; i++) {
      Connection own = rig.connect();
      clients.add(threads.submit(() -> loop(own)));
    }
    return TrialTimes.in(Duration.ZERO, settings.warmup, settings.duration);
  }

  @Override
  public ResourceMeter meter() {
    return rig.meter(connection, TABLE, Set.of("postgres"));
  }

  @Override
  public Counts counts() {
    return new Counts(inserted.get(), deleted.get());
  }

  @Override
  public boolean hasEnded() {
    return clients.stream().anyMatch(Future::isDone);
  }

  @Override
  public LoadAccounts settle() throws InterruptedException {
    stopped = true;
    for (Future<?> client : clients) {
      try {
        client.get();
      } catch (ExecutionException e) {
        throw new IllegalStateException("the raw loop failed", e.getCause());
      }
    }
    return new LoadAccounts(
        inserted.get(),
        inserted.get(),
        0,
        Duration.ZERO,
        ArrivalLedger.ofEverything(0),
        new ArrivalLedger.Missing(inserted.get() - deleted.get(), List.of()),
        0,
        0);
  }

  @Override
  public void judge(Done done, LoadAccounts accounts, FigureList figures, RunVerdict verdict) {
    // What was inserted and cannot be deleted is lost; there is no more to say.
  }

  /** Returns how many batches it has inserted. */
  private int loop(Connection own) throws SQLException {
    ArrayDeque<String[]> held = new ArrayDeque<>();
    int inserts = 0;
    int batches = settings.rows / settings.batch / settings.clients;
    byte[][] values = new byte[settings.batch][settings.valueBytes];
    Arrays.stream(values).forEach(new SplittableRandom(1)::nextBytes);
    try (PreparedStatement insert = own.prepareStatement(sql("raw_insert"));
        PreparedStatement delete = own.prepareStatement(sql("raw_delete"))) {
      insert.setLong(1, System.currentTimeMillis());
      insert.setObject(2, UUID.randomUUID());
      while (!stopped) {
        inserts++;
        held.add(insert(own, insert, values));
        if (held.size() > batches) {
          delete(own, delete, held.remove());
        }
      }
      while (!held.isEmpty()) {
        delete(own, delete, held.remove());
      }
    }
    return inserts;
  }

  private String[] insert(Connection own, PreparedStatement insert, byte[][] values)
      throws SQLException {
    String[] names = new String[settings.batch];
    Long[] deadlines = new Long[settings.batch];
    byte[][] keys = new byte[settings.batch][];
    for (int i = 0; i < names.length; i++) {
      long id = ids.incrementAndGet();
      names[i] = "5f3a9c01d2e4b677-" + id;
      deadlines[i] = id;
      keys[i] = ByteBuffer.allocate(Long.BYTES).putLong(id).array();
    }
    insert.setArray(3, own.createArrayOf("text", names));
    insert.setArray(4, own.createArrayOf("int8", deadlines));
    insert.setArray(5, own.createArrayOf("bytea", keys));
    insert.setArray(6, own.createArrayOf("bytea", values));
    inserted.addAndGet(insert.executeUpdate());
    return names;
  }

  private void delete(Connection own, PreparedStatement delete, String[] names)
      throws SQLException {
    delete.setArray(1, own.createArrayOf("text", names));
    deleted.addAndGet(delete.executeUpdate());
  }

  private static String sql(String name) {
    try (InputStream in = RawLoop.class.getResourceAsStream(name + ".sql")) {
      if (in == null) {
        throw new IllegalStateException(name + ".sql is not on the class path");
      }
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
