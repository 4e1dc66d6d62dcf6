package io.cellmesh.connect.sink;

import io.cellmesh.storage.BufferTable;
import io.cellmesh.storage.CopyReaper;
import io.cellmesh.storage.InstanceTable;
import io.cellmesh.storage.NodeUnavailableException;
import io.cellmesh.storage.Nodes;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.TopologyMismatchException;
import java.sql.SQLException;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.ErrantRecordReporter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A task's core with all that it holds, built once when the task starts. */
final class StartedCellSink implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StartedCellSink.class);
  private static final String THREAD = "cellmesh-sink";

  private final Nodes nodes;
  private final ExecutorService threads;
  private final SideBySide sideBySide;
  private final LogStart logStart;
  private final Intake intake;
  private final Reaper reaper;
  private final CellSink core;

  /**
   * @throws ConnectException if a reachable cluster was created with other fixed values
   */
  StartedCellSink(CellSinkConfig config, ErrantRecordReporter reporter) {
    var topology = config.topology();
    this.nodes = new Nodes(new Pools(config.credentials(), config.mysql().withMultiStatements()));
    this.threads =
        Executors.newCachedThreadPool(
            task -> {
              var thread = new Thread(task, THREAD);
              thread.setDaemon(true);
              return thread;
            });
    this.sideBySide = new SideBySide(THREAD + "-check");
    checkInstance(config);
    var rejections = new Rejections(reporter);
    var conflicts = new RejectedConflicts(topology.topics(), rejections);
    var lanes = new Lanes(topology);
    var buffer = new BufferTable(topology);
    var primaries = new Primaries(threads);
    var writer = new PrimaryWriter(topology, nodes, conflicts);
    this.intake = new Intake(topology, config.bodyLimit(), rejections);
    this.logStart = new LogStart(config.kafka());
    this.reaper = new Reaper(new CopyReaper(topology, nodes, buffer), lanes, THREAD + "-reaper");
    this.core =
        new CellSink(
            intake,
            rejections,
            conflicts,
            new Surveillance(topology, new Continuity(logStart), lanes),
            new Copies(
                topology,
                nodes,
                new CopyWriter(topology, nodes, buffer, new Random()),
                lanes,
                primaries,
                threads,
                config.copies()),
            new LaneWriter(topology, writer, primaries, lanes),
            new CatchUp(
                topology,
                nodes,
                new Replay(new Chains(topology, nodes, buffer), writer),
                primaries,
                lanes),
            lanes);
    reaper.start(config.reapInterval());
  }

  CellSink core() {
    return core;
  }

  @Override
  public void close() {
    reaper.close();
    threads.shutdownNow();
    sideBySide.close();
    logStart.close();
    intake.close();
    nodes.close();
  }

  private void checkInstance(CellSinkConfig config) {
    var topology = config.topology();
    sideBySide.run(
        topology.clusters(),
        cluster -> {
          try {
            nodes
                .of(cluster.master())
                .call(
                    connection -> {
                      InstanceTable.check(connection, topology, cluster);
                      return null;
                    });
          } catch (NodeUnavailableException e) {
            LOG.warn(
                "master of {} is down, so it could not be checked: {}",
                cluster.name(),
                e.getMessage());
          } catch (TopologyMismatchException e) {
            throw new ConnectException(e.getMessage(), e);
          } catch (SQLException e) {
            throw new ConnectException(
                "master of %s (%s): %s"
                    .formatted(cluster.name(), cluster.master().address(), e.getMessage()),
                e);
          }
        });
  }
}
