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
import java.util.function.Consumer;
import org.apache.kafka.common.KafkaException;

/**
 * Reads all the time what the data centres fold of each other, and tells of each origin and each
 * other one how they compare. Whoever read it whole when asked would take ten seconds for it of the
 * machine whose recovery is timed. What a log lacks is counted, and not looked up.
 */
final class ProofReader implements AutoCloseable {
  private static final Duration EVERY = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final List<Side> sides = new ArrayList<>();
  private final List<Pair> pairs = new ArrayList<>();
  private final Thread thread = new Thread(this::run, "proof-reader");
  private volatile Consumer<List<LinkProof>> told = links -> {};
  private volatile boolean stopped;

  /** A data centre, and what of its checkpoints is open. */
  private static final class Side {
    private final DataCenter dc;
    private CheckpointTopic topic;
    private String away = "";

    Side(DataCenter dc) {
      this.dc = dc;
    }

    void readOn(List<Pair> pairs) {
      try {
        if (topic == null) {
          topic = new CheckpointTopic(dc.kafka(), dc.topology());
        }
        topic.readToEnd((key, value) -> pairs.forEach(pair -> pair.take(this, key, value)));
        away = "";
      } catch (KafkaException e) {
        // It may be the one that was struck, and is read anew when it is back.
        close();
        away = "%s: %s".formatted(dc.name(), e.getMessage());
      }
    }

    void close() {
      if (topic != null) {
        topic.close();
        topic = null;
      }
    }
  }

  private record Pair(Side origin, Side here, Agreement agreement) {
    void take(Side told, byte[] key, byte[] value) {
      if (told == here) {
        agreement.here(key, value);
      } else if (told == origin) {
        agreement.there(key, value);
      }
    }

    LinkProof proof() {
      var verdict = agreement.verdict();
      var away = origin.away.isEmpty() ? here.away : origin.away;
      return new LinkProof(
          origin.dc.name(),
          here.dc.name(),
          Optional.of(verdict).filter(read -> away.isEmpty()),
          away,
          List.of(),
          verdict.absentCells(),
          Optional.empty(),
          System.currentTimeMillis());
    }
  }

  private ProofReader(Deployment deployment) {
    deployment.datacenters().forEach(dc -> sides.add(new Side(dc)));
    for (var origin : sides) {
      for (var here : sides) {
        if (here != origin) {
          var agreement = new Agreement(origin.dc.name(), deployment.shards());
          pairs.add(new Pair(origin, here, agreement));
        }
      }
    }
  }

  /** Begins, unless there is a single one, of which there is nothing to read. */
  static ProofReader start(Deployment deployment) {
    var reader = new ProofReader(deployment);
    reader.thread.setDaemon(true);
    reader.thread.start();
    return reader;
  }

  /** Tells of each look from now on, on its own thread; nobody else is told any more. */
  void tell(Consumer<List<LinkProof>> who) {
    told = who;
  }

  private void run() {
    try {
      while (!stopped && !pairs.isEmpty()) {
        sides.forEach(side -> side.readOn(pairs));
        told.accept(pairs.stream().map(Pair::proof).toList());
        Thread.sleep(EVERY.toMillis());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      sides.forEach(Side::close);
    }
  }

  @Override
  public void close() {
    stopped = true;
    try {
      thread.join(PATIENCE.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
