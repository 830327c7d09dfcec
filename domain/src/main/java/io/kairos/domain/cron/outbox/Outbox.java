package io.kairos.domain.cron.outbox;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.Tick;
import io.kairos.domain.page.PageArea;
import io.kairos.domain.page.PageId;
import io.kairos.domain.page.ReservedPages;
import io.kairos.domain.replica.Cluster;
import io.kairos.domain.replica.ReplicaId;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * The effects that wait, each in a reserved page. An action decides by {@link #put}; that is taken
 * back if it throws, as all that it writes. Part of the replicated state; nothing is cached, so
 * that any number of these may be made of the same pages. At most {@value #MOST_EFFECTS} wait:
 * where the outside is away for too long, actions fail that want more of it.
 *
 * <p>An entry may have as many waiting as there is room left for others (dynamic thresholds,
 * Choudhury and Hahne 1998). So one alone has half of the room, and one whose receiver never
 * answers leaves the other half to the rest.
 */
public final class Outbox {
  public static final int MOST_EFFECTS = 2_000;

  /** How many there are; so that an action need not count them. No tick has the number 0. */
  private static final PageId COUNT = new PageId(PageArea.OUTBOX, 0, 0);

  private static final int HEAD_BYTES = Integer.BYTES + Byte.BYTES + 2 * Long.BYTES;

  private final ReservedPages pages;

  public Outbox(ReservedPages pages) {
    this.pages = pages;
  }

  /**
   * Decides an effect, in the action of the entry at that position.
   *
   * @throws IllegalStateException if too many wait, or the entry has decided another at this tick
   * @throws IllegalArgumentException if the body is too large
   */
  public EffectId put(Tick tick, int position, Effect.Asking asking, byte[] body) {
    EffectId id = new EffectId(tick.component(), position, tick.sequence());
    Waiting waiting = new Waiting(new Effect(id, asking, body), 0, 0);
    int count = count();
    int ofEntry = read(counter(id));
    if (ofEntry >= MOST_EFFECTS - count) {
      throw new IllegalStateException(
          "%d effects wait, %d of them of this entry: there is no room for %s"
              .formatted(count, ofEntry, id));
    }
    if (pages.read(page(id)).isPresent()) {
      throw new IllegalStateException("an entry has one effect a tick, and " + id + " is there");
    }
    write(waiting);
    add(COUNT, 1);
    add(counter(id), 1);
    return id;
  }

  /** How many wait. */
  public int count() {
    return read(COUNT);
  }

  /** All that wait, as they were decided. */
  public List<Waiting> waiting() {
    return count() == 0
        ? List.of()
        : pages.in(PageArea.OUTBOX).stream()
            .filter(page -> page.owner() > 0)
            .flatMap(page -> waiting(page).stream())
            .toList();
  }

  /** A replica says that it wants an effect; nothing if that no longer waits. */
  public void wanted(EffectId id, ReplicaId by) {
    find(id).map(waiting -> waiting.alsoWantedBy(by)).ifPresent(this::write);
  }

  /** A replica says that the outside has done an effect. When enough say so it is forgotten. */
  public void done(EffectId id, ReplicaId by, Cluster cluster) {
    find(id)
        .map(waiting -> waiting.alsoDoneBy(by))
        .ifPresent(waiting -> {
          if (waiting.isDone(cluster)) {
            pages.delete(page(id));
            add(COUNT, -1);
            add(counter(id), -1);
          } else {
            write(waiting);
          }
        });
  }

  private Optional<Waiting> find(EffectId id) {
    return waiting(page(id)).filter(waiting -> waiting.id().equals(id));
  }

  /** A tick is for one component, so that sequence and position are enough. */
  private static PageId page(EffectId id) {
    return new PageId(PageArea.OUTBOX, id.sequence(), id.position());
  }

  private Optional<Waiting> waiting(PageId page) {
    return pages.read(page).map(bytes -> decode(page, ByteBuffer.wrap(bytes)));
  }

  private static Waiting decode(PageId page, ByteBuffer from) {
    ComponentId component = new ComponentId(Integer.toUnsignedLong(from.getInt()));
    Effect.Asking asking = Effect.Asking.numbered(from.get());
    long wantedBy = from.getLong();
    long doneBy = from.getLong();
    byte[] body = new byte[from.remaining()];
    from.get(body);
    EffectId id = new EffectId(component, page.index(), page.owner());
    return new Waiting(new Effect(id, asking, body), wantedBy, doneBy);
  }

  private void write(Waiting waiting) {
    Effect effect = waiting.effect();
    ByteBuffer to = ByteBuffer.allocate(HEAD_BYTES + effect.body().length);
    to.putInt((int) effect.id().component().value())
        .put((byte) effect.asking().number())
        .putLong(waiting.wantedBy())
        .putLong(waiting.doneBy())
        .put(effect.body());
    pages.write(page(effect.id()), to.array());
  }

  /** Of an entry; below the pages of effects. */
  private static PageId counter(EffectId id) {
    return new PageId(PageArea.OUTBOX, -1 - id.component().value(), id.position());
  }

  private int read(PageId counter) {
    return pages.read(counter).map(bytes -> ByteBuffer.wrap(bytes).getInt()).orElse(0);
  }

  private void add(PageId counter, int more) {
    int count = read(counter) + more;
    if (count == 0) {
      pages.delete(counter);
    } else {
      pages.write(counter, ByteBuffer.allocate(Integer.BYTES).putInt(count).array());
    }
  }
}
