package io.kairos.server.demo;

import com.linecorp.armeria.client.grpc.GrpcClients;
import io.grpc.StatusRuntimeException;
import io.kairos.api.v1.CronServiceGrpc.CronServiceBlockingStub;
import io.kairos.api.v1.GetReplicaRequest;
import io.kairos.api.v1.Replica;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A replica in a child process, which ends with this process. Used by one thread. */
public final class DemoReplica implements AutoCloseable {
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(2);

  private final List<String> command;
  private final Path log;
  private final CronServiceBlockingStub calls;
  private Process process;

  /**
   * Starts the replica.
   *
   * @param command command line that runs it until its input ends
   * @param log file for its output
   * @param port port of its HTTP edge
   */
  public DemoReplica(List<String> command, Path log, int port) throws IOException {
    this.command = List.copyOf(command);
    this.log = log;
    this.calls =
        GrpcClients.builder("gproto+http://127.0.0.1:" + port)
            .responseTimeout(ANSWER_WITHIN)
            .build(CronServiceBlockingStub.class);
    this.process = begin();
  }

  private Process begin() throws IOException {
    File out = log.toFile();
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(out));
    builder.environment().keySet().removeIf(name -> name.startsWith("KAIROS_"));
    return builder.start();
  }

  /** Starts the replica again. */
  public void start() throws IOException {
    process = begin();
  }

  /** Kills the process and waits for its end. */
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  public CronServiceBlockingStub calls() {
    return calls;
  }

  /** The state that the replica reports; empty while it does not answer. */
  public Optional<Replica> look() {
    try {
      return Optional.of(calls.getReplica(GetReplicaRequest.getDefaultInstance()));
    } catch (StatusRuntimeException _) { // the replica is starting or has been killed
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
