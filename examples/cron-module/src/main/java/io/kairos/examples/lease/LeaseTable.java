package io.kairos.examples.lease;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.engine.cron.module.ModuleState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Leases in a module's pages, each in the page that its name has by its hash, a line for each.
 * Nothing is kept in memory, so that it does not matter when a snapshot replaces the pages.
 */
final class LeaseTable {
  private static final int PAGES = 1_024;

  private final ModuleState state;

  LeaseTable(ModuleState state) {
    this.state = state;
  }

  Optional<Lease> find(String name) {
    return read(page(name)).stream().filter(lease -> lease.name().equals(name)).findFirst();
  }

  /** Puts a lease in the place of the one of that name; throws where the page has no room. */
  void put(Lease lease) {
    List<Lease> leases = read(page(lease.name()));
    leases.removeIf(other -> other.name().equals(lease.name()));
    leases.add(lease);
    write(page(lease.name()), leases);
  }

  void remove(String name) {
    List<Lease> leases = read(page(name));
    leases.removeIf(lease -> lease.name().equals(name));
    write(page(name), leases);
  }

  /** Removes leases that have lapsed, in an order that is the same everywhere, and returns them. */
  List<Lease> removeLapsed(Instant now, int most) {
    List<Lease> lapsed = new ArrayList<>();
    for (int page : state.pages()) {
      read(page).stream()
          .filter(lease -> !lease.isLiveAt(now))
          .limit(most - lapsed.size())
          .forEach(lapsed::add);
    }
    lapsed.forEach(lease -> remove(lease.name()));
    return lapsed;
  }

  /** Java says how the hash of a String is computed; that of most objects is by chance. */
  private static int page(String name) {
    return Math.floorMod(name.hashCode(), PAGES);
  }

  private List<Lease> read(int page) {
    List<Lease> leases = new ArrayList<>();
    state
        .read(page)
        .ifPresent(
            bytes -> new String(bytes, UTF_8).lines().map(Lease::decode).forEach(leases::add));
    return leases;
  }

  private void write(int page, List<Lease> leases) {
    if (leases.isEmpty()) {
      state.delete(page);
    } else {
      String lines = String.join("\n", leases.stream().map(Lease::encode).toList());
      state.write(page, lines.getBytes(UTF_8));
    }
  }
}
