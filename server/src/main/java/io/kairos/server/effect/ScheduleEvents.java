package io.kairos.server.effect;

/** Told what became of calls about schedules, on any thread; must not block. */
public interface ScheduleEvents {
  /** What is asked of a node. */
  enum Call {
    LIST,
    DECIDE
  }

  /** The node has answered. */
  void answered(Call call);

  /** It has not, or nothing that could be read; it is asked again. */
  void notAnswered(Call call, String why);
}
