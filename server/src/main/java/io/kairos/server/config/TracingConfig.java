package io.kairos.server.config;

import io.kairos.engine.setting.Setting;
import io.kairos.engine.setting.ValueFormat;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Settings of traces. */
public record TracingConfig(
    @Setting(
            key = "tracing.otlp.endpoint",
            format = EndpointFormat.class,
            description =
                "URL of a receiver of OTLP over HTTP, such as http://collector:4318; /v1/traces is appended. Without it the node makes no spans; see docs/operations.md.")
        Optional<URI> endpoint,
    @Setting(
            key = "tracing.otlp.headers",
            format = HeaderFormat.class,
            description =
                "Headers of each request to the receiver, such as authorization=Bearer …, with commas between several; never shown. KAIROS_TRACING_OTLP_HEADERS_FILE names a file that holds them.")
        List<String> headers,
    @Setting(
            key = TracingConfig.CA,
            description =
                "PEM file of the CAs that are trusted for an https receiver, instead of those of the system. Read at the start.")
        Optional<Path> ca,
    @Setting(
            key = "tracing.sample-ratio",
            defaultValue = "1",
            format = RatioFormat.class,
            description =
                "Share of the traces that the node begins itself, those of schedules' runs, that is recorded. Whoever schedules a task decides for its trace.")
        double sampleRatio) {
  /** Key of the setting that names the CAs of the receiver. */
  public static final String CA = "tracing.otlp.ca";

  /** Throws {@link IllegalArgumentException} that names the settings. */
  public TracingConfig {
    headers = List.copyOf(headers);
    if (ca.isPresent() && endpoint.filter(url -> "https".equals(url.getScheme())).isEmpty()) {
      throw new IllegalArgumentException(
          "tracing.otlp.ca is for a receiver by https: name one in tracing.otlp.endpoint, or remove tracing.otlp.ca");
    }
  }

  /** Never shows headers, which may be secret. */
  @Override
  public String toString() {
    return "TracingConfig[endpoint="
        + endpoint
        + ", ca="
        + ca
        + ", sampleRatio="
        + sampleRatio
        + "]";
  }

  /** The URL of a receiver. */
  static final class EndpointFormat extends ValueFormat<URI> {
    EndpointFormat() {
      super("URL", "a URL such as http://collector:4318", "https?://[^/?#]+[^?#]*", URI::create);
    }
  }

  /** The name and the value of a header. */
  static final class HeaderFormat extends ValueFormat<String> {
    HeaderFormat() {
      super("name=value", "name=value", "[!#$%&'*+.^_`|~0-9A-Za-z-]+=.*", text -> text);
    }
  }

  /** A share of a whole. */
  static final class RatioFormat extends ValueFormat<Double> {
    RatioFormat() {
      super("ratio", "a number from 0 to 1", "0(\\.[0-9]{1,9})?|1(\\.0{1,9})?", Double::valueOf);
    }
  }
}
