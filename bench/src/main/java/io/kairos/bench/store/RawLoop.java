package io.kairos.bench.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.bench.measure.ProcessorTime;
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
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.Callable;
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
public final class RawLoop {
  private final Settings settings;
  private final Connector connector;
  private final long postgresPid;

  /**
   * How hard the loop works.
   *
   * @param batch rows of one statement
   * @param rows that the table holds all the while, in all
   */
  public record Settings(int clients, int batch, int rows, int valueBytes) {
    public Settings {
      if (clients < 1 || batch < 1 || rows < batch * clients || valueBytes < 0) {
        throw new IllegalArgumentException(
            "at least one client, a batch of one, and rows for a batch of each client");
      }
    }

    /** As published. */
    public static Settings standard(int valueBytes) {
      return new Settings(2, 500, 10_000, valueBytes);
    }
  }

  /** Opens a connection to the database with the schema. */
  @FunctionalInterface
  public interface Connector {
    Connection connect() throws SQLException;
  }

  /** Messages inserted and deleted, and the time that took. */
  public record Result(Settings settings, long messages, Duration time, Duration postgresTime) {
    public double perSecond() {
      return messages / (time.toNanos() / 1e9);
    }

    public double postgresMicros() {
      return postgresTime.toNanos() / 1e3 / Math.max(1, messages);
    }
  }

  /** {@code postgresPid} is the server's, for its processor time. */
  public RawLoop(Settings settings, Connector connector, long postgresPid) {
    this.settings = settings;
    this.connector = connector;
    this.postgresPid = postgresPid;
  }

  /** Runs without measuring, then measures, and leaves no table behind. */
  public Result run(Duration warmup, Duration measured) throws SQLException {
    try (Connection connection = connector.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("drop table if exists raw_loop");
      statement.execute(sql("raw_table"));
      try {
        loop(warmup);
        Duration timeBefore = ProcessorTime.ofTree(postgresPid);
        long began = System.nanoTime();
        long messages = loop(measured);
        return new Result(
            settings,
            messages,
            Duration.ofNanos(System.nanoTime() - began),
            ProcessorTime.ofTree(postgresPid).minus(timeBefore));
      } finally {
        statement.execute("drop table raw_loop");
      }
    }
  }

  private long loop(Duration length) {
    long untilNanos = System.nanoTime() + length.toNanos();
    AtomicLong ids = new AtomicLong(System.nanoTime());
    try (ExecutorService threads = Executors.newFixedThreadPool(settings.clients())) {
      List<Callable<Long>> clients = new ArrayList<>();
      for (int i = 0; i < settings.clients(); i++) {
        clients.add(() -> client(ids, untilNanos));
      }
      long messages = 0;
      for (Future<Long> client : threads.invokeAll(clients)) {
        messages += client.get();
      }
      return messages;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the raw loop ran", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("the raw loop failed", e.getCause());
    }
  }

  /** Returns how many messages it inserted and deleted within the time. */
  private long client(AtomicLong ids, long untilNanos) throws SQLException {
    ArrayDeque<String[]> held = new ArrayDeque<>();
    int batches = settings.rows() / settings.batch() / settings.clients();
    byte[][] values = new byte[settings.batch()][settings.valueBytes()];
    Arrays.stream(values).forEach(new SplittableRandom(1)::nextBytes);
    long messages = 0;
    try (Connection connection = connector.connect();
        PreparedStatement insert = connection.prepareStatement(sql("raw_insert"));
        PreparedStatement delete = connection.prepareStatement(sql("raw_delete"))) {
      insert.setLong(1, System.currentTimeMillis());
      insert.setObject(2, UUID.randomUUID());
      while (System.nanoTime() - untilNanos < 0) {
        held.add(insert(connection, insert, ids, values));
        if (held.size() > batches) {
          messages += delete(connection, delete, held.remove());
        }
      }
      while (!held.isEmpty()) {
        delete(connection, delete, held.remove());
      }
    }
    return messages;
  }

  private String[] insert(
      Connection connection, PreparedStatement insert, AtomicLong ids, byte[][] values)
      throws SQLException {
    String[] names = new String[settings.batch()];
    Long[] deadlines = new Long[settings.batch()];
    byte[][] keys = new byte[settings.batch()][];
    for (int i = 0; i < names.length; i++) {
      long id = ids.incrementAndGet();
      names[i] = "5f3a9c01d2e4b677-" + id;
      deadlines[i] = id;
      keys[i] = ByteBuffer.allocate(Long.BYTES).putLong(id).array();
    }
    insert.setArray(3, connection.createArrayOf("text", names));
    insert.setArray(4, connection.createArrayOf("int8", deadlines));
    insert.setArray(5, connection.createArrayOf("bytea", keys));
    insert.setArray(6, connection.createArrayOf("bytea", values));
    insert.executeUpdate();
    return names;
  }

  private static int delete(Connection connection, PreparedStatement delete, String[] ids)
      throws SQLException {
    delete.setArray(1, connection.createArrayOf("text", ids));
    return delete.executeUpdate();
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
