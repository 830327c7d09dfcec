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

  static void create(String bootstrapServers, NewTopic... topics) {
    await(
        bootstrapServers,
        admin -> admin.createTopics(List.of(topics)).all(),
        "create " + List.of(topics));
  }

  /** A topic with each partition on the broker named at its place in the list. */
  static NewTopic placed(String name, List<Integer> brokerOfPartition) {
    Map<Integer, List<Integer>> places = new HashMap<>();
    for (int partition = 0; partition < brokerOfPartition.size(); partition++) {
      places.put(partition, List.of(brokerOfPartition.get(partition)));
    }
    return new NewTopic(name, places);
  }

  static void grow(String bootstrapServers, int partitions, String one, String other) {
    NewPartitions more = NewPartitions.increaseTo(partitions);
    await(
        bootstrapServers,
        admin -> admin.createPartitions(Map.of(one, more, other, more)).all(),
        "grow " + one + " and " + other);
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
