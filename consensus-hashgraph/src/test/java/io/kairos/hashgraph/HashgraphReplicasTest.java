package io.kairos.hashgraph;

import io.kairos.contracts.ReplicatedLogContract;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** With real threads, disks and sockets, and cheap keys; waits for the disk some thousand times. */
@Tag("long")
@Timeout(180)
class HashgraphReplicasTest extends ReplicatedLogContract {
  @TempDir Path folder;

  @Override
  protected Replicas newReplicas() {
    return new HashgraphReplicas(folder, SimulatedKeys.cheap(HashgraphReplicas.SIZE, 1));
  }

  @Override
  protected int size() {
    return HashgraphReplicas.SIZE;
  }
}
