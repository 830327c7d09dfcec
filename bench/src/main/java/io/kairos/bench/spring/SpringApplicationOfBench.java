package io.kairos.bench.spring;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.kairos.bench.rig.BenchRig;
import io.kairos.spring.KairosAutoConfiguration;
import io.kairos.spring.KairosHandler;
import io.kairos.spring.KairosTemplate;
import java.util.List;
import java.util.Map;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;

/** An application with the starter and one handler. */
final class SpringApplicationOfBench implements AutoCloseable {
  static final String HANDLER = "bench-spring";

  private final AnnotationConfigApplicationContext context =
      new AnnotationConfigApplicationContext();
  private volatile PerformedSet performed = new PerformedSet(0);

  /** The payload: that of an ordinary task. */
  record Resize(int sequence, String picture, int width, int height, List<String> tags) {
    static Resize of(int sequence) {
      return new Resize(
          sequence, "albums/2031/" + sequence + ".png", 1280, 720, List.of("web", "thumbnail"));
    }
  }

  /** The bean whose method performs the tasks. */
  static final class Handlers {
    private final SpringApplicationOfBench application;

    Handlers(SpringApplicationOfBench application) {
      this.application = application;
    }

    @KairosHandler(HANDLER)
    void resize(Resize resize) {
      application.performed.performed(resize.sequence());
    }
  }

  SpringApplicationOfBench(BenchRig rig, int executors) {
    context
        .getEnvironment()
        .getPropertySources()
        .addFirst(
            new MapPropertySource(
                "bench",
                Map.of(
                    "kairos.address",
                    String.join(",", rig.addresses()),
                    "kairos.worker.concurrency",
                    executors)));
    context.getBeanFactory().registerSingleton("objectMapper", new ObjectMapper());
    context.registerBean(Handlers.class, () -> new Handlers(this));
    context.register(KairosAutoConfiguration.class);
    context.refresh();
  }

  /** Sets where the tasks of the next round are noted. */
  void noteIn(PerformedSet next) {
    performed = next;
  }

  KairosTemplate template() {
    return context.getBean(KairosTemplate.class);
  }

  @Override
  public void close() {
    context.close();
  }
}
