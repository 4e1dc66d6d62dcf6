package io.cellmesh.operations.mesh;

import io.cellmesh.cell.LinkHold.Kind;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.OperationListener;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Gives up a data centre that is gone: the links to it stand still, and what it had sent to some of
 * the others and not to all is relayed, so that all have the same of it. It is asked for nothing.
 *
 * @param lost its name
 * @param survivors all others
 */
public record DataCenterLoss(String lost, List<DataCenter> survivors) {
  /** A link that runs looks each second, and what it has at hand arrives meanwhile. */
  private static final Duration STILL = Duration.ofSeconds(5);

  public DataCenterLoss {
    survivors = List.copyOf(survivors);
  }

  /**
   * Finds the survivors.
   *
   * @throws OperationException if there is none, or the brokers of one are out of reach from here
   */
  public static DataCenterLoss of(Deployment deployment, String lost) {
    var gone = deployment.datacenter(Optional.of(lost));
    var survivors = deployment.datacenters().stream().filter(dc -> !dc.equals(gone)).toList();
    if (survivors.isEmpty()) {
      throw OperationException.invalid(lost + " is the only data centre of " + deployment.source());
    }
    for (var dc : survivors) {
      if (!dc.knowsKafka()) {
        throw OperationException.invalid(
            "%s does not say how to reach the brokers of %s; run this where those of all survivors are known"
                .formatted(deployment.source(), dc.name()));
      }
    }
    return new DataCenterLoss(lost, survivors);
  }

  /** Says what survivors lack of its cells, and until when it can come back; changes nothing. */
  public List<String> findings() throws InterruptedException {
    var findings = new ArrayList<>(Relay.plan(survivors, lost).findings());
    findings.addAll(deadlines());
    return findings;
  }

  /** Says of each survivor until when the lost data centre can come back and read on there. */
  public List<String> deadlines() throws InterruptedException {
    var deadlines = new ArrayList<String>();
    for (var dc : survivors) {
      deadlines.add(ReturnDeadline.of(dc, lost).text(dc.name(), lost, Instant.now()));
    }
    return deadlines;
  }

  /** Whether it is given up in all others. */
  boolean isGivenUp() {
    return survivors.stream()
        .allMatch(
            dc -> new LinkHolds(dc).of(lost).filter(hold -> hold.kind() == Kind.LOST).isPresent());
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
          for (var dc : survivors) {
            giveUp(dc, by);
          }
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

  private void giveUp(DataCenter dc, String by) throws InterruptedException {
    var holds = new LinkHolds(dc);
    if (holds.of(lost).filter(hold -> hold.kind() == Kind.LOST).isEmpty()) {
      holds.hold(lost, Kind.LOST, by);
    }
  }
}
