package io.kairos.bench.fault;

import io.kairos.bench.report.Shown;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How a fault ended: what was seen, and which demands were not met. Built up by the fault; not
 * thread-safe.
 */
public final class Verdict {
  private final String fault;
  private final Map<String, String> seen = new LinkedHashMap<>();
  private final List<String> failures = new ArrayList<>();
  private boolean skipped;

  Verdict(String fault) {
    this.fault = fault;
  }

  /** A fault that this machine does not allow. */
  static Verdict skipped(String fault, String why) {
    Verdict verdict = new Verdict(fault);
    verdict.skipped = true;
    return verdict.saw("skipped", why);
  }

  Verdict saw(String what, String value) {
    seen.put(what, value);
    return this;
  }

  Verdict demand(boolean met, String otherwise) {
    if (!met) {
      failures.add(otherwise);
    }
    return this;
  }

  /** What every fault must leave intact. */
  Verdict account(Scene.Accounts accounts) {
    saw(
        "accounts",
        "%s sent, %s arrived: lost %s, duplicated %s, early %s (by %s at most), damaged %s, left in the store %s"
            .formatted(
                Shown.count(accounts.sent()),
                Shown.count(accounts.arrived().distinct()),
                Shown.count(accounts.missing().lost()),
                Shown.count(accounts.arrived().duplicates()),
                Shown.count(accounts.arrived().early()),
                Shown.millis(accounts.arrived().mostEarly().toNanos() / 1e6),
                Shown.count(accounts.arrived().damaged()),
                Shown.count(accounts.leftInStore())));
    demand(accounts.missing().lost() == 0, "messages were lost: " + accounts.missing().named());
    demand(accounts.arrived().early() == 0, "messages came early");
    demand(accounts.arrived().damaged() == 0, "messages were damaged");
    demand(accounts.leftInStore() == 0, "rows were left in the store");
    return this;
  }

  /** The same of tasks; how many may be performed twice is for the fault to judge. */
  Verdict account(TaskAccounts accounts) {
    saw(
        "accounts",
        "%s tasks sent, %s accepted, %s uncertain; lost %s, performed again %s; the store says %s succeeded, %s otherwise, %s unfinished"
            .formatted(
                Shown.count(accounts.sent()),
                Shown.count(accounts.accepted()),
                Shown.count(accounts.uncertain()),
                Shown.count(accounts.missing().lost()),
                Shown.count(accounts.performed().duplicates()),
                Shown.count(accounts.store().succeeded()),
                Shown.count(accounts.store().otherwise()),
                Shown.count(accounts.store().unfinished())));
    demand(accounts.missing().lost() == 0, "tasks were lost: " + accounts.missing().named());
    demand(accounts.store().unfinished() == 0, "tasks did not end");
    demand(accounts.store().otherwise() == 0, "tasks did not succeed");
    return this;
  }

  public boolean passed() {
    return failures.isEmpty();
  }

  public List<String> failures() {
    return List.copyOf(failures);
  }

  Map<String, Object> data() {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("fault", fault);
    data.put("verdict", word());
    data.put("failures", failures);
    data.put("seen", seen);
    return data;
  }

  private String word() {
    return skipped ? "SKIPPED" : passed() ? "PASS" : "FAIL";
  }

  /** The line that counts, and below it what was seen. */
  @Override
  public String toString() {
    StringBuilder out = new StringBuilder(word()).append("  ").append(fault);
    if (!passed()) {
      out.append(": ").append(String.join("; ", failures));
    }
    out.append('\n');
    seen.forEach(
        (what, value) -> out.append("      ").append(what).append(": ").append(value).append('\n'));
    return out.toString();
  }
}
