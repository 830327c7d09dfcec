package io.kairos.postgres.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.contracts.TaskFairnessContract;
import io.kairos.contracts.TaskStores;
import org.junit.jupiter.api.AfterEach;

final class PostgresTaskFairnessTest extends TaskFairnessContract {
  @Override
  protected TaskStores freshStores() {
    return ContractTaskStores.fresh();
  }

  @AfterEach
  void what_waits_is_kept_by_its_key() {
    assertThat(ContractTaskStores.sharesThatDiffer()).isZero();
  }
}
