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
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class SpanQueueTest {
  private static final Duration ANSWER_WITHIN = Duration.ofMinutes(1);

  private final AtomicInteger lost = new AtomicInteger();
  private final AtomicInteger exported = new AtomicInteger();

  /** An exporter that answers each batch in this way. */
  private SpanExporter exporter(CompletableResultCode answer) {
    return exporter(() -> answer);
  }

  private SpanExporter exporter(Supplier<CompletableResultCode> answer) {
    return new SpanExporter() {
      @Override
      public CompletableResultCode export(Collection<SpanData> spans) {
        exported.addAndGet(spans.size());
        return answer.get();
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
  void spans_of_a_batch_that_makes_the_exporter_throw_are_counted() {
    send(
        exporter(() -> {
          throw new IllegalStateException("for the test");
        }),
        100,
        7,
        () -> {});

    assertThat(exported).hasValue(7);
    assertThat(lost).hasValue(7);
  }

  @Test
  void spans_that_are_left_at_the_end_and_later_ones_are_counted_once() {
    CompletableResultCode late = new CompletableResultCode();
    SpanQueue queue = new SpanQueue(exporter(late), ANSWER_WITHIN, 100, lost::addAndGet);
    Tracer tracer = SdkTracerProvider.builder().addSpanProcessor(queue).build().get("test");
    for (int i = 0; i < 7; i++) {
      tracer.spanBuilder("span").startSpan().end();
    }

    queue.end(Duration.ofMillis(1));
    assertThat(lost).hasValue(7);

    tracer.spanBuilder("span").startSpan().end();
    assertThat(lost).hasValue(8);
    late.fail();
    queue.end(Duration.ofMinutes(1));
    assertThat(lost).hasValue(8);
  }

  @Test
  void spans_of_a_batch_that_the_receiver_refuses_are_counted() {
    send(exporter(CompletableResultCode.ofFailure()), 100, 7, () -> {});

    assertThat(exported).hasValue(7);
    assertThat(lost).hasValue(7);
  }
}
