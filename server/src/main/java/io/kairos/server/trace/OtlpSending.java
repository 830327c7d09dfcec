package io.kairos.server.trace;

import io.kairos.server.config.TracingConfig;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.net.URI;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * Sends spans to a receiver of OTLP over HTTP, in batches on a thread of its own. Spans wait in a
 * bounded queue; when that is full, as while the receiver is away, new spans are dropped.
 */
final class OtlpSending {
  private static final String PATH = "/v1/traces";
  private static final int MOST_WAITING = 8_192;
  private static final Duration EVERY = Duration.ofSeconds(1);
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);
  private static final Duration LAST_SENT_WITHIN = Duration.ofSeconds(2);

  private final SdkTracerProvider provider;
  private final ExportLog log = ExportLog.install();

  private OtlpSending(SdkTracerProvider provider) {
    this.provider = provider;
  }

  static NodeSpans open(TracingConfig config, URI endpoint, String version, UUID instance) {
    SdkTracerProvider provider =
        SdkTracerProvider.builder()
            .setResource(resource(version, instance))
            .setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(config.sampleRatio())))
            .addSpanProcessor(
                BatchSpanProcessor.builder(exporter(config, endpoint))
                    .setMaxQueueSize(MOST_WAITING)
                    .setScheduleDelay(EVERY)
                    .setExporterTimeout(ANSWER_WITHIN)
                    .build())
            .build();
    SpanWriter writer = new SpanWriter(provider.get("io.kairos.server"));
    return new NodeSpans(
        new OtlpTaskSpans(writer),
        new OtlpRunSpans(writer),
        new OtlpPushSpans(writer),
        new OtlpMessageSpans(writer),
        new OtlpSending(provider)::end);
  }

  private static Resource resource(String version, UUID instance) {
    return Resource.getDefault()
        .merge(
            Resource.create(
                Attributes.of(
                    AttributeKey.stringKey("service.name"),
                    "kairos",
                    AttributeKey.stringKey("service.version"),
                    version,
                    AttributeKey.stringKey("service.instance.id"),
                    instance.toString())));
  }

  private static OtlpHttpSpanExporter exporter(TracingConfig config, URI endpoint) {
    String base = endpoint.toString();
    String url =
        base.endsWith(PATH)
            ? base
            : (base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + PATH;
    OtlpHttpSpanExporterBuilder exporter =
        OtlpHttpSpanExporter.builder().setEndpoint(url).setTimeout(ANSWER_WITHIN);
    for (String header : config.headers()) {
      int value = header.indexOf('=') + 1;
      exporter.addHeader(header.substring(0, value - 1), header.substring(value));
    }
    return exporter.build();
  }

  /** Sends what waits, for a while. */
  private void end() {
    provider.shutdown().join(LAST_SENT_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
    log.close();
  }
}
