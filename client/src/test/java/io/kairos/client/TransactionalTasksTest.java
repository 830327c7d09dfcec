package io.kairos.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.kairos.client.batch.BatchId;
import io.kairos.client.error.InvalidRequestException;
import io.kairos.client.task.OnFailure;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

final class TransactionalTasksTest extends TwoTransactions {
  TransactionalTasksTest() throws SQLException {}

  @Test
  void a_task_that_waits_for_a_batch_is_refused_and_the_transaction_goes_on() throws SQLException {
    TaskRequest request =
        TaskRequest.to("h").afterBatch(new BatchId(new UUID(1, 1)), OnFailure.FAIL).build();
    List<Callable<?>> calls =
        List.of(
            () -> TransactionalTasks.schedule(first, request),
            () -> TransactionalTasks.scheduleAll(first, List.of(request)));
    for (Callable<?> call : calls) {
      assertThat(catchThrowableOfType(InvalidRequestException.class, call::call))
          .hasMessageContaining("after.batch: must not be given in a transaction");
      execute(first, "select 1");
    }
  }
}
