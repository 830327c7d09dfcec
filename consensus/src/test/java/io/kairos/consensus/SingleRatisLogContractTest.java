package io.kairos.consensus;

import io.kairos.contracts.ReplicatedLogContract;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class SingleRatisLogContractTest extends ReplicatedLogContract {
  @TempDir Path directory;

  @Override
  protected Replicas newReplicas() {
    return new RatisReplicas(directory, 1);
  }

  @Override
  protected int size() {
    return 1;
  }
}
