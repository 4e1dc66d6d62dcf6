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
final class HomeComing implements AutoCloseable {
  /** A sink that has nothing for a lane takes its position along once a minute. */
  private static final Duration STALL = Duration.ofMinutes(4);

  private static final Duration POLL = Duration.ofSeconds(1);

  private final DataCenterLoss loss;
  private final DataCenter back;
  private final Setback setback;
  private final List<MasterReopening> reopenings = new ArrayList<>();

  HomeComing(DataCenterLoss loss, DataCenter back, Setback setback) throws IOException {
    this.loss = loss;
    this.back = back;
    this.setback = setback;
    for (var cluster : back.topology().clusters()) {
      reopenings.add(new MasterReopening(back, cluster.name()));
    }
  }

  /**
   * Says what is lost, and what can't be brought back; changes nothing.
   *
   * @throws OperationException if its masters can't be opened as they are
   */
  List<String> findings() throws SQLException, InterruptedException {
    needed();
    var findings = new ArrayList<String>();
    findings.add(setback.text());
    findings.addAll(setback.relay().beyondReach());
    return findings;
  }

  /**
   * Brings it back.
   *
   * @return what a person should know
   */
  List<String> run(OperationListener steps) throws Exception {
    if (back.strimzi().isPresent()) {
      throw OperationException.refused(
          "Strimzi owns the connectors of %s, and this changes the sink's topics for a while: pause their reconciliation and leave `strimzi` out of the file that this command reads"
              .formatted(back.name()));
    }
    var told = new ArrayList<String>();
    var needed = needed();
    var sink = sink();
    steps.run("the sink of %s takes the mesh alone".formatted(back.name()), step -> sink.begin());
    for (var reopening : needed) {
      told.addAll(reopening.run(setback::known, steps));
    }
    var left = Setback.of(back.with(back.store().read()), loss.survivors());
    told.addAll(left.relay().beyondReach());
    steps.run(
        "lost cells come to the mesh topic of %s".formatted(back.name()),
        step ->
            step.result(
                "%,d cells of its own came to the mesh topic of %s"
                    .formatted(left.relay().run(step), back.name())));
    told.addAll(steps.call("its tables have them", step -> await(left.gaps(), step)));
    told.addAll(end(sink, steps));
    return told;
  }

  /**
   * Ends one that was interrupted when all had come back, and whose sink takes the mesh alone yet.
   *
   * @return what a person should know
   * @throws OperationException if Connect does not answer
   */
  List<String> end(OperationListener steps) throws Exception {
    var sink = sink();
    return sink.isInEffect() ? end(sink, steps) : List.of();
  }

  private List<String> end(MeshAlone sink, OperationListener steps) throws Exception {
    steps.run("the sink takes what producers write", step -> sink.end());
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

  @Override
  public void close() {
    reopenings.forEach(MasterReopening::close);
  }

  /** Those masters that are to be opened, all of which may be. */
  private List<MasterReopening> needed() throws SQLException {
    var needed = new ArrayList<MasterReopening>();
    for (var reopening : reopenings) {
      if (reopening.isNeeded(setback::known)) {
        reopening.check();
        needed.add(reopening);
      }
    }
    return needed;
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
    return Setback.of(back.with(back.store().read()), loss.survivors()).gaps().stream()
        .map(
            gap ->
                "the last cell of shard %d was refused in %s, since its key has another value there: `cellmesh conflicts ls`"
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
