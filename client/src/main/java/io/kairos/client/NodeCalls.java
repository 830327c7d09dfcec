package io.kairos.client;

import com.google.protobuf.MessageLite;
import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.kairos.client.error.KairosException;
import io.kairos.client.net.CallRefusal;
import io.kairos.client.net.CallRetries;
import io.kairos.client.net.CallSending;
import io.kairos.client.net.NodeChannels;
import io.kairos.client.net.NodeTurns;
import io.kairos.client.time.ClientTime;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * The calls of a client, each at one node after the other until one answers or the attempts are
 * used up; {@link KairosClient} says which calls are repeated. Blocks the caller's thread.
 * Thread-safe.
 */
final class NodeCalls implements AutoCloseable {
  private final NodeChannels channels;
  private final CallRetries retries;
  private final Duration timeout;
  private final ClientTime time;

  /**
   * @param attempts maximum number of attempts of a call
   * @param timeout of one attempt
   */
  NodeCalls(
      NodeChannels channels,
      int attempts,
      Duration timeout,
      ClientTime time,
      RandomGenerator chance) {
    this.channels = channels;
    this.retries = new CallRetries(attempts, channels.nodes().count(), chance);
    this.timeout = timeout;
    this.time = time;
  }

  /** Returns the longest time that one attempt of a call may take. */
  Duration timeout() {
    return timeout;
  }

  /** Returns the client's monotonic clock. */
  long nanos() {
    return time.nanos();
  }

  <Q extends MessageLite, A extends MessageLite> A call(
      MethodDescriptor<Q, A> method, Q request, boolean repeatable) {
    NodeTurns nodes = channels.nodes();
    Set<Integer> without = new HashSet<>(); // nodes that do not do what the call asks for
    int attempt = 1;
    while (true) {
      int node = nodes.next(time.nanos(), without);
      CallSending sending = new CallSending();
      try {
        A answer =
            ClientCalls.blockingUnaryCall(
                channels.to(node),
                method,
                CallOptions.DEFAULT
                    .withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS)
                    .withStreamTracerFactory(sending),
                request);
        nodes.works(node);
        return answer;
      } catch (StatusRuntimeException e) {
        CallRefusal refusal = CallRefusal.of(e, sending);
        if (refusal.isUnimplemented()) {
          nodes.works(node);
          without.add(node);
          if (without.size() < nodes.count()) {
            continue;
          }
        }
        if (refusal.isUnavailable()) {
          Duration asked = refusal.retryAfter();
          nodes.failed(node, time.nanos(), asked == null ? Duration.ZERO : asked);
        }
        Duration pause =
            retries
                .after(refusal, attempt, repeatable)
                .orElseThrow(() -> failure(refusal, method, without, e));
        pause(pause, e);
        attempt++;
      }
    }
  }

  private KairosException failure(
      CallRefusal refusal,
      MethodDescriptor<?, ?> method,
      Set<Integer> without,
      StatusRuntimeException cause) {
    CallFailures failures =
        new CallFailures(
            method.getFullMethodName(), channels.addresses(), channels.addresses(without));
    return failures.exceptionOf(refusal, cause);
  }

  private void pause(Duration pause, StatusRuntimeException because) {
    try {
      time.sleep(pause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KairosException("interrupted before the call was repeated", because);
    }
  }

  /** Closes the connections and cancels calls under way. */
  @Override
  public void close() {
    channels.close();
  }
}
