package io.cellmesh.worker.http;

import io.cellmesh.worker.security.Caller;
import io.cellmesh.worker.security.Right;
import io.cellmesh.worker.site.Instance;
import io.javalin.http.Context;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The instances that a worker serves.
 *
 * @param byName each under its name
 */
record Instances(Map<String, Instance> byName) {
  Instances {
    byName = Map.copyOf(byName);
  }

  /**
   * The one that a call names.
   *
   * @throws ProblemException if it is not served here
   */
  Instance of(Context call) {
    var instance = byName.get(call.pathParam("instance"));
    if (instance == null) {
      throw new ProblemException(
          Problem.noSuchInstance("this worker does not serve that instance"));
    }
    return instance;
  }

  /** Those whose state a caller may see; he need not know of the others. */
  Instances seenBy(Optional<Caller> caller) {
    var seen = new HashMap<>(byName);
    seen.keySet().removeIf(name -> !caller.map(who -> who.may(Right.STATUS, name)).orElse(false));
    return new Instances(seen);
  }
}
