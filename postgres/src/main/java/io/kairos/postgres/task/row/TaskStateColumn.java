package io.kairos.postgres.task.row;

import io.kairos.domain.task.TaskState;
import io.kairos.postgres.sql.UnknownCode;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/** The states of tasks as codes of the schema. */
public final class TaskStateColumn {
  private static final Map<String, TaskState> BY_CODE =
      Arrays.stream(TaskState.values())
          .collect(Collectors.toUnmodifiableMap(TaskStateColumn::code, state -> state));

  private TaskStateColumn() {}

  public static String code(TaskState state) {
    return switch (state) {
      case NEW -> "N";
      case ENQUEUED -> "E";
      case PROCESSING -> "P";
      case RETRIABLE_FAILURE -> "R";
      case AWAITING -> "A";
      case BLOCKED -> "B";
      case PAUSED -> "H";
      case SUCCEEDED -> "S";
      case FAILED -> "F";
      case CANCELLED -> "C";
      case DEAD -> "D";
    };
  }

  public static TaskState of(String code) {
    TaskState state = BY_CODE.get(code);
    if (state == null) {
      throw new UnknownCode("state", code);
    }
    return state;
  }
}
