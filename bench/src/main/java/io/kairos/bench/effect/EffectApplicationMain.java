package io.kairos.bench.effect;

import io.kairos.bench.observe.JsonLines;
import io.kairos.bench.rig.BenchProcess;
import io.kairos.client.TaskType;
import io.kairos.client.task.PayloadCodec;
import io.kairos.inprocess.Kairos;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The main class of an application with Kairos inside, whose tasks have effects. Works until
 * SIGTERM.
 */
public final class EffectApplicationMain {
  private EffectApplicationMain() {}

  /**
   * Settings of an application.
   *
   * @param effects the log of effects
   */
  public record Settings(Path effects, int executors, String url, String user, String password) {
    /** The database, for a client of the same schema as well. */
    public PGSimpleDataSource source() {
      PGSimpleDataSource source = new PGSimpleDataSource();
      source.setUrl(url);
      source.setUser(user);
      source.setPassword(password);
      return source;
    }
  }

  public static BenchProcess start(Settings settings, Path log) {
    return BenchProcess.worker(EffectApplicationMain.class, settings, log);
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    Settings settings = BenchProcess.settings(arguments, Settings.class);
    EffectHandler handler = new EffectHandler(JsonLines.append(settings.effects), false, null);
    Kairos kairos =
        Kairos.inProcess(settings.source())
            .concurrency(settings.executors)
            .handle(TaskType.of(EffectWorkerMain.HANDLER, PayloadCodec.bytes()), handler)
            .start();
    Runtime.getRuntime()
        .addShutdownHook(Thread.ofPlatform().name("bench-stop").unstarted(kairos::close));
    new CountDownLatch(1).await();
  }
}
