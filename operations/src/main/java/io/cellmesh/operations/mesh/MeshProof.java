package io.cellmesh.operations.mesh;

import io.cellmesh.cell.proof.Agreement;
import io.cellmesh.cell.proof.Difference;
import io.cellmesh.cell.proof.FoldSource;
import io.cellmesh.cell.proof.Verdict;
import io.cellmesh.deployment.CheckpointTopic;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.KafkaException;

/**
 * Compares what all data centres have folded of each other, and looks up in the tables why a log
 * lacks cells: the ledger of conflicts tells only of those that are another value, and of an equal
 * cell that both accepted nothing but the row itself knows.
 */
public final class MeshProof {
  /** Buckets of which the cells are looked up; each costs a reading of two partitions at most. */
  private static final int LOOKED_UP = 64;

  private final Deployment deployment;
  private final Map<Pair, Agreement> agreements = new HashMap<>();
  private final Map<String, String> unreadable = new HashMap<>();

  private record Pair(DataCenter origin, DataCenter here) {}

  private MeshProof(Deployment deployment) {
    this.deployment = deployment;
    for (var origin : deployment.datacenters()) {
      for (var here : deployment.datacenters()) {
        if (!here.equals(origin)) {
          agreements.put(new Pair(origin, here), new Agreement(origin.name(), deployment.shards()));
        }
      }
    }
  }

  /** Reads what all have told, and answers for each origin and each other data centre. */
  public static List<LinkProof> of(Deployment deployment) throws SQLException {
    var proof = new MeshProof(deployment);
    deployment.datacenters().forEach(proof::read);
    var links = new ArrayList<LinkProof>();
    for (var origin : deployment.datacenters()) {
      for (var here : deployment.datacenters()) {
        if (!here.equals(origin)) {
          links.add(proof.link(new Pair(origin, here)));
        }
      }
    }
    return links;
  }

  private void read(DataCenter dc) {
    try (var checkpoints = new CheckpointTopic(dc.kafka(), dc.topology())) {
      checkpoints.readToEnd(
          (key, value) ->
              agreements.forEach(
                  (pair, agreement) -> {
                    if (pair.here().equals(dc)) {
                      agreement.here(key, value);
                    } else if (pair.origin().equals(dc)) {
                      agreement.there(key, value);
                    }
                  }));
    } catch (KafkaException e) {
      unreadable.put(dc.name(), "%s: %s".formatted(dc.name(), e.getMessage()));
    }
  }

  private LinkProof link(Pair pair) throws SQLException {
    var origin = pair.origin().name();
    var here = pair.here().name();
    long now = System.currentTimeMillis();
    var why = Optional.ofNullable(unreadable.getOrDefault(origin, unreadable.get(here)));
    if (why.isPresent()) {
      return new LinkProof(origin, here, Optional.empty(), why.get(), List.of(), 0, now);
    }
    var verdict = agreements.get(pair).verdict();
    int some = Math.min(LOOKED_UP, verdict.absent().size());
    long unexamined = verdict.absent().stream().skip(some).mapToLong(Difference::count).sum();
    return new LinkProof(
        origin, here, Optional.of(verdict), "", absent(pair, verdict, some), unexamined, now);
  }

  private static List<CellDifference> absent(Pair pair, Verdict verdict, int some)
      throws SQLException {
    if (some == 0) {
      return List.of();
    }
    var ranges =
        verdict.absent().subList(0, some).stream()
            .map(cells -> new IdRange(cells.cells().shard(), cells.first(), cells.last()))
            .toList();
    return new CellComparison(pair.origin(), pair.here(), FoldSource.LOG)
        .of(ranges).stream().filter(MeshProof::isAbsent).toList();
  }

  /** Whatever else differs is told by the buckets. */
  private static boolean isAbsent(CellDifference cell) {
    return switch (cell.kind()) {
      case MISSING, UNLOGGED, REFUSED, ACCEPTED_HERE -> true;
      case EXTRA, CHANGED, INVERTED -> false;
    };
  }
}
