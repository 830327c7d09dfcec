package io.kairos.server.wiring.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.edge.access.HttpConfig;
import io.kairos.server.config.SettingSources;
import io.kairos.server.config.SettingsReader;
import io.kairos.server.wiring.ExitCode;
import io.kairos.server.wiring.ReplicaConfig;
import io.kairos.server.wiring.ServerConfig;
import io.kairos.server.wiring.StartException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.Proxy;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.concurrent.Callable;
import javax.net.ssl.HttpsURLConnection;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code kairos health}: asks the node or replica of this machine how it is. For containers whose
 * health is asked by a command, and which have no other program.
 */
@Command(
    name = "health",
    mixinStandardHelpOptions = true,
    description = {
      "Asks the node or replica on this machine, which has the same settings, whether it lives, or with --ready whether it takes work.",
      "Settings below replica. say that it is a replica.",
      "Exits with 0 if so and with 1 if not. For health checks of containers without another program."
    })
final class HealthCommand implements Callable<Integer> {
  /** Shorter than what a supervisor waits for the command, so that the reason is printed. */
  private static final int TIMEOUT_MILLIS = 3_000;

  /** Defaults depend on the heap, and this process has less than a node. */
  private static final long NODES_HEAP = 1L << 30;

  @Mixin private ConfigOptions options = new ConfigOptions();
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--ready", description = "Asks /readyz instead of /healthz.")
  private boolean ready;

  @Override
  public Integer call() {
    SettingSources sources = options.sources(System.getenv());
    // Nodes refuse such settings.
    boolean isReplica = sources.gives("replica");
    SettingsReader settings = new SettingsReader(sources, NODES_HEAP);
    if (isReplica) {
      settings.withDefault(HttpConfig.PORT, ReplicaConfig.HTTP_PORT);
    }
    Optional<HttpConfig> http = settings.bind(HttpConfig.class);
    // The whole configuration throws what is wrong with it.
    HttpConfig config = http.isPresent() ? http.get() : whole(sources, isReplica);
    URI uri = uri(config);
    try {
      HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection(Proxy.NO_PROXY);
      if (connection instanceof HttpsURLConnection secured) {
        secured.setSSLSocketFactory(LocalTls.of(config.tls().orElseThrow()));
        secured.setHostnameVerifier((_, _) -> true);
      }
      connection.setConnectTimeout(TIMEOUT_MILLIS);
      connection.setReadTimeout(TIMEOUT_MILLIS);
      int status = connection.getResponseCode();
      if (status != HttpURLConnection.HTTP_OK) {
        throw new StartException(uri + " answers " + status + ": " + body(connection));
      }
    } catch (IOException e) {
      throw new StartException(uri + " does not answer: " + e.getMessage());
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println(uri + " answers 200");
    out.flush();
    return ExitCode.OK;
  }

  private static HttpConfig whole(SettingSources sources, boolean isReplica) {
    SettingsReader settings = new SettingsReader(sources, NODES_HEAP);
    return isReplica ? ReplicaConfig.read(settings).http() : ServerConfig.read(settings).http();
  }

  private URI uri(HttpConfig http) {
    InetAddress host =
        http.address().isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : http.address();
    try {
      return new URI(
          http.scheme(),
          null,
          host.getHostAddress(),
          http.port(),
          ready ? "/readyz" : "/healthz",
          null,
          null);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String body(HttpURLConnection connection) throws IOException {
    try (@Nullable InputStream body = connection.getErrorStream()) {
      return body == null ? "" : new String(body.readAllBytes(), UTF_8).strip();
    }
  }
}
