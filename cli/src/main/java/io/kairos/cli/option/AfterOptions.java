package io.kairos.cli.option;

import io.kairos.client.TaskRequest;
import io.kairos.client.batch.BatchId;
import io.kairos.client.task.OnFailure;
import io.kairos.client.task.TaskId;
import java.util.List;
import picocli.CommandLine.Option;

/** The tasks and batches that a task waits for. */
public final class AfterOptions {
  @Option(
      names = "--after",
      split = ",",
      paramLabel = "ID",
      description = "Ids of tasks that must end before this one begins.")
  List<String> after = List.of();

  @Option(
      names = "--after-batch",
      split = ",",
      paramLabel = "ID",
      description = "Ids of batches that must end before this task begins.")
  List<String> afterBatch = List.of();

  @Option(
      names = "--on-failure",
      defaultValue = "FAIL",
      description =
          "When one of them ends without success the task fails, goes on waiting (BLOCK) or begins"
              + " (CONTINUE): ${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE}).")
  OnFailure onFailure = OnFailure.FAIL;

  public void applyTo(TaskRequest.Builder task) {
    after.forEach(id -> task.after(TaskId.of(id), onFailure));
    afterBatch.forEach(id -> task.afterBatch(BatchId.of(id), onFailure));
  }
}
