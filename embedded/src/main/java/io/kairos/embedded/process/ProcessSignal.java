package io.kairos.embedded.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Signals that the engines need and Java cannot send (it has only TERM and KILL). Sent by the
 * shell's built-in {@code kill}, because a slim container may lack that program.
 */
public enum ProcessSignal {
  INT,
  TERM,
  QUIT,
  KILL,
  STOP,
  CONT;

  /** Sends this signal; processes that are gone by now are not an error. */
  void send(Collection<Long> pids) {
    if (pids.isEmpty()) {
      return;
    }
    List<String> command =
        new ArrayList<>(List.of("sh", "-c", "for p; do kill -" + name() + " \"$p\"; done", "sh"));
    pids.forEach(pid -> command.add(Long.toString(pid)));
    try {
      var _ = ProcessSpawner.exitValueOf(command);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot send signal " + name() + " to " + pids, e);
    }
  }

  public void send(long pid) {
    send(List.of(pid));
  }
}
