package io.kairos.server.wiring;

import io.kairos.domain.cron.ComponentId;
import io.kairos.engine.cron.module.CronModule;
import io.kairos.engine.cron.module.ModuleEffects;
import io.kairos.engine.cron.module.ModuleState;
import java.nio.ByteBuffer;

/**
 * Makes an entry due when the log is as many requests further as the entry's argument has bytes.
 * Keeps the next sequence of an entry until the entry is removed, and replies how many it keeps.
 */
public final class PacedModule implements CronModule {
  @Override
  public String name() {
    return "paced";
  }

  @Override
  public void run(Fire fire, ModuleState state, ModuleEffects effects) {
    throw new UnsupportedOperationException("a rule only");
  }

  @Override
  public boolean isDue(EntryTick at, ModuleState state) {
    return at.tick().sequence()
        >= state.read(at.position()).map(page -> ByteBuffer.wrap(page).getLong()).orElse(0L);
  }

  @Override
  public void scheduleNext(EntryTick at, ModuleState state) {
    long next = at.tick().sequence() + at.argument().length;
    state.write(at.position(), ByteBuffer.allocate(Long.BYTES).putLong(next).array());
  }

  @Override
  public void removed(ComponentId component, int position, ModuleState state) {
    state.delete(position);
  }

  @Override
  public byte[] execute(Request request, ModuleState state) {
    return new byte[] {(byte) state.pages().size()};
  }
}
