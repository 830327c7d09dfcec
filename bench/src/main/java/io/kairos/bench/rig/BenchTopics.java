package io.kairos.bench.rig;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;

/** Creates topics. */
final class BenchTopics {
  private BenchTopics() {}

  /** With the broker's choice of places. */
  static void create(String bootstrapServers, int partitions, String... names) {
    create(
        bootstrapServers,
        List.of(names).stream().map(name -> new NewTopic(name, partitions, (short) 1)).toList());
  }

  /** Each partition on the one broker named at its place in the list. */
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
    try (Admin admin =
        Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers))) {
      admin.createPartitions(growth).all().get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("cannot add partitions to " + growth.keySet(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while adding partitions", e);
    }
  }

  private static void create(String bootstrapServers, List<NewTopic> topics) {
    try (Admin admin =
        Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers))) {
      admin.createTopics(topics).all().get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("cannot create the topics " + topics, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while creating topics", e);
    }
  }
}
