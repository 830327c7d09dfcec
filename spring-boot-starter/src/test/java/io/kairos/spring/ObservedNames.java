package io.kairos.spring;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.SenderContext;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Notes the names of observations that begin, and gives what is sent a trace. */
final class ObservedNames implements ObservationHandler<Observation.Context> {
  private final @Nullable String trace;
  private final List<String> names = new CopyOnWriteArrayList<>();
  private final ObservationRegistry registry = ObservationRegistry.create();

  ObservedNames() {
    this(null);
  }

  /**
   * @param trace null for none
   */
  ObservedNames(@Nullable String trace) {
    this.trace = trace;
    registry.observationConfig().observationHandler(this);
  }

  ObservationRegistry registry() {
    return registry;
  }

  List<String> names() {
    return List.copyOf(names);
  }

  @Override
  public void onStart(Observation.Context context) {
    if (trace != null && context instanceof SenderContext<?> sender) {
      inject(sender, trace);
    }
    names.add(context.getName() + " " + context.getContextualName());
  }

  private static <C> void inject(SenderContext<C> sender, String trace) {
    sender.getSetter().set(sender.getCarrier(), "traceparent", trace);
  }

  @Override
  public boolean supportsContext(Observation.Context context) {
    return true;
  }
}
