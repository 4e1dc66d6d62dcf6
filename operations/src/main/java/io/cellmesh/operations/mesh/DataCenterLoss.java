package io.cellmesh.operations.mesh;

import io.cellmesh.cell.LinkHold.Kind;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.OperationListener;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.KafkaException;

/**
 * Gives up a data centre that is gone: the links to it stand still, and what it had sent to some of
 * the others and not to all is relayed, so that all have the same of it. It is asked for nothing,
 * and neither is another one that is given up already.
 *
 * @param lost its name
 * @param survivors all others
 * @param away the names of others that are given up
 */
public record DataCenterLoss(String lost, List<DataCenter> survivors, List<String> away) {
  /** A link that runs looks each second, and what it has at hand arrives meanwhile. */
  private static final Duration STILL = Duration.ofSeconds(5);

  public DataCenterLoss {
    survivors = List.copyOf(survivors);
    away = List.copyOf(away);
  }

  /** Where no other one is given up. */
  public DataCenterLoss(String lost, List<DataCenter> survivors) {
    this(lost, survivors, List.of());
  }

  /**
   * Finds the survivors.
   *
   * @throws OperationException if there is none, or the brokers of one are out of reach from here
   */
  public static DataCenterLoss of(Deployment deployment, String lost) {
    var gone = deployment.datacenter(Optional.of(lost));
    var others = deployment.datacenters().stream().filter(dc -> !dc.equals(gone)).toList();
    if (others.isEmpty()) {
      throw OperationException.invalid(lost + " is the only data centre of " + deployment.source());
    }
    return of(deployment.source(), lost, others, others.size() == 1 ? Set.of() : givenUp(others));
  }

  /**
   * The same.
   *
   * @param source where the data centres are written down
   * @param givenUp names of data centres that are given up
   */
  static DataCenterLoss of(
      String source, String lost, List<DataCenter> others, Set<String> givenUp) {
    var survivors = others.stream().filter(dc -> !givenUp.contains(dc.name())).toList();
    if (survivors.isEmpty()) {
      throw OperationException.refused(
          "all others are given up as lost: %s; `cellmesh dc back` the one that is there first"
              .formatted(others.stream().map(DataCenter::name).toList()));
    }
    for (var dc : survivors) {
      if (!dc.knowsKafka()) {
        throw OperationException.invalid(
            "%s does not say how to reach the brokers of %s; run this where those of all survivors are known"
                .formatted(source, dc.name()));
      }
    }
    var away = others.stream().map(DataCenter::name).filter(givenUp::contains).toList();
    return new DataCenterLoss(lost, survivors, away);
  }

  /** Who is given up, as any of them says that answers. */
  private static Set<String> givenUp(List<DataCenter> others) {
    var givenUp = new HashSet<String>();
    for (var dc : others) {
      if (dc.knowsKafka()) {
        try {
          new LinkHolds(dc)
              .all()
              .forEach(
                  (peer, hold) -> {
                    if (hold.kind() == Kind.LOST) {
                      givenUp.add(peer);
                    }
                  });
        } catch (KafkaException e) {
          // It is given up by another one, or it is named when it has to answer.
        }
      }
    }
    return givenUp;
  }

  /** Says what survivors lack of its cells, and until when it can come back; changes nothing. */
  public List<String> findings() throws InterruptedException {
    var findings = new ArrayList<>(Relay.plan(survivors, lost).findings());
    findings.addAll(deadlines());
    return findings;
  }

  /**
   * Says of each survivor until when the lost data centre can come back and read on there, and of
   * each other one that is given up what remains to be done.
   */
  public List<String> deadlines() throws InterruptedException {
    var deadlines = new ArrayList<String>();
    for (var dc : survivors) {
      var deadline = AtDataCenter.ask(dc, () -> ReturnDeadline.of(dc, lost));
      deadlines.add(deadline.text(dc.name(), lost, Instant.now()));
    }
    for (var name : away) {
      deadlines.add(
          "%s is given up as well and is not asked: once it is back, `cellmesh dc lost %s --yes` again brings it what the others have"
              .formatted(name, lost));
    }
    return deadlines;
  }

  /** Whether it is given up in all others. */
  boolean isGivenUp() throws InterruptedException {
    for (var dc : survivors) {
      if (!AtDataCenter.ask(dc, () -> isGivenUp(dc))) {
        return false;
      }
    }
    return true;
  }

  private boolean isGivenUp(DataCenter in) {
    return new LinkHolds(in).of(lost).filter(hold -> hold.kind() == Kind.LOST).isPresent();
  }

  /**
   * Gives it up. After an interruption the same again goes on.
   *
   * @param by who says so
   * @param rate cells a second that are read from entity tables, at most; 0 for as fast as possible
   * @return what nobody has any more, in sentences
   */
  public List<String> run(String by, double rate, OperationListener listener) throws Exception {
    listener.run(
        "links to %s stand still".formatted(lost),
        step -> {
          giveUp(by);
          TimeUnit.SECONDS.sleep(STILL.toSeconds());
        });
    var relay =
        listener.call(
            "what all have of %s is known".formatted(lost), step -> Relay.plan(survivors, lost));
    return listener.call(
        "nobody lacks anything of %s".formatted(lost),
        step -> {
          if (relay.isDone()) {
            return List.of();
          }
          var relayed = relay.run(rate, step);
          step.result(
              "%,d cells of %s relayed to those that lacked them".formatted(relayed.cells(), lost));
          return relayed.absence(lost);
        });
  }

  /** First in all that answer: of two that are gone, each can then be given up after the other. */
  private void giveUp(String by) throws Exception {
    var silent = new ArrayList<OperationException>();
    for (var dc : survivors) {
      try {
        AtDataCenter.run(dc, () -> giveUp(dc, by));
      } catch (OperationException e) {
        silent.add(
            OperationException.unavailable(
                "%s; if %s is gone as well: `cellmesh dc lost %s --yes`, and then this again"
                    .formatted(e.getMessage(), dc.name(), dc.name()),
                e));
      }
    }
    if (!silent.isEmpty()) {
      throw silent.get(0);
    }
  }

  private void giveUp(DataCenter dc, String by) throws InterruptedException {
    if (!isGivenUp(dc)) {
      new LinkHolds(dc).hold(lost, Kind.LOST, by);
    }
  }
}
