package io.cellmesh.operations.mesh;

import static java.util.stream.Collectors.toMap;

import io.cellmesh.cell.LinkHold;
import io.cellmesh.cell.proof.Agreement;
import io.cellmesh.cell.proof.BucketKey;
import io.cellmesh.cell.proof.Difference;
import io.cellmesh.cell.proof.FoldSource;
import io.cellmesh.cell.proof.TableVerdict;
import io.cellmesh.cell.proof.Verdict;
import io.cellmesh.deployment.CheckpointTopic;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.deployment.peer.PeerAwayException;
import io.cellmesh.deployment.peer.PeerCheckpoints;
import io.cellmesh.deployment.peer.PeerHttp;
import io.cellmesh.deployment.peer.PeerRefusedException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.kafka.common.KafkaException;

/**
 * Compares what all data centres have folded of each other, and looks up in the tables why a log
 * lacks cells: the ledger of conflicts tells only of those that are another value, and of an equal
 * cell that both accepted nothing but the row itself knows.
 *
 * <p>One whose brokers are out of reach is asked over HTTP for those that read it so, each as that
 * one. What it has folded of cells of theirs is compared as well; what its log lacks of these can't
 * be looked up.
 */
public final class MeshProof {
  /** Buckets of which the cells are looked up; each costs a reading of two stretches of logs. */
  private static final int LOOKED_UP = 64;

  private final Deployment deployment;
  private final boolean tables;

  private final Map<Pair, Agreement> agreements = new HashMap<>();
  private final Map<String, String> unreadable = new HashMap<>();

  /** The pairs of which one is asked over HTTP, with what came of it; empty if it answered. */
  private final Map<Set<DataCenter>, Optional<String>> overHttp = new HashMap<>();

  private final Map<String, Map<String, LinkHold>> holds = new HashMap<>();
  private final Map<String, Map<Integer, TableVerdict>> scrubbed = new TreeMap<>();

  private record Pair(DataCenter origin, DataCenter here) {}

  /**
   * What all have told.
   *
   * @param links of each origin and each other data centre
   * @param tables of each data centre whose brokers are in reach
   */
  public record Told(List<LinkProof> links, List<TableProof> tables) {
    public Told {
      links = List.copyOf(links);
      tables = List.copyOf(tables);
    }
  }

  private MeshProof(Deployment deployment, boolean tables) {
    this.deployment = deployment;
    this.tables = tables;
    for (var origin : deployment.datacenters()) {
      for (var here : deployment.datacenters()) {
        if (!here.equals(origin)) {
          agreements.put(new Pair(origin, here), new Agreement(origin.name(), deployment.shards()));
        }
      }
    }
  }

  /**
   * Reads what all have told, and answers for each origin and each other data centre.
   *
   * @param tables whether the entity tables are read and stand for the logs of the data centres
   *     that are compared with an origin
   */
  public static List<LinkProof> of(Deployment deployment, boolean tables)
      throws SQLException, InterruptedException {
    return told(deployment, tables).links();
  }

  /** As {@link #of}, with what was found in the tables of each data centre. */
  public static Told told(Deployment deployment, boolean tables)
      throws SQLException, InterruptedException {
    var proof = new MeshProof(deployment, tables);
    for (var dc : deployment.datacenters()) {
      proof.readHolds(dc);
    }
    for (var dc : deployment.datacenters()) {
      if (proof.lost(dc.name()).isEmpty() && !proof.unreadable.containsKey(dc.name())) {
        proof.read(dc);
      }
    }
    for (var dc : deployment.datacenters()) {
      for (var reader : deployment.datacenters()) {
        if (!dc.knowsKafka() && proof.lost(dc.name()).isEmpty() && reader.knowsKafka()) {
          proof.readOverHttp(dc, reader);
        }
      }
    }
    // To look cells up may take long, in which what was read grows no older.
    long now = System.currentTimeMillis();
    var links = new ArrayList<LinkProof>();
    for (var origin : deployment.datacenters()) {
      for (var here : deployment.datacenters()) {
        if (!here.equals(origin)) {
          links.add(proof.link(new Pair(origin, here), now));
        }
      }
    }
    return new Told(links, proof.scrubbed());
  }

  private List<TableProof> scrubbed() {
    return deployment.datacenters().stream()
        .filter(dc -> scrubbed.containsKey(dc.name()))
        .map(
            dc ->
                TableProof.of(
                    dc, List.copyOf(scrubbed.get(dc.name()).values()), System.currentTimeMillis()))
        .toList();
  }

  /**
   * Says which data centres went back in time, of those that answer and nobody has given up.
   *
   * @param unknown as for {@link Setback#among}
   */
  public static List<String> setbacks(Deployment deployment, Consumer<String> unknown)
      throws InterruptedException {
    var proof = new MeshProof(deployment, false);
    deployment.datacenters().forEach(proof::readHolds);
    var there =
        deployment.datacenters().stream()
            .filter(dc -> proof.lost(dc.name()).isEmpty())
            .filter(dc -> !proof.unreadable.containsKey(dc.name()))
            .toList();
    return Setback.among(there, there, unknown);
  }

  private void readHolds(DataCenter dc) {
    if (!dc.knowsKafka()) {
      unreadable.put(
          dc.name(),
          dc.name()
              + ": its brokers are out of reach from here, and none that is in reach reads it over HTTP");
      return;
    }
    try {
      holds.put(dc.name(), new LinkHolds(dc).all());
    } catch (KafkaException e) {
      unreadable.put(dc.name(), "%s: %s".formatted(dc.name(), e.getMessage()));
    }
  }

  /** That a data centre is given up as lost, as another one has it. */
  private Optional<LinkHold> lost(String name) {
    return holds.values().stream()
        .map(held -> held.get(name))
        .filter(hold -> hold != null && hold.kind() == LinkHold.Kind.LOST)
        .findFirst();
  }

  private Optional<LinkHold> hold(String origin, String here) {
    return lost(origin)
        .or(() -> lost(here))
        .or(() -> Optional.ofNullable(holds.getOrDefault(here, Map.of()).get(origin)));
  }

  private void read(DataCenter dc) throws SQLException, InterruptedException {
    var verdicts = new TreeMap<Integer, TableVerdict>();
    try (var checkpoints = new CheckpointTopic(dc.kafka(), dc.topology())) {
      checkpoints.readToEnd(
          (key, value) -> {
            take(dc, key, value);
            TableVerdict.read(new String(key, StandardCharsets.UTF_8), value)
                .ifPresent(verdict -> verdicts.put(verdict.partition(), verdict));
          });
      scrubbed.put(dc.name(), verdicts);
    } catch (KafkaException e) {
      unreadable.put(dc.name(), "%s: %s".formatted(dc.name(), e.getMessage()));
      return;
    }
    if (tables) {
      readTables(dc);
    }
  }

  private void take(DataCenter dc, byte[] key, byte[] value) {
    agreements.forEach(
        (pair, agreement) -> {
          if (pair.here().equals(dc) && !(tables && isOfLog(key))) {
            agreement.here(key, value);
          } else if (pair.origin().equals(dc)) {
            agreement.there(key, value);
          }
        });
  }

  /** Reads what a data centre has folded that concerns one that reads it over HTTP. */
  private void readOverHttp(DataCenter dc, DataCenter reader) throws InterruptedException {
    var peer = PeerHttp.of(reader, dc.name());
    if (peer.isEmpty()) {
      return;
    }
    var theirs = agreements.get(new Pair(dc, reader));
    var ours = agreements.get(new Pair(reader, dc));
    Optional<String> why = Optional.empty();
    try (var checkpoints = new PeerCheckpoints(peer.get(), reader.topology())) {
      checkpoints.readToEnd(
          (key, value) -> {
            theirs.there(key, value);
            ours.here(key, value);
          });
    } catch (PeerAwayException | PeerRefusedException | IllegalStateException e) {
      why = Optional.of(e.getMessage());
    }
    overHttp.put(Set.of(dc, reader), why);
  }

  /** Why a pair can't be compared; empty if it can. */
  private Optional<String> unread(Pair pair) {
    var origin = pair.origin();
    var here = pair.here();
    var asked = overHttp.get(Set.of(origin, here));
    if (asked == null) {
      return Optional.ofNullable(
          unreadable.getOrDefault(origin.name(), unreadable.get(here.name())));
    }
    if (asked.isPresent()) {
      return asked;
    }
    if (tables && !here.knowsKafka()) {
      return Optional.of(
          "%s: its tables are read where its brokers are in reach".formatted(here.name()));
    }
    return Optional.ofNullable(unreadable.get((here.knowsKafka() ? here : origin).name()));
  }

  private void readTables(DataCenter dc) throws SQLException, InterruptedException {
    try (var rows = new TableFold(dc)) {
      rows.read(
          (key, value) ->
              agreements.forEach(
                  (pair, agreement) -> {
                    if (pair.here().equals(dc)) {
                      agreement.here(key, value);
                    }
                  }));
    }
  }

  private static boolean isOfLog(byte[] key) {
    return BucketKey.parse(new String(key, StandardCharsets.UTF_8))
        .filter(bucket -> bucket.source() == FoldSource.LOG)
        .isPresent();
  }

  private LinkProof link(Pair pair, long now) throws SQLException, InterruptedException {
    var origin = pair.origin().name();
    var here = pair.here().name();
    var hold = hold(origin, here);
    var lost = lost(origin).or(() -> lost(here)).map(LinkHold::text).orElse(null);
    var why = unread(pair);
    if (why.isPresent() || lost != null) {
      return new LinkProof(
          origin, here, Optional.empty(), why.orElse(lost), List.of(), 0, hold, now);
    }
    var verdict = agreements.get(pair).verdict();
    // What one lacks whose brokers are out of reach can be looked up by nobody here.
    int some = pair.here().knowsKafka() ? Math.min(LOOKED_UP, verdict.absent().size()) : 0;
    long unexamined = verdict.absent().stream().skip(some).mapToLong(Difference::count).sum();
    return new LinkProof(
        origin, here, Optional.of(verdict), "", absent(pair, verdict, some), unexamined, hold, now);
  }

  private List<CellDifference> absent(Pair pair, Verdict verdict, int some)
      throws SQLException, InterruptedException {
    if (some == 0) {
      return List.of();
    }
    var looked = verdict.absent().subList(0, some);
    var ranges =
        looked.stream()
            .map(cells -> IdRange.ofBlocks(cells.cells().shard(), cells.first(), cells.last()))
            .toList();
    var comparison = new CellComparison(pair.origin(), pair.here(), FoldSource.LOG);
    if (tables) {
      return absent(comparison.withTables(ranges));
    }
    var found = absent(comparison.of(ranges, stretches(pair, looked)));
    // A log that was made again since may have them elsewhere.
    boolean all = found.size() >= looked.stream().mapToLong(Difference::count).sum();
    return all ? found : absent(comparison.of(ranges));
  }

  private Map<Integer, LogStretches> stretches(Pair pair, List<Difference> looked) {
    var shards = pair.origin().topology().shards();
    var agreement = agreements.get(pair);
    return looked.stream()
        .collect(
            toMap(
                cells -> shards.partitionOf(cells.cells().shard()),
                cells ->
                    new LogStretches(agreement.stretchThere(cells), agreement.stretchHere(cells)),
                LogStretches::with));
  }

  private static List<CellDifference> absent(List<CellDifference> found) {
    return found.stream().filter(MeshProof::isAbsent).toList();
  }

  /**
   * Whatever else differs is told by the buckets; of a block with an absent cell they can't tell
   * whether another one is changed.
   */
  private static boolean isAbsent(CellDifference cell) {
    return switch (cell.kind()) {
      case MISSING, UNLOGGED, REFUSED, ACCEPTED_HERE, CHANGED -> true;
      case EXTRA, INVERTED, ON_ITS_WAY -> false;
    };
  }
}
