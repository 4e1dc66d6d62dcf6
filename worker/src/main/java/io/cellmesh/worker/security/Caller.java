package io.cellmesh.worker.security;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;

/**
 * Who calls, and what he may do.
 *
 * @param name of his token, for logs
 * @param rights by instance; what stands under {@value #EVERY} is had in every instance
 */
public record Caller(String name, Map<String, Set<Right>> rights) {
  static final String EVERY = "*";

  /** Whoever is on this machine, where there are no tokens. */
  public static final Caller LOCAL =
      new Caller("-", Map.of(EVERY, Set.copyOf(Arrays.asList(Right.values()))));

  public Caller {
    rights = Map.copyOf(rights);
  }

  /** Whether he has a right in an instance, which need not be there. */
  public boolean may(Right right, String instance) {
    return has(EVERY, right) || has(instance, right);
  }

  /** Whether he has a right in one instance at least. */
  public boolean maySomewhere(Right right) {
    return rights.values().stream().anyMatch(set -> set.contains(right));
  }

  private boolean has(String instance, Right right) {
    return rights.getOrDefault(instance, Set.of()).contains(right);
  }
}
