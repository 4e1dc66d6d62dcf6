package io.cellmesh.stack.chaos;

import io.cellmesh.cell.proof.Agreement;
import io.cellmesh.deployment.CheckpointTopic;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.operations.mesh.LinkProof;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Reads all the time what the data centres fold of each other, and tells of each origin and each
 * other one how they compare. Whoever read it whole when asked would take ten seconds for it of the
 * machine whose recovery is timed. What a log lacks is counted, and not looked up. One that does
 * not answer is read on when it is back.
 */
final class ProofReader implements AutoCloseable {
  private static final Duration POLL = Duration.ofSeconds(1);

  private final List<Pair> pairs = new ArrayList<>();
  private final List<Watching> sides = new ArrayList<>();
  private Consumer<List<LinkProof>> told = links -> {};

  private record Pair(DataCenter origin, DataCenter here, Agreement agreement) {
    void take(DataCenter told, byte[] key, byte[] value) {
      if (told.equals(here)) {
        agreement.here(key, value);
      } else if (told.equals(origin)) {
        agreement.there(key, value);
      }
    }

    LinkProof proof() {
      var verdict = agreement.verdict();
      return new LinkProof(
          origin.name(),
          here.name(),
          Optional.of(verdict),
          "",
          List.of(),
          verdict.absentCells(),
          Optional.empty(),
          System.currentTimeMillis());
    }
  }

  private ProofReader(Deployment deployment) {
    for (var origin : deployment.datacenters()) {
      for (var here : deployment.datacenters()) {
        if (!here.equals(origin)) {
          pairs.add(new Pair(origin, here, new Agreement(origin.name(), deployment.shards())));
        }
      }
    }
  }

  /** Begins, unless there is a single data centre, of which there is nothing to read. */
  static ProofReader start(Deployment deployment) {
    var reader = new ProofReader(deployment);
    if (!reader.pairs.isEmpty()) {
      for (var dc : deployment.datacenters()) {
        reader.sides.add(
            Watching.start("chaos-proof-" + dc.name(), goesOn -> reader.read(dc, goesOn)));
      }
    }
    return reader;
  }

  /** Tells of what is read from now on, on threads of its own; nobody else is told any more. */
  synchronized void tell(Consumer<List<LinkProof>> who) {
    told = who;
  }

  private void read(DataCenter dc, BooleanSupplier goesOn) {
    try (var checkpoints = new CheckpointTopic(dc.kafka(), dc.topology())) {
      readAll(dc, checkpoints);
      while (goesOn.getAsBoolean()) {
        if (checkpoints.poll(POLL, (key, value) -> take(dc, key, value)) > 0) {
          compare();
        }
      }
    }
  }

  /** While it is read anew, older values stand in place of newer ones, of which nobody is told. */
  private synchronized void readAll(DataCenter dc, CheckpointTopic checkpoints) {
    checkpoints.readToEnd((key, value) -> take(dc, key, value));
  }

  private synchronized void take(DataCenter dc, byte[] key, byte[] value) {
    pairs.forEach(pair -> pair.take(dc, key, value));
  }

  private synchronized void compare() {
    told.accept(pairs.stream().map(Pair::proof).toList());
  }

  @Override
  public void close() {
    sides.forEach(Watching::close);
  }
}
