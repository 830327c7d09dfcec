package io.kairos.server.observe;

import io.kairos.edge.ProcessView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The health of a node or replica for its edge: starting, running, stopping or broken, and rounds
 * that hang. Written by the threads that start, stop and break it, read by any.
 */
public abstract class ProcessSigns implements ProcessView {
  private final String self;
  private final String broken;
  private final RoundWatch rounds;
  private volatile String phase;
  private volatile @Nullable String dead;

  /**
   * Starts in the phase of starting.
   *
   * @param self subject of the sentences, such as {@code the node}
   * @param broken pattern of the sentence about a process that is broken, with a place for the
   *     reason
   */
  protected ProcessSigns(String self, String broken, RoundWatch rounds) {
    this.self = self;
    this.broken = broken;
    this.rounds = rounds;
    this.phase = self + " is starting";
  }

  /** Records that the process has started. */
  public void runs() {
    phase = "";
  }

  public void stops() {
    phase = self + " is stopping";
  }

  /** Records that the process is broken. Allocates nothing, because memory may be exhausted. */
  public void dies(String why) {
    dead = why;
  }

  @Override
  public List<String> ailments() {
    List<String> ailments = new ArrayList<>();
    String died = dead;
    if (died != null) {
      ailments.add(broken.formatted(died));
    }
    ailments.addAll(rounds.ailments());
    return ailments;
  }

  @Override
  public List<String> obstacles() {
    List<String> obstacles = new ArrayList<>(ailments());
    if (!phase.isEmpty()) {
      obstacles.add(phase);
    }
    return obstacles;
  }
}
