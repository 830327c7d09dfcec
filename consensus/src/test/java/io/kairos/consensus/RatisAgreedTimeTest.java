package io.kairos.consensus;

import io.kairos.contracts.AgreedTimeContract;
import io.kairos.contracts.ReplicatedLogContract.Replicas;
import io.kairos.domain.replica.ReplicaGroup;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class RatisAgreedTimeTest extends AgreedTimeContract {
  @TempDir Path directory;

  @Override
  protected Replicas newReplicas() {
    return new RatisReplicas(directory, cluster().size());
  }

  @Override
  protected ReplicaGroup cluster() {
    return new ReplicaGroup(3, ReplicaGroup.Faults.CRASH);
  }
}
