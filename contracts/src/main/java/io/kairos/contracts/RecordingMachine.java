package io.kairos.contracts;

import io.kairos.engine.replica.OrderedRequest;
import io.kairos.engine.replica.StateMachine;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A state machine that remembers the requests that it executed; its reply is their number. */
public final class RecordingMachine implements StateMachine {
  private final List<String> executed = new CopyOnWriteArrayList<>();
  private final Runnable restored;

  public RecordingMachine() {
    this(() -> {});
  }

  /**
   * Makes a machine that reports restores.
   *
   * @param restored called when its state was replaced
   */
  public RecordingMachine(Runnable restored) {
    this.restored = restored;
  }

  /** Each request as {@code sequence:client/request=text}, in order. */
  public List<String> executed() {
    return List.copyOf(executed);
  }

  @Override
  public byte[] execute(OrderedRequest request) {
    executed.add(
        request.sequence()
            + ":"
            + request.origin().client().value()
            + "/"
            + request.origin().request()
            + "="
            + new String(request.command(), StandardCharsets.UTF_8));
    return ByteBuffer.allocate(Integer.BYTES).putInt(executed.size()).array();
  }

  @Override
  public byte[] snapshot() {
    return String.join("\n", executed).getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void restore(byte[] snapshot) {
    String text = new String(snapshot, StandardCharsets.UTF_8);
    List<String> lines = new ArrayList<>();
    text.lines().forEach(lines::add);
    executed.clear();
    executed.addAll(lines);
    restored.run();
  }

  @Override
  public byte[] digest() {
    return snapshot();
  }
}
