package io.kairos.domain.cron.outbox;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.Tick;
import io.kairos.domain.page.PageArea;
import io.kairos.domain.page.PageId;
import io.kairos.domain.page.ReservedPages;
import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * The effects that wait, each in a reserved page. An action decides an effect by {@link #put},
 * which is undone if the action throws. Part of the replicated state; nothing is cached, so that
 * several outboxes may use the same pages. At most {@value #MOST_EFFECTS} effects wait: if a
 * receiver is away for too long, actions that decide more effects fail.
 *
 * <p>An entry may have as many waiting effects as there is room left (dynamic thresholds, Choudhury
 * and Hahne 1998). So a single entry gets half of the room, and an entry whose receiver never
 * answers leaves the other half to the others.
 */
public final class EffectOutbox {
  public static final int MOST_EFFECTS = 2_000;

  /** The page with the number of waiting effects. No tick has the number 0. */
  private static final PageId COUNT = new PageId(PageArea.OUTBOX, 0, 0);

  private static final int HEAD_BYTES = Integer.BYTES + Byte.BYTES + 2 * Long.BYTES;

  private final ReservedPages pages;

  public EffectOutbox(ReservedPages pages) {
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
    PendingEffect waiting = new PendingEffect(new Effect(id, asking, body), 0, 0);
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

  /** Returns the number of waiting effects. */
  public int count() {
    return read(COUNT);
  }

  /** Returns all waiting effects, in the order of decision. */
  public List<PendingEffect> waiting() {
    return count() == 0
        ? List.of()
        : pages.in(PageArea.OUTBOX).stream()
            .filter(page -> page.owner() > 0)
            .flatMap(page -> waiting(page).stream())
            .toList();
  }

  /** Notes that a replica wants an effect, if it still waits. */
  public void wanted(EffectId id, ReplicaId by) {
    find(id).map(waiting -> waiting.alsoWantedBy(by)).ifPresent(this::write);
  }

  /**
   * Notes that a replica knows an effect to be done. The effect is deleted when enough replicas do.
   */
  public void done(EffectId id, ReplicaId by, ReplicaGroup cluster) {
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

  private Optional<PendingEffect> find(EffectId id) {
    return waiting(page(id)).filter(waiting -> waiting.id().equals(id));
  }

  /** A tick belongs to one component, so that sequence and position are unique. */
  private static PageId page(EffectId id) {
    return new PageId(PageArea.OUTBOX, id.sequence(), id.position());
  }

  private Optional<PendingEffect> waiting(PageId page) {
    return pages.read(page).map(bytes -> decode(page, ByteBuffer.wrap(bytes)));
  }

  private static PendingEffect decode(PageId page, ByteBuffer from) {
    ComponentId component = new ComponentId(Integer.toUnsignedLong(from.getInt()));
    Effect.Asking asking = Effect.Asking.numbered(from.get());
    long wantedBy = from.getLong();
    long doneBy = from.getLong();
    byte[] body = new byte[from.remaining()];
    from.get(body);
    EffectId id = new EffectId(component, page.index(), page.owner());
    return new PendingEffect(new Effect(id, asking, body), wantedBy, doneBy);
  }

  private void write(PendingEffect waiting) {
    Effect effect = waiting.effect();
    ByteBuffer to = ByteBuffer.allocate(HEAD_BYTES + effect.body().length);
    to.putInt((int) effect.id().component().value())
        .put((byte) effect.asking().number())
        .putLong(waiting.wantedBy())
        .putLong(waiting.doneBy())
        .put(effect.body());
    pages.write(page(effect.id()), to.array());
  }

  /** The page that counts the effects of an entry; below the pages of effects. */
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
