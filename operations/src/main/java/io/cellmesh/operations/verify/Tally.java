package io.cellmesh.operations.verify;

import io.cellmesh.operations.verify.CheckResult.Offence;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Counts for one check of one data centre, and keeps the first few offences. */
final class Tally {
  static final int SHOWN = 5;

  private final Check check;
  private final String datacenter;
  private final Map<String, Long> counts = new LinkedHashMap<>();
  private final List<Offence> first = new ArrayList<>();
  private long offences;

  /**
   * @param kinds what will be counted, so that a zero is said, too
   */
  Tally(Check check, String datacenter, String... kinds) {
    this.check = check;
    this.datacenter = datacenter;
    for (var kind : kinds) {
      counts.put(kind, 0L);
    }
  }

  void count(String kind) {
    count(kind, 1);
  }

  void count(String kind, long more) {
    counts.merge(kind, more, Long::sum);
  }

  void offence(Object key, String what) {
    offences++;
    if (first.size() < SHOWN) {
      first.add(new Offence(key.toString(), what));
    }
  }

  /** Takes in what was counted elsewhere for the same check. */
  void add(Tally other) {
    other.counts.forEach(this::count);
    offences += other.offences;
    other.first.stream().limit(SHOWN - first.size()).forEach(first::add);
  }

  CheckResult result() {
    return new CheckResult(check, datacenter, new LinkedHashMap<>(counts), offences, first);
  }
}
