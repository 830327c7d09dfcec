package io.kairos.server.effect;

/** Listener for the outcomes of calls about schedules. Called on any thread; must not block. */
public interface ScheduleCallEvents {
  /** The kinds of calls. */
  enum Call {
    LIST,
    DECIDE
  }

  /** The node has answered. */
  void answered(Call call);

  /** The node has not answered, or its answer was unreadable; the call is retried. */
  void notAnswered(Call call, String why);
}
