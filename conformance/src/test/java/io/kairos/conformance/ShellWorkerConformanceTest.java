package io.kairos.conformance;

import io.kairos.cli.CliMain;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/** {@code kairos worker exec}, which performs each task by a shell script. */
@Tag("long") // a JVM for each case
class ShellWorkerConformanceTest extends WorkerConformance {
  @Override
  Subject subject() {
    List<String> command = new ArrayList<>();
    command.add(Path.of("workers/worker.sh").toAbsolutePath().toString());
    command.addAll(JavaWorkerConformanceTest.java(CliMain.class.getName()));
    return new Subject("shell", Subject.Protocol.GRPC, command, Map.of());
  }
}
