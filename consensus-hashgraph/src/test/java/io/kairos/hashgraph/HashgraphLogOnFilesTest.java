package io.kairos.hashgraph;

import io.kairos.contracts.ReplicatedLogContract;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** Waits for the disk some thousand times. */
@Tag("long")
class HashgraphLogOnFilesTest extends ReplicatedLogContract {
  @TempDir Path folder;

  @Override
  protected Replicas newReplicas() {
    return SimulatedHashgraphs.onFiles(folder, 1);
  }

  @Override
  protected int size() {
    return 4;
  }
}
