package io.kairos.bench.site;

import io.kairos.bench.load.BenchWait;
import io.kairos.bench.rig.BenchProcess;
import io.kairos.bench.rig.RigServers;
import io.kairos.bench.rig.WorkFolder;
import io.kairos.embedded.process.RunningProcess;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.common.Uuid;

/**
 * Three sites with a Postgres server and a broker each. One server is the primary, whose commits
 * wait for any one of the two standbys; topics have three replicas, of which two confirm a record.
 * Used by one thread.
 */
public final class ThreeSites implements RigServers {
  private static final List<String> NAMES = List.of("a", "b", "c");
  private static final Duration WITHIN = Duration.ofMinutes(2);
  private static final Duration LOOK_EVERY = Duration.ofMillis(100);

  private final List<SitePostgres> servers = new ArrayList<>();
  private final List<SiteBroker> brokers = new ArrayList<>();
  private int primary;

  /** Starts all of them. */
  public ThreeSites(WorkFolder folder) throws SQLException {
    String cluster = Uuid.randomUuid().toString();
    for (String name : NAMES) {
      Path site = folder.resolve("site-" + name);
      servers.add(new SitePostgres(name, NAMES, site.resolve("postgres")));
      brokers.add(new SiteBroker(brokers.size() + 1, cluster, site));
    }
    boolean complete = false;
    try {
      brokers.forEach(broker -> broker.configure(brokers));
      brokers.forEach(SiteBroker::start);
      servers.getFirst().found();
      for (SitePostgres standby : servers.subList(1, count())) {
        standby.copy(servers.getFirst());
      }
      awaitWhole();
      complete = true;
    } finally {
      if (!complete) {
        close();
      }
    }
  }

  public int count() {
    return NAMES.size();
  }

  /** The site of the primary. */
  public int primary() {
    return primary;
  }

  public SitePostgres server(int site) {
    return servers.get(site);
  }

  /** Names all servers, in an order that never changes: those of lost sites come first too. */
  @Override
  public String jdbcUrl() {
    return "jdbc:postgresql://%s/kairos?targetServerType=primary"
        .formatted(servers.stream().map(SitePostgres::address).collect(Collectors.joining(",")));
  }

  @Override
  public String user() {
    return servers.getFirst().engine().user();
  }

  @Override
  public String password() {
    return servers.getFirst().engine().password();
  }

  @Override
  public String bootstrapServers() {
    return brokers.stream().map(SiteBroker::address).collect(Collectors.joining(","));
  }

  @Override
  public short replicationFactor() {
    return (short) NAMES.size();
  }

  /**
   * Kills the whole site with a node in it: all processes stand still first, so that none of them
   * acts when others are gone.
   */
  public void lose(int site, BenchProcess node) {
    List<RunningProcess> all =
        List.of(
            servers.get(site).processes(), brokers.get(site).process().running(), node.running());
    all.forEach(RunningProcess::pause);
    try {
      for (RunningProcess each : all) {
        each.killTree();
      }
    } catch (InterruptedException e) {
      throw BenchWait.interrupted("the end of a site", e);
    }
  }

  /**
   * Promotes the standby that has received more, which has all that was acknowledged, and lets the
   * other one follow it.
   */
  public void failOver() throws SQLException {
    List<Integer> standbys =
        IntStream.range(0, count()).filter(site -> site != primary).boxed().toList();
    long[] received = new long[count()];
    for (int site : standbys) {
      received[site] = servers.get(site).received();
    }
    int next =
        standbys.stream().max(Comparator.comparingLong(site -> received[site])).orElseThrow();
    servers.get(next).promote();
    for (int site : standbys) {
      if (site != next) {
        servers.get(site).follow(servers.get(next));
      }
    }
    primary = next;
  }

  /** Starts the broker and the server of a lost site again: an old primary is one still. */
  public void comeBack(int site) {
    brokers.get(site).start();
    servers.get(site).engine().restart();
  }

  /**
   * Lets an old primary follow the new one, as a new copy of it, and waits until nothing is behind.
   */
  public void rejoin(int site) throws SQLException {
    servers.get(site).copy(servers.get(primary));
    awaitWhole();
  }

  /** Waits until both standbys and all replicas follow. */
  private void awaitWhole() throws SQLException {
    boolean standbys =
        BenchWait.until(() -> servers.get(primary).standbys() == count() - 1, WITHIN, LOOK_EVERY);
    if (!standbys) {
      throw new IllegalStateException("a standby does not follow");
    }
    try (Admin admin =
        Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers()))) {
      if (!BenchWait.until(() -> isWhole(admin), WITHIN, LOOK_EVERY)) {
        throw new IllegalStateException("a replica of a topic does not follow");
      }
    }
  }

  private boolean isWhole(Admin admin) {
    try {
      Set<String> topics =
          admin.listTopics(new ListTopicsOptions().listInternal(true)).names().get();
      return admin.describeCluster().nodes().get().size() == count()
          && admin.describeTopics(topics).allTopicNames().get().values().stream()
              .flatMap(topic -> topic.partitions().stream())
              .allMatch(partition -> partition.isr().size() == count());
    } catch (ExecutionException notYet) {
      return false;
    } catch (InterruptedException e) {
      throw BenchWait.interrupted("the brokers", e);
    }
  }

  @Override
  public void close() {
    servers.forEach(SitePostgres::close);
    brokers.forEach(SiteBroker::close);
  }
}
