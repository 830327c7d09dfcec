package io.kairos.model.delay;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Partition assignment of a consumer group for one topic. The assignment changes as soon as a
 * member joins or leaves or partitions are added; members learn of it at their next poll, so a slow
 * member may still work on a partition that another member already reads. Not thread-safe: the
 * broker locks.
 */
final class ConsumerGroup {
  private final List<Integer> members = new ArrayList<>();
  private final Map<Integer, Assignment> owners = new LinkedHashMap<>();
  private int lastMember;
  private long lastGeneration;
  private int partitions;

  /**
   * A partition's owner; the generation tells one ownership from a later one of the same member.
   */
  record Assignment(int member, long generation) {}

  int join(int partitionsNow) {
    int member = ++lastMember;
    members.add(member);
    rebalance(partitionsNow);
    return member;
  }

  void leave(int member, int partitionsNow) {
    if (members.remove(Integer.valueOf(member))) {
      rebalance(partitionsNow);
    }
  }

  /** A member that was expelled comes back by polling. */
  void ensureMember(int member, int partitionsNow) {
    if (!members.contains(member)) {
      members.add(member);
      rebalance(partitionsNow);
    } else if (partitionsNow != partitions) {
      rebalance(partitionsNow);
    }
  }

  /** Moves every partition on to the next member. */
  void rotate(int partitionsNow) {
    if (members.size() > 1) {
      members.add(members.removeFirst());
      rebalance(partitionsNow);
    }
  }

  /** Nobody keeps a partition of before: it is another topic. */
  void assignAnew(int partitionsNow) {
    owners.clear();
    rebalance(partitionsNow);
  }

  Map<Integer, Long> assignedTo(int member) {
    Map<Integer, Long> assigned = new LinkedHashMap<>();
    for (int partition : new TreeSet<>(owners.keySet())) {
      Assignment owner = owners.get(partition);
      if (owner != null && owner.member() == member) {
        assigned.put(partition, owner.generation());
      }
    }
    return assigned;
  }

  private void rebalance(int partitionsNow) {
    partitions = partitionsNow;
    if (members.isEmpty()) {
      owners.clear();
      return;
    }
    for (int partition = 0; partition < partitionsNow; partition++) {
      int member = members.get(partition % members.size());
      Assignment before = owners.get(partition);
      if (before == null || before.member() != member) {
        owners.put(partition, new Assignment(member, ++lastGeneration));
      }
    }
  }
}
