package io.kairos.hashgraph;

import io.kairos.contracts.ReplicatedLogContract;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Replicas with real threads, disks and sockets; waits for the disk some thousand times. */
@Tag("long")
@Timeout(180)
class HashgraphNodesTest extends ReplicatedLogContract {
  @TempDir Path folder;

  @Override
  protected Replicas newReplicas() {
    return new HashgraphNodes(folder);
  }

  @Override
  protected int size() {
    return HashgraphNodes.SIZE;
  }
}
