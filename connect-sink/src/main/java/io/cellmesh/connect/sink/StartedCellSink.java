package io.cellmesh.connect.sink;

import io.cellmesh.storage.BufferTable;
import io.cellmesh.storage.Nodes;
import io.cellmesh.storage.Pools;
import java.util.Random;
import java.util.stream.Collectors;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.ErrantRecordReporter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A task's core with all that it holds, built once when the task starts. */
final class StartedCellSink implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StartedCellSink.class);
  private static final String THREAD = "cellmesh-sink";

  private final Nodes nodes;
  private final SideBySide sideBySide;
  private final StartChecks checks;
  private final Intake intake;
  private final Reaper reaper;
  private final CellSink core;

  /**
   * @throws ConnectException if a reachable server is one that the sink must not write to; the
   *     message names all of them and what to change
   */
  StartedCellSink(CellSinkConfig config, ErrantRecordReporter reporter) {
    var topology = config.topology();
    this.nodes = new Nodes(new Pools(config.credentials(), config.mysql()));
    this.sideBySide = new SideBySide(THREAD);
    this.checks = new StartChecks(config, nodes, sideBySide, LOG::warn);
    refuseOrGoOn();
    var rejections = new Rejections(reporter);
    var conflicts = new RejectedConflicts(topology.topics(), rejections);
    var lanes = new Lanes(topology);
    var buffer = new BufferTable(topology);
    var laneWriter = new LaneWriter(new PrimaryWriter(topology, nodes, conflicts), lanes);
    this.intake = new Intake(topology, config.bodyLimit(), rejections);
    this.reaper = new Reaper(topology, nodes, buffer, lanes, THREAD + "-reaper");
    this.core =
        new CellSink(
            topology,
            intake,
            rejections,
            conflicts,
            new CopyWriter(topology, nodes, buffer, config.copies(), new Random()),
            laneWriter,
            new CatchUp(topology, nodes, buffer, laneWriter, lanes, sideBySide),
            sideBySide,
            lanes);
    reaper.start(config.reapInterval());
  }

  CellSink core() {
    return core;
  }

  @Override
  public void close() {
    reaper.close();
    sideBySide.close();
    intake.close();
    nodes.close();
  }

  private void refuseOrGoOn() {
    try {
      checkServers();
    } catch (RuntimeException e) {
      sideBySide.close();
      nodes.close();
      throw e;
    }
  }

  /**
   * Judges servers that were down until now.
   *
   * @throws ConnectException naming everything that is wrong with them
   */
  void checkServers() {
    if (!checks.pending()) {
      return;
    }
    var refusals = checks.run();
    if (!refusals.isEmpty()) {
      throw new ConnectException(
          refusals.stream().map(StartChecks.Refusal::text).collect(Collectors.joining("\n")));
    }
  }
}
