package io.cellmesh.herb;

import io.cellmesh.cell.MeshPlace;
import io.cellmesh.cell.ReadPlace;
import io.cellmesh.cell.RememberedLog;
import io.cellmesh.deployment.Seed;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Whether a seed makes up for what the peer's log no longer has.
 *
 * @param seed that is read first; empty if there is none, or none that will do
 * @param why there is none, or what comes of it; empty if there is one
 */
record SeedStart(Optional<LinkSeed> seed, String why) {

  /** Where nothing is gone. */
  static final SeedStart NONE = new SeedStart(Optional.empty(), "");

  /**
   * Judges a seed.
   *
   * @param lost partitions whose log has not what comes next
   * @param log of the peer
   * @param known what the topic of the places holds
   * @param datacenter this one, for messages
   */
  static SeedStart of(
      Seed seed,
      String peer,
      List<ReadPlace> lost,
      RememberedLog log,
      Map<String, String> known,
      String datacenter) {
    var kept = MeshPlace.inSeed(known, peer, seed.id());
    var next = new TreeMap<Integer, Long>();
    var then = new TreeMap<Integer, Long>();
    for (var place : lost) {
      var part = seed.parts().get(place.partition());
      var lack = lack(part, place, log);
      if (lack.isPresent()) {
        return without(
            "partition %d of the seed that %s has for %s %s"
                .formatted(place.partition(), peer, datacenter, lack.get()));
      }
      next.put(place.partition(), kept.getOrDefault(place.partition(), part.begin()));
      then.put(place.partition(), part.log().orElseThrow().next());
    }
    return new SeedStart(Optional.of(new LinkSeed(seed.id(), next, then)), "");
  }

  /** Without one that will do. */
  static SeedStart without(String why) {
    return new SeedStart(Optional.empty(), why);
  }

  private static Optional<String> lack(Seed.Part part, ReadPlace place, RememberedLog log) {
    if (part.log().isEmpty()) {
      return Optional.of("is not begun");
    }
    if (!part.goesWith(log)) {
      return Optional.of("goes with another log of it");
    }
    if (!part.complete()) {
      return Optional.of("is not complete: it is being written, or has to be taken up again");
    }
    long goesOn = part.log().get().next();
    if (goesOn < place.begin() || goesOn > place.end()) {
      return Optional.of(
          "goes on at offset %d of the log, which has %d to %d"
              .formatted(goesOn, place.begin(), place.end()));
    }
    return Optional.empty();
  }
}
