package io.kairos.bench.rig;

import io.kairos.bench.load.BenchWait;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaFuture;

/** Creates topics. */
final class BenchTopics {
  private BenchTopics() {}

  /** Creates a topic whose partitions the broker places. */
  static void create(String bootstrapServers, int partitions, String... names) {
    create(
        bootstrapServers,
        List.of(names).stream().map(name -> new NewTopic(name, partitions, (short) 1)).toList());
  }

  /** Creates a topic with each partition on the broker named at its place in the list. */
  static void createOn(String bootstrapServers, String name, List<Integer> brokerOfPartition) {
    Map<Integer, List<Integer>> places = new HashMap<>();
    for (int partition = 0; partition < brokerOfPartition.size(); partition++) {
      places.put(partition, List.of(brokerOfPartition.get(partition)));
    }
    create(bootstrapServers, List.of(new NewTopic(name, places)));
  }

  static void grow(String bootstrapServers, int partitions, String... names) {
    Map<String, NewPartitions> growth = new HashMap<>();
    for (String name : names) {
      growth.put(name, NewPartitions.increaseTo(partitions));
    }
    await(
        bootstrapServers, admin -> admin.createPartitions(growth).all(), "grow " + growth.keySet());
  }

  private static void create(String bootstrapServers, List<NewTopic> topics) {
    await(bootstrapServers, admin -> admin.createTopics(topics).all(), "create " + topics);
  }

  private static void await(
      String bootstrapServers, Function<Admin, KafkaFuture<Void>> change, String what) {
    try (Admin admin =
        Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers))) {
      change.apply(admin).get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("cannot " + what, e);
    } catch (InterruptedException e) {
      throw BenchWait.interrupted("the broker to " + what, e);
    }
  }
}
