package io.kairos.cli;

import com.google.protobuf.Message;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.kairos.api.v1.AuditServiceGrpc;
import io.kairos.api.v1.BatchServiceGrpc;
import io.kairos.api.v1.ClusterServiceGrpc;
import io.kairos.api.v1.CronServiceGrpc;
import io.kairos.api.v1.HandlerServiceGrpc;
import io.kairos.api.v1.LimitServiceGrpc;
import io.kairos.api.v1.PollServiceGrpc;
import io.kairos.api.v1.PoolServiceGrpc;
import io.kairos.api.v1.RouteServiceGrpc;
import io.kairos.api.v1.ScheduleServiceGrpc;
import io.kairos.api.v1.TaskServiceGrpc;
import io.kairos.cli.terminal.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine;

/** A node that answers what the test told it, in order, and the command line that asks it. */
final class ScriptedNode implements AutoCloseable {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private final Queue<Object> script = new ConcurrentLinkedQueue<>();
  private final Queue<Message> requests = new ConcurrentLinkedQueue<>();
  private final Queue<String> tokens = new ConcurrentLinkedQueue<>();
  private final Server server;

  ScriptedNode() {
    try {
      server =
          NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
              .addService(service(TaskServiceGrpc.getServiceDescriptor()))
              .addService(service(BatchServiceGrpc.getServiceDescriptor()))
              .addService(service(HandlerServiceGrpc.getServiceDescriptor()))
              .addService(service(LimitServiceGrpc.getServiceDescriptor()))
              .addService(service(ScheduleServiceGrpc.getServiceDescriptor()))
              .addService(service(PollServiceGrpc.getServiceDescriptor()))
              .addService(service(PoolServiceGrpc.getServiceDescriptor()))
              .addService(service(AuditServiceGrpc.getServiceDescriptor()))
              .addService(service(ClusterServiceGrpc.getServiceDescriptor()))
              .addService(service(RouteServiceGrpc.getServiceDescriptor()))
              .addService(service(CronServiceGrpc.getServiceDescriptor()))
              .intercept(new TokenReader())
              .build()
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ServerServiceDefinition service(ServiceDescriptor descriptor) {
    ServerServiceDefinition.Builder service = ServerServiceDefinition.builder(descriptor);
    descriptor.getMethods().forEach(method -> service.addMethod(scripted(method)));
    return service.build();
  }

  private <Q, A> ServerMethodDefinition<Q, A> scripted(MethodDescriptor<Q, A> method) {
    return ServerMethodDefinition.create(method, ServerCalls.asyncUnaryCall(this::play));
  }

  @SuppressWarnings("unchecked") // the test knows what it scripts
  private <Q, A> void play(Q request, StreamObserver<A> caller) {
    requests.add((Message) request);
    Object next = script.remove();
    if (next instanceof Throwable failure) {
      caller.onError(failure);
    } else {
      caller.onNext((A) next);
      caller.onCompleted();
    }
  }

  private final class TokenReader implements ServerInterceptor {
    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
      String token = headers.get(AUTHORIZATION);
      tokens.add(token == null ? "" : token);
      return next.startCall(call, headers);
    }
  }

  void answers(Message... answers) {
    script.addAll(List.of(answers));
  }

  void refuses(Status status) {
    refuses(status.asRuntimeException());
  }

  /** With its details. */
  void refuses(StatusRuntimeException refusal) {
    script.add(refusal);
  }

  /** What was asked and what was not answered. */
  void forget() {
    script.clear();
    requests.clear();
  }

  /** The next that came. */
  <M extends Message> M request(Class<M> type) {
    return type.cast(requests.remove());
  }

  boolean wasNotAsked() {
    return requests.isEmpty();
  }

  List<String> tokens() {
    return List.copyOf(tokens);
  }

  String address() {
    return "127.0.0.1:" + server.getPort();
  }

  /** What a command answered, without the last line's end. */
  record Said(int code, String out, String err) {}

  /** Nothing is set, and the contexts of the person who runs the test are not found. */
  static final Map<String, String> NOTHING_SET = Map.of("XDG_CONFIG_HOME", "/nowhere");

  /** Runs {@code kairos} with the words of a line for this node, without a terminal. */
  Said kairos(String line) {
    return kairos(line, ScriptedTerminal.none());
  }

  Said kairos(String line, Terminal terminal) {
    List<String> words = words(line);
    words.add(1, "--address=" + address());
    return run(NOTHING_SET, terminal, words);
  }

  /** Returns the words of a line; single quotes keep blanks together. */
  static List<String> words(String line) {
    return Pattern.compile("(?:[^ ']|'[^']*')+")
        .matcher(line)
        .results()
        .map(word -> word.group().replace("'", ""))
        .collect(Collectors.toList());
  }

  static Said run(Map<String, String> environment, Terminal terminal, List<String> typed) {
    String[] words = typed.toArray(String[]::new);
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine commands = CliMain.commandLine(environment, terminal, words);
    commands.setOut(new PrintWriter(out, true));
    commands.setErr(new PrintWriter(err, true));
    int code = commands.execute(words);
    return new Said(code, out.toString().strip(), err.toString().strip());
  }

  @Override
  public void close() {
    server.shutdownNow();
  }
}
