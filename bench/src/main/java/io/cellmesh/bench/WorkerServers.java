package io.cellmesh.bench;

import io.cellmesh.cell.Credentials;
import io.cellmesh.connect.client.Waiting;
import io.cellmesh.devstack.CellmeshHome;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.DevStackException;
import io.cellmesh.devstack.HugePages;
import io.cellmesh.devstack.JavaApp;
import io.cellmesh.devstack.Progress;
import io.cellmesh.storage.MySqlOptions;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.index.IndexCatalog;
import io.cellmesh.storage.index.IndexReader;
import io.cellmesh.storage.index.IndexSchema;
import io.cellmesh.storage.index.IndexVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Two masters with cells and an index, the shipped sink, and a worker node as it is started. */
final class WorkerServers implements AutoCloseable {
  private static final int SHARDS = 64;
  private static final int OK = 200;
  private static final Duration START = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(200);
  private static final List<String> HEAP = List.of("-Xms512m", "-Xmx512m", "-XX:+UseSerialGC");

  private final OurSink sink;
  private final SinkHarness harness;
  private final Pools pools;
  private final IndexReader index;
  private final int port;
  private final JavaApp worker;

  private WorkerServers(OurSink sink, Progress progress) throws Exception {
    this.sink = sink;
    this.harness = new SinkHarness(sink, 20260602, progress);
    harness.prepare();
    this.pools = new Pools(new Credentials("root", ""), MySqlOptions.DEFAULT.withMultiStatements());
    progress.step("%,d rows and the entries of as many drivers".formatted(WorkerRows.COUNT));
    WorkerRows.write(sink.topology(), sink::master);
    this.index = index(progress);
    this.port = DevStack.freePort();
    progress.step("a worker node");
    this.worker = sink.stack().startApp(spec());
    awaitReady();
  }

  static WorkerServers start(ShippedConnector shipped, Progress progress) throws Exception {
    var sink = OurSink.start(SHARDS, 0, shipped, progress);
    boolean up = false;
    try {
      var servers = new WorkerServers(sink, progress);
      up = true;
      return servers;
    } finally {
      if (!up) {
        sink.close();
      }
    }
  }

  OurSink sink() {
    return sink;
  }

  SinkHarness harness() {
    return harness;
  }

  JavaApp worker() {
    return worker;
  }

  int port() {
    return port;
  }

  /** Askers of the worker. */
  Asker.Opening overHttp() {
    return () -> new HttpAsker(port);
  }

  /** Askers of the masters. */
  Asker.Opening plain() {
    return () -> new PlainAsker(sink.topology(), index);
  }

  @Override
  public void close() {
    pools.close();
    sink.close();
  }

  private IndexReader index(Progress progress) throws Exception {
    var definition = BenchIndexes.all(1).get(0);
    new IndexSchema(sink.topology(), definition, pools).create(made -> {});
    new IndexQueries(sink.topology(), definition, progress).fill(pools, WorkerRows.COUNT);
    new IndexCatalog(sink.topology(), pools)
        .put(List.of(new IndexVersion(definition, IndexVersion.State.SERVING, "bench", 0)));
    return new IndexReader(definition, sink.topology(), pools, false);
  }

  private JavaApp.Spec spec() throws IOException {
    var stack = sink.stack();
    var deployment = stack.stateDir().resolve("worker.yaml");
    Files.writeString(
        deployment,
        """
        instance: trips
        datacenters:
          - name: %s
            topology: "%s"
            kafka: {bootstrap: "%s"}
            connect: {url: "%s"}
            mysql: {user: root, ssl: DISABLED}
        """
            .formatted(
                Servers.DATACENTER,
                stack.topologyFile(Servers.DATACENTER),
                stack.broker(Servers.DATACENTER).bootstrap(),
                stack.worker(Servers.DATACENTER).client().worker()));
    var flags = new ArrayList<>(HEAP);
    flags.addAll(HugePages.flags());
    return new JavaApp.Spec(
        "worker-node",
        CellmeshHome.application(CellmeshHome.dir(), "cli"),
        "io.cellmesh.cli.Main",
        List.of(
            "worker",
            "run",
            "--deployment",
            deployment.toString(),
            "--port",
            Integer.toString(port)),
        Map.of(),
        flags);
  }

  private void awaitReady() throws InterruptedException {
    if (!Waiting.within(START, POLL, this::ready)) {
      throw new DevStackException("the worker node is not ready; see " + worker.log());
    }
  }

  private boolean ready() {
    try (var connection = new HttpConnection(port)) {
      return connection.get("/readyz").status() == OK;
    } catch (IOException e) {
      return false;
    }
  }
}
