package io.kairos.server.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SpanQueueTest {
  private static final Duration ANSWER_WITHIN = Duration.ofMinutes(1);

  private final AtomicInteger lost = new AtomicInteger();
  private final AtomicInteger exported = new AtomicInteger();

  /** An exporter that answers each batch in this way. */
  private SpanExporter exporter(CompletableResultCode answer) {
    return new SpanExporter() {
      @Override
      public CompletableResultCode export(Collection<SpanData> spans) {
        exported.addAndGet(spans.size());
        return answer;
      }

      @Override
      public CompletableResultCode flush() {
        return CompletableResultCode.ofSuccess();
      }

      @Override
      public CompletableResultCode shutdown() {
        return CompletableResultCode.ofSuccess();
      }
    };
  }

  private void send(SpanExporter exporter, int most, int spans, Runnable then) {
    SdkTracerProvider provider =
        SdkTracerProvider.builder()
            .addSpanProcessor(new SpanQueue(exporter, ANSWER_WITHIN, most, lost::addAndGet))
            .build();
    Tracer tracer = provider.get("test");
    for (int i = 0; i < spans; i++) {
      tracer.spanBuilder("span").startSpan().end();
    }
    then.run();
    assertThat(provider.shutdown().join(1, TimeUnit.MINUTES).isSuccess()).isTrue();
  }

  @Test
  void spans_that_are_sent_are_not_lost() {
    send(exporter(CompletableResultCode.ofSuccess()), 100, 50, () -> {});

    assertThat(exported).hasValue(50);
    assertThat(lost).hasValue(0);
  }

  @Test
  void spans_that_end_while_the_receiver_does_not_answer_are_counted_beyond_the_bound() {
    CompletableResultCode late = new CompletableResultCode();

    send(exporter(late), 4, 100, late::succeed);

    assertThat(exported.get() + lost.get()).isEqualTo(100);
    assertThat(lost.get()).as("a batch under way, and four that wait").isBetween(90, 96);
  }

  @Test
  void spans_of_a_batch_that_the_receiver_refuses_are_counted() {
    send(exporter(CompletableResultCode.ofFailure()), 100, 7, () -> {});

    assertThat(exported).hasValue(7);
    assertThat(lost).hasValue(7);
  }
}
