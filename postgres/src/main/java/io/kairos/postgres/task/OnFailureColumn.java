package io.kairos.postgres.task;

import io.kairos.domain.task.graph.OnFailure;
import io.kairos.postgres.sql.UnknownCode;

/** What a predecessor's failure means for its successor, as a code of the schema. */
final class OnFailureColumn {
  private OnFailureColumn() {}

  static String code(OnFailure onFailure) {
    return switch (onFailure) {
      case BLOCK -> "B";
      case FAIL -> "F";
      case CONTINUE -> "C";
    };
  }

  static OnFailure of(String code) {
    return switch (code) {
      case "B" -> OnFailure.BLOCK;
      case "F" -> OnFailure.FAIL;
      case "C" -> OnFailure.CONTINUE;
      default -> throw new UnknownCode("what an edge means by a failure", code);
    };
  }
}
