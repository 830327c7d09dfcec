package io.kairos.client.exec;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A process and its descendants. Parents are ended before their children, so that they start no
 * more, and new descendants are searched for again. Descendants are remembered, because those of an
 * ended process can no longer be found. Thread-safe.
 */
public final class ProcessTree {
  private static final int ROUNDS = 3;

  private final Process root;

  @GuardedBy("this")
  private final Set<ProcessHandle> seen = new LinkedHashSet<>();

  public ProcessTree(Process root) {
    this.root = root;
  }

  /** Asks all processes to end ({@code SIGTERM}). */
  public void terminate() {
    end(ProcessHandle::destroy);
  }

  /** Kills all processes, including stopped ones ({@code SIGKILL}). */
  public void kill() {
    end(ProcessHandle::destroyForcibly);
  }

  private synchronized void end(Consumer<ProcessHandle> how) {
    seen.addAll(root.descendants().toList());
    how.accept(root.toHandle());
    for (int round = 0; round < ROUNDS; round++) {
      seen.forEach(how);
      if (!findMore()) {
        return;
      }
    }
  }

  @GuardedBy("this")
  private boolean findMore() {
    List<ProcessHandle> below = seen.stream().flatMap(ProcessHandle::descendants).toList();
    return seen.addAll(below);
  }
}
