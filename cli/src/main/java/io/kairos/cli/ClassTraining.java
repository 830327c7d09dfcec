package io.kairos.cli;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.grpc.InsecureServerCredentials;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.PrototypeMarshaller;
import io.grpc.Server;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.okhttp.OkHttpServerBuilder;
import io.grpc.stub.ServerCalls;
import io.kairos.api.v1.CronServiceGrpc;
import io.kairos.api.v1.HandlerServiceGrpc;
import io.kairos.api.v1.PoolServiceGrpc;
import io.kairos.api.v1.ScheduleServiceGrpc;
import io.kairos.api.v1.TaskServiceGrpc;
import io.kairos.cli.terminal.SystemTerminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine;

/**
 * A run that loads the classes of common commands, for the archive from which later starts take
 * them. The commands call a node of this process, which makes answers up. Started by the launcher
 * after a build, and by a package when it is installed. Ends with 0, or with 1 when a command
 * failed; standard error names it.
 */
final class ClassTraining {
  private static final String ID = new UUID(0, 1).toString();

  private static final int DEPTH = 3;

  /** A task that the node makes up had ended before; a group without a command shows its usage. */
  private static final Map<String, Integer> CODES = Map.of("task cancel " + ID, 1, "task", 2);

  /** Twenty times as long as it takes. */
  private static final long LIMIT_SECONDS = 60;

  private static final int FAILED = 1;

  private static final List<String> COMMANDS =
      List.of(
          "task list",
          "task list -o json",
          "task list -o yaml",
          "task get " + ID,
          "task add train --payload hello --delay 1m",
          "task cancel " + ID,
          "dlq list",
          "handler list",
          "handler pause train --for 1m",
          "handler resume train",
          "pool list",
          "schedule list",
          "schedule describe train",
          "calendar list",
          "cron entries",
          "task",
          "task list --help",
          "completion bash");

  private ClassTraining() {}

  public static void main(String[] arguments) throws IOException {
    TrainingLimit.haltAfter(
        Duration.ofSeconds(Long.getLong("kairos.training.seconds", LIMIT_SECONDS)));
    List<String> failures = failures(arguments.length == 0 ? COMMANDS : List.of(arguments));
    failures.forEach(System.err::println);
    System.exit(failures.isEmpty() ? 0 : FAILED); // does not wait for the threads of the node
  }

  /** Runs the commands and returns a text for each that failed: the command and what it said. */
  static List<String> failures(List<String> commands) throws IOException {
    Server node =
        OkHttpServerBuilder.forPort(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                InsecureServerCredentials.create())
            .addService(scripted(TaskServiceGrpc.getServiceDescriptor()))
            .addService(scripted(HandlerServiceGrpc.getServiceDescriptor()))
            .addService(scripted(ScheduleServiceGrpc.getServiceDescriptor()))
            .addService(scripted(PoolServiceGrpc.getServiceDescriptor()))
            .addService(scripted(CronServiceGrpc.getServiceDescriptor()))
            .build()
            .start();
    try {
      String address = "--address=127.0.0.1:" + node.getPort();
      return commands.stream().flatMap(command -> failure(address, command).stream()).toList();
    } finally {
      node.shutdownNow();
    }
  }

  private static Optional<String> failure(String address, String command) {
    CommandLine line = CliMain.commandLine(Map.of(), new SystemTerminal(), command.split(" "));
    StringWriter said = new StringWriter();
    int code =
        line.setOut(new PrintWriter(Writer.nullWriter()))
            .setErr(new PrintWriter(said, true))
            .execute((address + " " + command).split(" "));
    return code == CODES.getOrDefault(command, 0)
        ? Optional.empty()
        : Optional.of("kairos " + command + ": exit code " + code + "\n" + said);
  }

  private static ServerServiceDefinition scripted(ServiceDescriptor descriptor) {
    ServerServiceDefinition.Builder service = ServerServiceDefinition.builder(descriptor);
    descriptor.getMethods().forEach(method -> service.addMethod(scripted(method)));
    return service.build();
  }

  @SuppressWarnings("unchecked") // a builder builds messages of the class of its prototype
  private static <Q, A> ServerMethodDefinition<Q, A> scripted(MethodDescriptor<Q, A> method) {
    return ServerMethodDefinition.create(
        method,
        ServerCalls.asyncUnaryCall((request, caller) -> {
          if (method.getResponseMarshaller() instanceof PrototypeMarshaller<A> answers
              && answers.getMessagePrototype() instanceof Message prototype) {
            caller.onNext((A) example(prototype.newBuilderForType(), DEPTH));
          }
          caller.onCompleted();
        }));
  }

  /** Fills every field that a printed answer may show. */
  private static Message example(Message.Builder message, int depth) {
    for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
      Object value =
          switch (field.getJavaType()) {
            case STRING -> text(field.getName());
            case ENUM -> field.getEnumType().getValues().getLast();
            case MESSAGE ->
                depth == 0 || field.isMapField()
                    ? null
                    : example(message.newBuilderForField(field), depth - 1);
            default -> null;
          };
      if (value != null && field.isRepeated()) {
        message.addRepeatedField(field, value);
      } else if (value != null) {
        message.setField(field, value);
      }
    }
    return message.build();
  }

  private static String text(String field) {
    if (field.endsWith("token")) {
      return ""; // no further page
    }
    return field.endsWith("id") || field.equals("batch") ? ID : "train";
  }
}
