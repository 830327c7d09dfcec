package io.kairos.server.wiring;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.engine.cron.module.CronModule;
import io.kairos.engine.cron.module.ModuleEffects;
import io.kairos.engine.cron.module.ModuleState;

/** Not deterministic on purpose: on the replica whose number is its argument it writes else. */
public final class PartingModule implements CronModule {
  @Override
  public String name() {
    return "parting";
  }

  @Override
  public void run(Fire fire, ModuleState state, ModuleEffects effects) {
    boolean differs =
        Thread.currentThread().getName().equals("kairos-log-" + new String(fire.argument(), UTF_8));
    state.write(0, new byte[] {(byte) (differs ? 1 : 2)});
  }
}
