package io.kairos.server.trace;

import io.kairos.api.tls.CertificateFiles;
import io.kairos.server.config.TracingConfig;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;

/**
 * Sends spans to a receiver of OTLP over HTTP, in batches on a thread of its own. Spans wait in a
 * bounded queue; when that is full, as while the receiver is away, new spans are dropped and
 * counted.
 */
final class OtlpSending {
  private static final String PATH = "/v1/traces";
  private static final int MOST_WAITING = 8_192;
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);
  private static final Duration LAST_SENT_WITHIN = Duration.ofSeconds(2);

  private final SpanQueue queue;
  private final ExportLog log = ExportLog.install();

  private OtlpSending(SpanQueue queue) {
    this.queue = queue;
  }

  /**
   * Begins to send.
   *
   * @param lost takes numbers of spans that are not sent, on any thread
   */
  static NodeSpans open(
      TracingConfig config, URI endpoint, NodeSpans.Sender sender, IntConsumer lost) {
    SpanQueue queue =
        new SpanQueue(exporter(config, endpoint, sender.now()), ANSWER_WITHIN, MOST_WAITING, lost);
    SdkTracerProvider provider =
        SdkTracerProvider.builder()
            .setResource(resource(sender))
            .setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(config.sampleRatio())))
            .addSpanProcessor(queue)
            .build();
    SpanWriter writer = new SpanWriter(provider.get("io.kairos.server"));
    return new NodeSpans(
        new OtlpTaskSpans(writer),
        new OtlpRunSpans(writer),
        new OtlpPushSpans(writer),
        new OtlpMessageSpans(writer),
        new OtlpSending(queue)::end);
  }

  private static Resource resource(NodeSpans.Sender sender) {
    return Resource.getDefault()
        .merge(
            Resource.create(
                Attributes.of(
                    AttributeKey.stringKey("service.name"),
                    "kairos",
                    AttributeKey.stringKey("service.version"),
                    sender.version(),
                    AttributeKey.stringKey("service.instance.id"),
                    sender.instance().toString())));
  }

  private static OtlpHttpSpanExporter exporter(TracingConfig config, URI endpoint, Instant now) {
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
    config
        .ca()
        .map(file -> new CertificateFiles.PemFile(TracingConfig.CA, file))
        .map(file -> new CertificateFiles(Optional.empty(), Optional.of(file)).read(now))
        .ifPresent(read -> exporter.setTrustedCertificates(pem(read.trusted())));
    return exporter.build();
  }

  /** The certificates alone, without comments and what has expired. */
  private static byte[] pem(List<X509Certificate> certificates) {
    StringBuilder text = new StringBuilder();
    for (X509Certificate certificate : certificates) {
      try {
        text.append("-----BEGIN CERTIFICATE-----\n")
            .append(Base64.getMimeEncoder().encodeToString(certificate.getEncoded()))
            .append("\n-----END CERTIFICATE-----\n");
      } catch (CertificateEncodingException e) {
        throw new IllegalStateException("what was read cannot be written", e);
      }
    }
    return text.toString().getBytes(StandardCharsets.US_ASCII);
  }

  /** Sends what waits, for a while. Spans that are made later come to the queue and are counted. */
  private void end() {
    queue.end(LAST_SENT_WITHIN);
    log.close();
  }
}
