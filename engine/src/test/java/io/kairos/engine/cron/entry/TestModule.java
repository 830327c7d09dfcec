package io.kairos.engine.cron.entry;

import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.pool.PushRequest;
import io.kairos.engine.cron.module.CronModule;
import io.kairos.engine.cron.module.ModuleEffects;
import io.kairos.engine.cron.module.ModuleState;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Counts its runs in page 0 and notes the last one in page 1. Its argument says what else it does;
 * so does a request, whose reply is the count.
 */
record TestModule(String name) implements CronModule {
  static final TestModule COUNT = new TestModule("count");

  static EntryWork.Run run(String argument) {
    return new EntryWork.Run(COUNT.name, argument.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void run(Fire fire, ModuleState state, ModuleEffects effects) {
    String argument = new String(fire.argument(), StandardCharsets.UTF_8);
    fire.argument()[0] = '?';
    add(state);
    String at = fire.at() instanceof AgreedTime.At time ? " at " + time.epochMillis() : "";
    state.write(1, (fire.tick().sequence() + at).getBytes(StandardCharsets.UTF_8));
    switch (argument) {
      case "count" -> {}
      case "throw" -> throw new IllegalArgumentException("on purpose");
      case "task" -> effects.enqueueTask("mail", fire.argument(), "key");
      case "message" ->
          effects.postMessage("news", new byte[0], fire.argument(), Duration.ofMinutes(2));
      case "push to pool" ->
          effects.pushToPool("billing", PushRequest.post(fire.argument()), "key");
      case "push" -> effects.push("https://example.org/a?b=c", "text/plain", fire.argument());
      case "task and throw" -> {
        effects.enqueueTask("mail", new byte[0], "");
        throw new IllegalArgumentException("on purpose");
      }
      case "two tasks" -> {
        effects.enqueueTask("mail", new byte[0], "");
        effects.enqueueTask("mail", new byte[0], "");
      }
      default -> throw new IllegalArgumentException(argument);
    }
  }

  @Override
  public byte[] execute(Request request, ModuleState state) {
    long count = add(state);
    if (request.body().length > 0 && request.body()[0] == '!') {
      throw new IllegalArgumentException("on purpose");
    }
    return ByteBuffer.allocate(Long.BYTES).putLong(count).array();
  }

  private static long add(ModuleState state) {
    long count = count(state) + 1;
    state.write(0, ByteBuffer.allocate(Long.BYTES).putLong(count).array());
    return count;
  }

  private static long count(ModuleState state) {
    return state.read(0).map(bytes -> ByteBuffer.wrap(bytes).getLong()).orElse(0L);
  }

  /** How many runs and requests have not thrown. */
  long count(BookRun run) {
    return count(new ModuleState(name, run.machine.pages()));
  }

  String lastRun(BookRun run) {
    return new String(
        new ModuleState(name, run.machine.pages()).read(1).orElse(new byte[0]),
        StandardCharsets.UTF_8);
  }
}
