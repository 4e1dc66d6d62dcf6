package io.cellmesh.e2e.promotion;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Credentials;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.FixedAccess;
import io.cellmesh.devstack.MySqlServer;
import io.cellmesh.e2e.Command;
import io.cellmesh.e2e.faults.FaultStack;
import io.cellmesh.operations.promotion.Promotion;
import io.cellmesh.stack.StackTopology;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/** The commands that change roles, as a person gives them. */
final class Roles {
  private final FaultStack stack;
  private final String cluster;

  Roles(FaultStack stack, String cluster) {
    this.stack = stack;
    this.cluster = cluster;
  }

  /** Promotes a server, the old master being gone or alive; it must succeed. */
  Command promote(MySqlServer to) {
    var done = attempt(to);
    assertThat(done.exit()).as(done.out() + done.err()).isZero();
    assertThat(stack.cluster(cluster).master()).isSameAs(to);
    return done;
  }

  /** As {@link #promote}, whatever comes of it. */
  Command attempt(MySqlServer to) {
    return stack.command(
        "promote", "--cluster", cluster, "--to", address(to), "--old-master-is-gone");
  }

  /** A promotion that a test has in its own hands, so that things can happen in its midst. */
  Promotion promotion(MySqlServer to) throws IOException {
    var root = new Credentials("root", "");
    var store = new StackTopology(stack.directory(), "dc1");
    var site =
        new DataCenter(
            "dc1",
            store.read(),
            store,
            FixedAccess.plain(stack.bootstrap(), URI.create(stack.askedWorker().url()), root));
    return new Promotion(site, cluster, address(to));
  }

  /** Adds a minion, a new one unless words say which. */
  void addMinion(String... words) {
    var all = new ArrayList<>(List.of("minion", "add", "--cluster", cluster));
    all.addAll(List.of(words));
    var done = stack.command(all.toArray(String[]::new));
    assertThat(done.exit()).as(done.out() + done.err()).isZero();
  }

  void removeMinion(MySqlServer minion) {
    var done = stack.command("minion", "remove", "--cluster", cluster, "--server", address(minion));
    assertThat(done.exit()).as(done.out() + done.err()).isZero();
    assertThat(minion.isAlive()).isFalse();
  }

  MySqlServer master() {
    return stack.master(cluster);
  }

  MySqlServer minion(int number) {
    return stack.cluster(cluster).minions().get(number);
  }

  int epoch() {
    return stack.cluster(cluster).epoch();
  }

  static String address(MySqlServer server) {
    return server.server().address();
  }
}
