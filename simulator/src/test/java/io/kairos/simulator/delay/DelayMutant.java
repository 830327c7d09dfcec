package io.kairos.simulator.delay;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.HeaderCodec;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.delay.port.AmendmentDecision;
import io.kairos.engine.delay.port.AmendmentStore;
import io.kairos.engine.delay.port.ClaimRequest;
import io.kairos.engine.delay.port.ClaimedMessage;
import io.kairos.engine.delay.port.IntakeBatch;
import io.kairos.engine.delay.port.IntakeResult;
import io.kairos.engine.delay.port.LongHeldMessage;
import io.kairos.engine.delay.port.MessageStore;
import io.kairos.engine.delay.port.OutgoingRecord;
import io.kairos.engine.delay.port.PendingAmendment;
import io.kairos.engine.delay.port.Publisher;
import io.kairos.engine.delay.port.SendCallback;
import io.kairos.engine.delay.port.SendResult;
import io.kairos.engine.delay.setup.DelayPorts;
import io.kairos.engine.node.LivenessStore;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.model.delay.ForwardingPublisher;
import io.kairos.model.delay.ModelDelayStore;
import io.kairos.model.task.TaskStoreCalls;
import io.kairos.simulator.kernel.BrokenLiveness;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * Nodes and stores that are broken on purpose, each in one way in which a delay queue has been or
 * could be broken. The checkers know none of them.
 */
@SuppressWarnings({"UnusedMethod", "UnusedVariable", "EffectivelyPrivate"}) // found by their names
public enum DelayMutant implements DelayWiring {
  /** CH-B7, CH-1, CH-24: the position is stored before the messages are. */
  OFFSET_BEFORE_STORE {
    @Override
    public DelayPorts around(DelayPorts ports) {
      return withMessages(
          ports,
          new Object() {
            public IntakeResult accept(IntakeBatch batch) {
              IntakeResult moved =
                  ports
                      .messages()
                      .accept(
                          new IntakeBatch(
                              batch.route(),
                              batch.fence(),
                              batch.moves(),
                              List.of(),
                              List.of(),
                              List.of(),
                              Set.of()));
              return moved instanceof IntakeResult.Superseded
                  ? moved
                  : ports.messages().accept(withoutMoves(batch));
            }
          });
    }
  },

  /** The reference's delete by id alone. */
  UNGUARDED_DELETE {
    @Override
    public MessageStore messages(ModelDelayStore store) {
      return overridden(
          store,
          new Object() {
            public List<ClaimedMessage> delete(List<ClaimedMessage> fired) {
              return store.delete(fired.stream().map(one -> underItsPairNow(store, one)).toList());
            }
          });
    }
  },

  /** CH-B1, CH-31: what was claimed lately is reset, what is stuck is not. */
  INVERTED_HOLD_COMPARISON {
    @Override
    public MessageStore messages(ModelDelayStore store) {
      return overridden(
          store,
          new Object() {
            public List<LongHeldMessage> overheld(
                Set<RouteId> routes, long sinceMicros, int limit) {
              List<LongHeldMessage> stuck = store.overheld(routes, sinceMicros, Integer.MAX_VALUE);
              List<LongHeldMessage> all =
                  store.overheld(routes, sinceMicros + 37_000_000, Integer.MAX_VALUE);
              return all.stream().filter(one -> !stuck.contains(one)).limit(limit).toList();
            }
          });
    }
  },

  /** CH-B2, CH-32: the reset does not look at the pair. */
  UNGUARDED_RESET {
    @Override
    public MessageStore messages(ModelDelayStore store) {
      return overridden(
          store,
          new Object() {
            public List<LongHeldMessage> reset(List<LongHeldMessage> suspects) {
              List<LongHeldMessage> now = new ArrayList<>();
              for (LongHeldMessage suspect : suspects) {
                store
                    .look(suspect.route(), suspect.id())
                    .flatMap(ModelDelayStore.Stored::holder)
                    .ifPresent(
                        pair -> now.add(new LongHeldMessage(suspect.route(), suspect.id(), pair)));
              }
              return store.reset(now);
            }
          });
    }
  },

  /** CH-B3: stamped with the due threshold, not with the time. */
  STAMPED_WITH_THE_THRESHOLD {
    @Override
    public DelayPorts around(DelayPorts ports) {
      return withMessages(
          ports,
          new Object() {
            public List<ClaimedMessage> claim(ClaimRequest request) {
              Fence threshold = new Fence(request.to().readiedBy(), request.untilMicros());
              return ports
                  .messages()
                  .claim(
                      new ClaimRequest(
                          threshold,
                          request.routes(),
                          request.untilMicros(),
                          request.maxMessages(),
                          request.maxBytes()));
            }
          });
    }
  },

  /**
   * CH-B4: the timing advance makes everything later instead of earlier: due when the due time plus
   * the advance has passed, which is a clock that is behind by twice the advance.
   */
  ADVANCE_WITH_THE_WRONG_SIGN {
    private static final Duration TWICE = Duration.ofMillis(100);

    @Override
    public DelayPorts around(DelayPorts ports) {
      return new DelayPorts(
          ports.messages(),
          ports.amendments(),
          ports.publisher(),
          () -> ports.clock().instant().minus(TWICE),
          ports.monotonic(),
          ports.wakeups(),
          ports.pollJitter(),
          ports.events());
    }
  },

  /** CH-B5: a duplicate id is an error that is tried again. */
  DUPLICATE_IS_AN_ERROR {
    @Override
    public MessageStore messages(ModelDelayStore store) {
      return overridden(
          store,
          new Object() {
            public IntakeResult accept(IntakeBatch batch) {
              if (submitted(batch).stream()
                  .anyMatch(one -> store.look(one.route(), one.id()).isPresent())) {
                throw new StoreUnavailable("duplicate key value violates unique constraint");
              }
              return store.accept(batch);
            }
          });
    }
  },

  /** CH-B6, CH-14: late arrivals are published without a look for their id. */
  LATE_ARRIVALS_NOT_CHECKED {
    @Override
    public DelayPorts around(DelayPorts ports) {
      return withMessages(
          ports,
          new Object() {
            public Set<MessageId> pending(RouteId route, Collection<MessageId> ids) {
              return Set.of();
            }
          });
    }
  },

  /** CH-B8: a message without a key counts as done. */
  KEYLESS_COUNTS_AS_DONE {
    @Override
    public DelayPorts around(DelayPorts ports) {
      return withPublisher(
          ports,
          new ForwardingPublisher(ports.publisher()) {
            @Override
            public void send(OutgoingRecord outgoing, SendCallback callback) {
              if (outgoing.key() == null) {
                callback.completed(SendResult.Acknowledged.INSTANCE);
              } else {
                next.send(outgoing, callback);
              }
            }
          });
    }
  },

  /** CH-B9: repeated header names collapse. */
  REPEATED_HEADERS_COLLAPSE {
    @Override
    public DelayPorts around(DelayPorts ports) {
      return withPublisher(
          ports,
          new ForwardingPublisher(ports.publisher()) {
            @Override
            public void send(OutgoingRecord outgoing, SendCallback callback) {
              List<MessageHeader> collapsed = new ArrayList<>();
              for (MessageHeader header : HeaderCodec.decode(outgoing.headers())) {
                collapsed.removeIf(before -> before.name().equals(header.name()));
                collapsed.add(header);
              }
              next.send(
                  new OutgoingRecord(
                      outgoing.output(),
                      outgoing.partition(),
                      outgoing.key(),
                      outgoing.value(),
                      HeaderCodec.encode(collapsed)),
                  callback);
            }
          });
    }
  },

  /** CH-B10: the ready query has no limit. */
  READY_WITHOUT_LIMIT {
    @Override
    public MessageStore messages(ModelDelayStore store) {
      return overridden(
          store,
          new Object() {
            public List<ClaimedMessage> claim(ClaimRequest request) {
              return store.claim(
                  new ClaimRequest(
                      request.to(),
                      request.routes(),
                      request.untilMicros(),
                      Integer.MAX_VALUE,
                      Long.MAX_VALUE));
            }
          });
    }
  },

  /** CH-B11: a message whose publish fails is never tried again by its holder. */
  FAILED_PUBLISH_FORGOTTEN {
    @Override
    public DelayPorts around(DelayPorts ports) {
      return withPublisher(
          ports,
          new ForwardingPublisher(ports.publisher()) {
            @Override
            public void send(OutgoingRecord outgoing, SendCallback callback) {
              next.send(
                  outgoing,
                  result -> {
                    if (!(result instanceof SendResult.Failed)) {
                      callback.completed(result);
                    }
                  });
            }
          });
    }
  },

  /** The message is deleted when it has been sent, not when it has been acknowledged. */
  DELETED_BEFORE_THE_ACKNOWLEDGEMENT {
    @Override
    public DelayPorts around(DelayPorts ports) {
      return withPublisher(
          ports,
          new ForwardingPublisher(ports.publisher()) {
            @Override
            public void send(OutgoingRecord outgoing, SendCallback callback) {
              next.send(outgoing, _ -> {});
              callback.completed(SendResult.Acknowledged.INSTANCE);
            }
          });
    }
  },

  /** Messages of live nodes are taken over. */
  TAKEN_OVER_WITHOUT_A_LAPSE {
    @Override
    public LivenessStore liveness(ModelDelayStore store) {
      return BrokenLiveness.everybodyHasDeparted(store);
    }
  },

  /** Liveness is judged by the store's clock, which may jump. */
  LIVENESS_BY_THE_STORES_CLOCK {
    @Override
    public LivenessStore liveness(ModelDelayStore store) {
      return BrokenLiveness.lapsesByTheStoresClock(store);
    }
  },

  /** A lapsed node goes on under its old id as if nothing had happened. */
  LAPSED_NODE_GOES_ON {
    @Override
    public LivenessStore liveness(ModelDelayStore store) {
      return BrokenLiveness.nobodyLapses(store);
    }
  },

  /** A lapsed life is retired at once, whatever was acknowledged under it. */
  RETIRED_BEFORE_IT_HAS_SETTLED {
    @Override
    public LivenessStore liveness(ModelDelayStore store) {
      return BrokenLiveness.retiredWhenLapsed(store);
    }
  },

  /** Nobody remembers that a former holder may have sent the message. */
  MAYBE_FIRED_FORGOTTEN {
    @Override
    public MessageStore messages(ModelDelayStore store) {
      return overridden(
          store,
          new Object() {
            public List<ClaimedMessage> takeOver(
                NodeId from, ClaimRequest request, long maybeFiredMicros) {
              return store.takeOver(from, request, EpochMicros.MIN);
            }
          });
    }
  },

  /** Decisions of the holder are carried out whoever holds the message. */
  UNGUARDED_DECISION {
    @Override
    public AmendmentStore amendments(ModelDelayStore store) {
      return TaskStoreCalls.overridden(
          AmendmentStore.class,
          store,
          new Object() {
            public List<AmendmentDecision> decide(NodeId by, List<AmendmentDecision> decisions) {
              return store.decide(
                  by,
                  decisions.stream()
                      .map(one ->
                          new AmendmentDecision(
                              underItsPairNow(store, one.message()), one.change(), one.outcomes()))
                      .toList());
            }
          });
    }
  },

  /** The flag that an amendment waits is lost on the way: the holder never learns of it. */
  AMENDMENT_FLAG_LOST {
    @Override
    public AmendmentStore amendments(ModelDelayStore store) {
      return TaskStoreCalls.overridden(
          AmendmentStore.class,
          store,
          new Object() {
            public List<PendingAmendment> undecided(NodeId holder, int limit) {
              return List.of();
            }
          });
    }

    @Override
    public MessageStore messages(ModelDelayStore store) {
      return overridden(
          store,
          new Object() {
            public List<ClaimedMessage> claim(ClaimRequest request) {
              return unflagged(store.claim(request));
            }

            public List<ClaimedMessage> takeOver(
                NodeId from, ClaimRequest request, long maybeFiredMicros) {
              return unflagged(store.takeOver(from, request, maybeFiredMicros));
            }

            public List<ClaimedMessage> readBack(Fence fence) {
              return unflagged(store.readBack(fence));
            }

            private List<ClaimedMessage> unflagged(List<ClaimedMessage> claimed) {
              return claimed.stream()
                  .map(one ->
                      new ClaimedMessage(one.message(), one.fence(), false, one.maybeFired()))
                  .toList();
            }
          });
    }
  },

  /** A batch of a node that has lost its partition is stored all the same. */
  SUPERSEDED_BATCH_STORED {
    @Override
    public MessageStore messages(ModelDelayStore store) {
      return overridden(
          store,
          new Object() {
            public IntakeResult accept(IntakeBatch batch) {
              IntakeResult result = store.accept(batch);
              if (result instanceof IntakeResult.Superseded) {
                store.accept(withoutMoves(batch));
              }
              return result;
            }
          });
    }
  },

  /** Due times are kept in whole seconds, as by the reference. */
  DUE_TIMES_CUT_TO_SECONDS {
    @Override
    public DelayPorts around(DelayPorts ports) {
      return withMessages(
          ports,
          new Object() {
            public IntakeResult accept(IntakeBatch batch) {
              return ports
                  .messages()
                  .accept(
                      new IntakeBatch(
                          batch.route(),
                          batch.fence(),
                          batch.moves(),
                          cut(batch.claimed()),
                          cut(batch.waiting()),
                          batch.amendments(),
                          Set.of()));
            }

            private List<DelayedMessage> cut(List<DelayedMessage> messages) {
              return messages.stream()
                  .map(one -> one.dueAt(Math.floorDiv(one.dueMicros(), 1_000_000) * 1_000_000))
                  .toList();
            }
          });
    }
  };

  private static ClaimedMessage underItsPairNow(ModelDelayStore store, ClaimedMessage claimed) {
    return store
        .look(claimed.message().route(), claimed.message().id())
        .flatMap(ModelDelayStore.Stored::holder)
        .map(pair -> new ClaimedMessage(claimed.message(), pair))
        .orElse(claimed);
  }

  private static IntakeBatch withoutMoves(IntakeBatch batch) {
    return new IntakeBatch(
        batch.route(),
        batch.fence(),
        List.of(),
        batch.claimed(),
        batch.waiting(),
        batch.amendments(),
        Set.of());
  }

  private static List<DelayedMessage> submitted(IntakeBatch batch) {
    List<DelayedMessage> all = new ArrayList<>(batch.claimed());
    all.addAll(batch.waiting());
    return all;
  }

  private static DelayPorts withMessages(DelayPorts ports, Object overriding) {
    return with(ports, overridden(ports.messages(), overriding), ports.publisher());
  }

  private static MessageStore overridden(MessageStore store, Object overriding) {
    return TaskStoreCalls.overridden(MessageStore.class, store, overriding);
  }

  private static DelayPorts withPublisher(DelayPorts ports, Publisher publisher) {
    return with(ports, ports.messages(), publisher);
  }

  private static DelayPorts with(DelayPorts ports, MessageStore messages, Publisher publisher) {
    return new DelayPorts(
        messages,
        ports.amendments(),
        publisher,
        ports.clock(),
        ports.monotonic(),
        ports.wakeups(),
        ports.pollJitter(),
        ports.events());
  }
}
