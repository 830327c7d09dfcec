package io.kairos.edge.cron;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.engine.cron.module.CronModule;
import io.kairos.engine.cron.module.ModuleEffects;
import io.kairos.engine.cron.module.ModuleState;

/**
 * Keeps the last words that it was given and replies with those before; throws at {@link #TROUBLE}.
 */
final class Notebook implements CronModule {
  static final String TROUBLE = "trouble";

  @Override
  public String name() {
    return "notebook";
  }

  @Override
  public void run(Fire fire, ModuleState state, ModuleEffects effects) {
    note(fire.argument(), state);
  }

  @Override
  public byte[] execute(Request request, ModuleState state) {
    byte[] before = state.read(0).orElse(new byte[0]);
    note(request.body(), state);
    return before;
  }

  private static void note(byte[] words, ModuleState state) {
    state.write(0, words);
    if (new String(words, UTF_8).equals(TROUBLE)) {
      throw new IllegalStateException("injected");
    }
  }
}
