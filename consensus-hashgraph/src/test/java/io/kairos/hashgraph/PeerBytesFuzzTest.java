package io.kairos.hashgraph;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.ClientId;
import io.kairos.fuzzing.ParserFuzz;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** What peers send, and what is read from the disk: bytes that are taken have one form. */
class PeerBytesFuzzTest {
  private static final String CLUSTER = "cluster";
  private static final byte[] TEXT = "a request".getBytes(UTF_8);
  private static final Instant NOW = SimulatedReplica.START;

  private final List<EventKeys> keys = SimulatedKeys.cheap(4, 1);
  private final HashgraphConfig config =
      new HashgraphConfig(
          new ReplicaId(0),
          new ReplicaGroup(4, ReplicaGroup.Faults.BYZANTINE),
          CLUSTER,
          SimulatedReplica.PACE,
          SimulatedReplica.BOUNDS);
  private final Event first = event(1, List.of(new byte[9]));
  private final Event second =
      event(2, List.of(TEXT, new byte[0]), new Event.Parent(first.creator(), 1, first.hash()));
  private final byte[] snapshot =
      new LogSnapshot(9, 1, NOW, new byte[20], "the state".getBytes(UTF_8)).encode();

  @TempDir Path folder;

  private Event event(int creator, List<byte[]> requests, Event.Parent... parents) {
    return Event.sign(
        new Event.Body(new ReplicaId(creator), 1, NOW, 7, List.of(parents), requests),
        CLUSTER,
        keys.get(creator));
  }

  @TestFactory
  Stream<DynamicTest> every_input_is_taken_or_refused() throws IOException {
    return Stream.of(
        same(
            "event",
            List.of(first.bytes(), second.bytes()),
            bytes -> Event.decode(bytes, config).map(this::encoded)),
        same(
            "peer-message",
            messages(),
            bytes -> PeerMessage.decode(bytes, config.bounds()).map(PeerMessage::encode)),
        same(
            "snapshot",
            List.of(snapshot, new LogSnapshot(1, 1, NOW, new byte[0], new byte[0]).encode()),
            bytes -> LogSnapshot.decode(bytes).map(LogSnapshot::encode)),
        same(
            "journal-head",
            List.of(
                new JournalHead(Optional.empty(), Optional.empty(), 0, List.of()).encode(),
                new JournalHead(
                        Optional.of(snapshot),
                        Optional.of(first.bytes()),
                        77,
                        List.of(new ReplicaId(1), new ReplicaId(3)))
                    .encode()),
            bytes -> JournalHead.decode(bytes, config.cluster()).map(JournalHead::encode)),
        same(
            "request-envelope",
            List.of(
                RequestEnvelope.encode(ClientId.ofVotes(first.creator()), 9, TEXT),
                RequestEnvelope.encode(ClientId.ofCalls(first.creator(), 9), 9, TEXT),
                RequestEnvelope.encode(new ClientId(1), 1, new byte[0])),
            bytes ->
                RequestEnvelope.decode(first.creator(), bytes)
                    .map(read ->
                        RequestEnvelope.encode(
                            read.origin().client(), read.origin().request(), read.command()))),
        file());
  }

  /** Inputs have at most 64 KiB: what is made of one has a few times its size. */
  private static DynamicTest same(
      String parser, List<byte[]> seeds, Function<byte[], Optional<byte[]>> codec) {
    return ParserFuzz.bytes(
            parser,
            input ->
                codec
                    .apply(input)
                    .ifPresent(again -> require(Arrays.equals(input, again), "has another form")))
        .seeds(seeds)
        .allocating(1)
        .test();
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError("the input " + otherwise);
    }
  }

  private List<byte[]> messages() {
    return List.of(
        new PeerMessage.Events(List.of(first.bytes(), second.bytes())).encode(),
        new PeerMessage.Events(true, List.of(second.bytes())).encode(),
        new PeerMessage.Sync(3, 1, 1, List.of(first.hash(), second.hash())).encode(),
        new PeerMessage.AskOffers().encode(),
        new PeerMessage.Offers(
                List.of(
                    new PeerMessage.Offer(9, snapshot.length, PeerMessage.Offer.digest(snapshot)),
                    new PeerMessage.Offer(5, 1, PeerMessage.Offer.digest(TEXT))))
            .encode(),
        new PeerMessage.AskPiece(PeerMessage.Offer.digest(snapshot), 0).encode(),
        new PeerMessage.Piece(PeerMessage.Offer.digest(snapshot), 0, snapshot).encode());
  }

  private byte[] encoded(Event event) {
    EventKeys signed =
        new EventKeys() {
          @Override
          public byte[] sign(byte[] hash) {
            return event.signature();
          }

          @Override
          public boolean verify(ReplicaId creator, byte[] hash, byte[] signature) {
            return true;
          }
        };
    Event again = Event.sign(event.body(), CLUSTER, signed);
    require(again.hash().equals(event.hash()), "has another name");
    return again.bytes();
  }

  /** Only records that were written are read of a damaged journal, and it goes on after them. */
  private DynamicTest file() throws IOException {
    Path written = folder.resolve("written");
    List<byte[]> seeds = new ArrayList<>();
    List<byte[]> events = List.of(first.bytes(), second.bytes());
    try (FileJournal journal = FileJournal.open(written, config, false, new SplittableRandom(1))) {
      seeds.add(Files.readAllBytes(written));
      append(journal, events);
      seeds.add(Files.readAllBytes(written));
      journal.replace(snapshot, events);
      append(journal, events);
      seeds.add(Files.readAllBytes(written));
    }
    Path file = folder.resolve("journal");
    return ParserFuzz.bytes("file-journal", input -> journal(file, input, events))
        .seeds(seeds)
        .refusing(IllegalStateException.class)
        .allocating(2)
        .test();
  }

  private static void append(FileJournal journal, List<byte[]> events) {
    for (byte[] event : events) {
      journal.append(event);
      journal.force();
    }
  }

  private void journal(Path file, byte[] input, List<byte[]> events) throws IOException {
    Files.write(file, input);
    int kept;
    try (FileJournal journal = FileJournal.open(file, config, false, new SplittableRandom(1))) {
      EventJournal.Kept read = journal.read();
      kept = read.events().size();
      require(
          read.head().filter(each -> !Arrays.equals(each, snapshot)).isEmpty()
              && read.events().stream()
                  .allMatch(each -> events.stream().anyMatch(one -> Arrays.equals(one, each))),
          "is read with what nobody wrote");
      journal.append(TEXT);
    }
    try (FileJournal journal = FileJournal.open(file, config, false, new SplittableRandom(1))) {
      List<byte[]> again = journal.read().events();
      require(
          again.size() == kept + 1 && Arrays.equals(again.getLast(), TEXT),
          "is a journal that does not go on");
    }
  }
}
