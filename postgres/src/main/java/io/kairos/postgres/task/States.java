package io.kairos.postgres.task;

import io.kairos.domain.task.TaskState;

/** The states of tasks as the schema writes them. */
final class States {
  private States() {}

  static String code(TaskState state) {
    return switch (state) {
      case NEW -> "N";
      case ENQUEUED -> "E";
      case PROCESSING -> "P";
      case RETRIABLE_FAILURE -> "R";
      case BLOCKED -> "B";
      case PAUSED -> "H";
      case SUCCEEDED -> "S";
      case FAILED -> "F";
      case CANCELLED -> "C";
      case DEAD -> "D";
    };
  }

  static TaskState of(String code) {
    return switch (code) {
      case "N" -> TaskState.NEW;
      case "E" -> TaskState.ENQUEUED;
      case "P" -> TaskState.PROCESSING;
      case "R" -> TaskState.RETRIABLE_FAILURE;
      case "B" -> TaskState.BLOCKED;
      case "H" -> TaskState.PAUSED;
      case "S" -> TaskState.SUCCEEDED;
      case "F" -> TaskState.FAILED;
      case "C" -> TaskState.CANCELLED;
      case "D" -> TaskState.DEAD;
      default -> throw new IllegalStateException("the schema allows no state " + code);
    };
  }
}
