package io.cellmesh.operations.verify;

import java.util.List;
import java.util.Map;

/**
 * How one check of one data centre ended.
 *
 * @param datacenter the data centre; two joined by an arrow for the mesh
 * @param counts what was looked at, by kind
 * @param offences how many were found
 * @param first the first few of them
 */
public record CheckResult(
    Check check, String datacenter, Map<String, Long> counts, long offences, List<Offence> first) {

  public CheckResult {
    first = List.copyOf(first);
  }

  public boolean passed() {
    return offences == 0;
  }

  /**
   * Something that is not as it must be.
   *
   * @param key the cell's key, or whatever names the place best
   * @param what the rule that is broken, without any body
   */
  public record Offence(String key, String what) {}
}
