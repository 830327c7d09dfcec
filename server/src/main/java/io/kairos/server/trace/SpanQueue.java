package io.kairos.server.trace;

import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/**
 * Sends spans in batches, on a thread of the SDK, and tells how many get lost: those that end while
 * as many wait as may, those that the exporter could not send, and those that are left at the end
 * or come later. Counts the spans itself, because the SDK drops them in silence. Thread-safe;
 * blocks at its end only.
 */
final class SpanQueue implements SpanProcessor {
  private static final Duration EVERY = Duration.ofSeconds(1);
  private static final int ENDED = -1;

  private final int most;
  private final IntConsumer lost;
  private final AtomicInteger waiting = new AtomicInteger();

  /** Spans that wait or are being sent; {@link #ENDED} when those that were left are lost. */
  private final AtomicInteger unsent = new AtomicInteger();

  private final SpanProcessor batches;

  /**
   * Nothing waits yet.
   *
   * @param most spans that may wait
   * @param lost takes numbers of lost spans, on any thread
   */
  SpanQueue(SpanExporter exporter, Duration answerWithin, int most, IntConsumer lost) {
    this.most = most;
    this.lost = lost;
    this.batches =
        BatchSpanProcessor.builder(new CountingExporter(exporter))
            .setMaxQueueSize(most)
            .setMaxExportBatchSize(Math.min(most, 512))
            .setScheduleDelay(EVERY)
            .setExporterTimeout(answerWithin)
            .build();
  }

  @Override
  public void onStart(Context parent, ReadWriteSpan span) {}

  @Override
  public boolean isStartRequired() {
    return false;
  }

  @Override
  public void onEnd(ReadableSpan span) {
    if (!span.getSpanContext().isSampled()) {
      return;
    }
    if (waiting.incrementAndGet() > most) {
      waiting.decrementAndGet();
      lost.accept(1);
    } else if (hasEnded(1)) {
      lost.accept(1);
    } else {
      batches.onEnd(span);
    }
  }

  /** Changes the number of unsent spans, unless all of them are lost already. */
  private boolean hasEnded(int more) {
    return unsent.getAndUpdate(before -> before == ENDED ? ENDED : before + more) == ENDED;
  }

  /** Sends what waits, for some time at most. What is left then is lost, and what comes later. */
  void end(Duration within) {
    var _ = batches.shutdown().join(within.toMillis(), TimeUnit.MILLISECONDS);
    int left = unsent.getAndSet(ENDED);
    if (left > 0) {
      lost.accept(left);
    }
  }

  @Override
  public boolean isEndRequired() {
    return true;
  }

  @Override
  public CompletableResultCode forceFlush() {
    return batches.forceFlush();
  }

  @Override
  public CompletableResultCode shutdown() {
    return batches.shutdown();
  }

  private final class CountingExporter implements SpanExporter {
    private final SpanExporter exporter;

    private CountingExporter(SpanExporter exporter) {
      this.exporter = exporter;
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
      int count = spans.size(); // the collection is used again
      waiting.addAndGet(-count);
      CompletableResultCode sent;
      try {
        sent = exporter.export(spans);
      } catch (RuntimeException | Error e) {
        settle(count, false);
        throw e;
      }
      return sent.whenComplete(() -> settle(count, sent.isSuccess()));
    }

    private void settle(int count, boolean isSent) {
      if (!hasEnded(-count) && !isSent) {
        lost.accept(count);
      }
    }

    @Override
    public CompletableResultCode flush() {
      return exporter.flush();
    }

    @Override
    public CompletableResultCode shutdown() {
      return exporter.shutdown();
    }
  }
}
