package io.kairos.bench.rig;

/** The servers that the nodes of a rig use, when they are not the embedded ones. */
public interface RigServers extends AutoCloseable {
  /** Without user and password. */
  String jdbcUrl();

  String user();

  String password();

  String bootstrapServers();

  /** Replicas of each topic. */
  short replicationFactor();

  @Override
  void close();
}
