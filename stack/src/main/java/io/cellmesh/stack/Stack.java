package io.cellmesh.stack;

import io.cellmesh.deployment.Deployment;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.MemoryReport;
import io.cellmesh.devstack.Progress;
import io.cellmesh.operations.OperationListener;
import java.io.IOException;
import java.util.Locale;

/**
 * A running instance with everything that belongs to it. It ends with {@link #close} or with this
 * JVM, unless it is kept.
 */
public final class Stack implements AutoCloseable {
  private final DevStack devStack;
  private final StateDirectory directory;
  private final Deployment deployment;

  private Stack(DevStack devStack, StateDirectory directory, Deployment deployment) {
    this.devStack = devStack;
    this.directory = directory;
    this.deployment = deployment;
  }

  /**
   * Starts the servers and makes an instance of them; returns when cells can be produced and come
   * out everywhere. What was started is stopped again if a step fails.
   */
  public static Stack start(StackOptions options, OperationListener steps) throws Exception {
    var home = StateDirectory.home();
    var devStack =
        steps.call(
            "servers: MySQL, Kafka and Connect in " + datacenters(options.datacenters()),
            step -> DevStack.start(options.devStack(home), progress(step)));
    boolean ready = false;
    try {
      var directory = new StateDirectory(devStack.stateDir());
      var users = RoleUsers.of(directory.path());
      if (users.isPresent()) {
        users.get().writeSecrets();
      }
      var kafka = KafkaUsers.of(directory.path());
      if (kafka.isPresent()) {
        kafka.get().create(devStack);
      }
      directory.writeDeployment(options);
      var deployment = directory.open();
      var creation = new InstanceCreation(devStack, deployment, options, home);
      steps.run("topics of each data centre", creation::topics);
      creation.startApplications();
      steps.run("databases: one a shard, and the index tables", creation::databases);
      steps.run("connectors: sources, sink, index sinks", creation::connectors);
      steps.run(applications(options), creation::awaitApplications);
      ready = true;
      return new Stack(devStack, directory, deployment);
    } finally {
      if (!ready) {
        devStack.close();
      }
    }
  }

  public DevStack devStack() {
    return devStack;
  }

  public StateDirectory directory() {
    return directory;
  }

  /** What runs, with the roles as they are now. */
  public Deployment deployment() throws IOException {
    return directory.open();
  }

  public MemoryReport memory() {
    return devStack.memory();
  }

  /** Leaves it running when this JVM ends, and lets later commands find it. */
  public void keep() throws IOException {
    devStack.keep();
    directory.remember();
  }

  @Override
  public void close() {
    devStack.close();
  }

  private static String applications(StackOptions options) {
    return options.http()
        ? "index-streams, herb-replicator and the workers"
        : "index-streams and herb-replicator";
  }

  private static String datacenters(int count) {
    return count == 1 ? "one data centre" : count + " data centres";
  }

  private static Progress progress(OperationListener.Step step) {
    return new Progress() {
      @Override
      public void step(String text) {
        step.detail(text);
      }

      @Override
      public void bytes(String what, long done, long total) {
        step.detail(
            total > 0
                ? String.format(Locale.ROOT, "%s %.1f of %.1f MB", what, done / 1e6, total / 1e6)
                : String.format(Locale.ROOT, "%s %.1f MB", what, done / 1e6));
      }
    };
  }
}
