package io.kairos.inprocess;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.client.ResultTaskType;
import io.kairos.client.TaskType;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.task.TaskId;
import java.io.File;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.postgresql.Driver;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A container that stops an application and starts it anew must get its classes' memory back. The
 * JVM of this module's tests clears soft references at once, of which the JDK has some.
 */
final class RedeployTest {
  /** The driver has a thread that ends when it was idle for so long. */
  private static final Duration COLLECTED_WITHIN = Duration.ofSeconds(90);

  @Test
  @SuppressWarnings("ThreadPriorityCheck") // nothing is decided by it
  void nothing_holds_the_classes_of_an_application_that_has_stopped() throws Exception {
    TestSource source = TestSource.create();

    WeakReference<ClassLoader> application = deployed(source);

    long untilNanos = System.nanoTime() + COLLECTED_WITHIN.toNanos();
    while (application.get() != null && System.nanoTime() - untilNanos < 0) {
      System.gc();
      Thread.yield();
    }
    assertThat(application.get() == null).as("the class loader is collected").isTrue();
  }

  private static WeakReference<ClassLoader> deployed(TestSource source) throws Exception {
    try (URLClassLoader loader =
        new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
      FutureTask<@Nullable Object> life =
          new FutureTask<>(() ->
              loader
                  .loadClass(Application.class.getName())
                  .getMethod("live", String.class, String.class, String.class)
                  .invoke(null, source.getUrl(), source.getUser(), source.getPassword()));
      Thread thread = new Thread(life, "application");
      thread.setContextClassLoader(loader);
      thread.start();
      assertThat(life.get()).isEqualTo("HELLO");
      thread.join();
      return new WeakReference<>(loader);
    }
  }

  private static URL[] classPath() throws Exception {
    String path =
        requireNonNull(
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    List<URL> urls = new ArrayList<>();
    for (String entry : path.split(File.pathSeparator, -1)) {
      urls.add(Path.of(entry).toUri().toURL());
    }
    return urls.toArray(URL[]::new);
  }

  /** Loaded once more by a loader of its own. */
  public static final class Application {
    private static final ResultTaskType<String, String> SHOUT =
        TaskType.of("shout", PayloadCodec.utf8()).returning(PayloadCodec.utf8());

    private Application() {}

    public static String live(String url, String user, String password) throws Exception {
      PGSimpleDataSource source = new PGSimpleDataSource();
      source.setUrl(url);
      source.setUser(user);
      source.setPassword(password);
      try (Kairos kairos =
          Kairos.inProcess(source)
              .handle(SHOUT, (text, context) -> text.toUpperCase(Locale.ROOT))
              .start()) {
        TaskId id = kairos.client().schedule(SHOUT.task("hello").build());
        return kairos.client().await(SHOUT, id, Duration.ofSeconds(30)).orElseThrow();
      } finally {
        Driver.deregister();
      }
    }
  }
}
