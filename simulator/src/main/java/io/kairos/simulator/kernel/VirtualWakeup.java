package io.kairos.simulator.kernel;

import io.kairos.engine.loop.Wakeup;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A place to wait on the virtual clock. */
public final class VirtualWakeup implements Wakeup {
  private final Kernel kernel;
  private boolean signalled;
  private @Nullable Fiber waiting;

  public VirtualWakeup(Kernel kernel) {
    this.kernel = kernel;
  }

  @Override
  public void signal() {
    signalled = true;
    Fiber fiber = waiting;
    if (fiber != null) {
      waiting = null;
      kernel.wake(fiber);
    }
  }

  @Override
  public void await(Duration atMost) {
    if (signalled) {
      kernel.sleep(0);
    } else {
      waiting = kernel.running();
      try {
        kernel.sleep(atMost.toNanos());
      } finally {
        waiting = null;
      }
    }
    signalled = false;
  }
}
