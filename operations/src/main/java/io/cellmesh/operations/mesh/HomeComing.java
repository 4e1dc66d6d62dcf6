package io.cellmesh.operations.mesh;

import io.cellmesh.connect.client.Waiting;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.operations.ConnectClients;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.OperationListener;
import io.cellmesh.operations.OperationListener.Step;
import io.cellmesh.operations.ingest.IngestFinding;
import io.cellmesh.operations.ingest.IngestInspection;
import io.cellmesh.operations.mesh.RelayPlan.Gap;
import io.cellmesh.operations.promotion.MasterReopening;
import io.cellmesh.storage.Nodes;
import io.cellmesh.storage.Pools;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.TopicOffsets;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Brings a data centre the cells of its own back that its tables have lost.
 *
 * <p>Its masters are opened with added_ids beyond all that anybody knows. Then the lost cells come
 * through its mesh topic, in their order, with the ids that they had: so they are for everybody
 * what they were. Only then does its sink take what its producers have written; what of that the
 * tables had lost as well it reads again by itself, and finds it there.
 *
 * <p>Each step finds what is done, so that after an interruption the same again goes on.
 */
final class HomeComing {
  /** A sink that has nothing for a lane takes its position along once a minute. */
  private static final Duration STALL = Duration.ofMinutes(4);

  private static final Duration POLL = Duration.ofSeconds(1);

  private final DataCenterLoss loss;
  private final DataCenter back;
  private final Setback setback;

  HomeComing(DataCenterLoss loss, DataCenter back, Setback setback) {
    this.loss = loss;
    this.back = back;
    this.setback = setback;
  }

  /**
   * Says what is lost, and what can't be brought back; changes nothing.
   *
   * @throws OperationException if its masters can't be opened as they are
   */
  List<String> findings() throws IOException, SQLException, InterruptedException {
    requireOpenable();
    var findings = new ArrayList<String>();
    findings.add(setback.text());
    findings.addAll(setback.relay().inTablesAlone());
    return findings;
  }

  /**
   * Brings it back.
   *
   * @param rate cells a second that are read from entity tables, at most; 0 for as fast as possible
   * @return what a person should know
   */
  List<String> run(double rate, OperationListener steps) throws Exception {
    if (back.strimzi().isPresent()) {
      throw OperationException.refused(
          "Strimzi owns the connectors of %s, and this changes the sink's topics for a while: pause their reconciliation and leave `strimzi` out of the file that this command reads"
              .formatted(back.name()));
    }
    requireOpenable();
    steps.run("the sink of %s takes the mesh alone".formatted(back.name()), step -> sink().begin());
    // Each reads the map anew: the one before may have written it.
    for (var cluster : back.topology().clusters()) {
      try (var reopening = new MasterReopening(back, cluster.name())) {
        reopening.claim(setback::known, steps);
      }
    }
    var told = new ArrayList<String>();
    for (var cluster : back.topology().clusters()) {
      try (var reopening = new MasterReopening(back, cluster.name())) {
        told.addAll(reopening.open(steps));
      }
    }
    var left = Setback.of(back.with(back.store().read()), loss.survivors());
    var relayed =
        steps.call(
            "lost cells come to the mesh topic of %s".formatted(back.name()),
            step -> {
              var run = left.relay().run(rate, step);
              step.result(
                  "%,d cells of its own came to the mesh topic of %s"
                      .formatted(run.cells(), back.name()));
              return run;
            });
    told.addAll(relayed.absence(back.name()));
    told.addAll(steps.call("its tables have them", step -> await(relayed.brought(), step)));
    told.addAll(end(steps));
    return told;
  }

  /**
   * Has its sink take what producers write, also where that was interrupted when all had come back.
   *
   * @return what a person should know
   * @throws OperationException if Connect does not answer
   */
  List<String> end(OperationListener steps) throws Exception {
    var sink = sink();
    if (sink.isInEffect()) {
      steps.run("the sink takes what producers write", step -> sink.end());
    }
    return gone();
  }

  private MeshAlone sink() {
    return new MeshAlone(ConnectClients.of(back), back.topology());
  }

  /** What its ingest topics no longer have, of what a backup lacks. */
  private List<String> gone() throws IOException, SQLException {
    var found = back.with(back.store().read());
    try (var nodes = new Nodes(new Pools(found.operator()))) {
      return new IngestInspection(found, nodes)
          .run().stream()
              .filter(IngestFinding::bad)
              .map(finding -> finding.topic().of(found.topology().topics()))
              .distinct()
              .map(
                  topic ->
                      "%s no longer has all that comes behind the backup: see `cellmesh ingest check --dc %s`; `cellmesh ingest accept --dc %s --topic %s` goes on without it"
                          .formatted(topic, back.name(), back.name(), topic))
              .toList();
    }
  }

  /**
   * Looks at all masters before one is changed.
   *
   * @throws OperationException if one is to be opened that must not be
   */
  private void requireOpenable() throws IOException, SQLException {
    for (var cluster : back.topology().clusters()) {
      try (var reopening = new MasterReopening(back, cluster.name())) {
        if (reopening.isNeeded(setback::known)) {
          reopening.check();
        }
      }
    }
  }

  /** Waits until each shard has its last cell, or has passed it; returns what was refused. */
  private List<String> await(List<Gap> gaps, Step step)
      throws IOException, SQLException, InterruptedException {
    try (var client = Consumers.open(back.kafka());
        var tables = new OwnTables(back.with(back.store().read()))) {
      var ends = TopicOffsets.of(client, back.topology().topics().mesh());
      var left =
          Waiting.whileItMoves(
              STALL,
              POLL,
              () -> {
                var waiting = waiting(gaps, tables, ends);
                step.progress(gaps.size() - waiting.gaps().size(), gaps.size());
                return waiting;
              },
              Left::reached,
              (waiting, moved) -> waiting.gaps().isEmpty());
      if (!left.gaps().isEmpty()) {
        throw OperationException.unavailable(
            "the sink of %s does not bring on %d shards, such as %d: see `cellmesh status` and `cellmesh ingest check`; the same command goes on afterwards"
                .formatted(back.name(), left.gaps().size(), left.gaps().get(0).shard()));
      }
    }
    var now = Setback.of(back.with(back.store().read()), loss.survivors());
    return gaps.stream()
        .filter(gap -> now.has(gap.shard()) < gap.last())
        .map(
            gap ->
                "the last cell of shard %d that came was refused in %s, since its key has another value there: `cellmesh conflicts ls`"
                    .formatted(gap.shard(), back.name()))
        .toList();
  }

  /**
   * What has not come yet.
   *
   * @param reached the sum of the last ids and the positions, which rises as long as records come
   */
  private record Left(List<Gap> gaps, long reached) {}

  private Left waiting(List<Gap> gaps, OwnTables tables, TopicOffsets ends) throws SQLException {
    var shards = back.topology().shards();
    var waiting = new ArrayList<Gap>();
    long reached = 0;
    for (var gap : gaps) {
      long has = tables.lastId(gap.shard(), gap.last());
      long taken = tables.taken(gap.shard());
      reached += has + taken;
      if (has < gap.last() && taken < ends.end(shards.partitionOf(gap.shard()))) {
        waiting.add(gap);
      }
    }
    return new Left(waiting, reached);
  }
}
