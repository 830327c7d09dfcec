package io.kairos.bench.schedule;

import io.kairos.bench.report.Table;
import java.util.Map;

/** What a scene of {@code bench schedules} showed. */
interface SceneResult {
  int NOT_CLEAN = 1;
  int VOID = 3;

  /** 0 when nothing was wrong, {@link #NOT_CLEAN} or {@link #VOID}. */
  int exitCode();

  Table table();

  Map<String, Object> data();

  default String verdict() {
    return switch (exitCode()) {
      case 0 -> "clean";
      case VOID -> "VOID: something was lost or doubled";
      default -> "NOT CLEAN";
    };
  }
}
