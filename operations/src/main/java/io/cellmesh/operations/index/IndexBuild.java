package io.cellmesh.operations.index;

import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.connect.client.ConnectClientException;
import io.cellmesh.connect.client.ConnectorStatus;
import io.cellmesh.deployment.Pass;
import io.cellmesh.deployment.StoredPasses;
import io.cellmesh.operations.ConnectClients;
import io.cellmesh.operations.OperationListener.Step;
import io.cellmesh.operations.connectors.ConnectorRollout;
import io.cellmesh.operations.connectors.InstanceConnectors;
import io.cellmesh.operations.instance.InstanceTopics;
import io.cellmesh.operations.verify.IndexProof;
import io.cellmesh.storage.index.IndexCatalog;
import io.cellmesh.storage.index.IndexSchema;
import io.cellmesh.storage.index.IndexVersion;
import io.cellmesh.storage.index.IndexVersion.State;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.LogShape;
import io.cellmesh.topics.TopicOffsets;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;

/**
 * Builds indexes in one data centre, beside whatever serves. Each of its steps leaves alone what an
 * earlier attempt has done, so a build that was interrupted goes on when it is asked for again.
 */
public final class IndexBuild {
  private static final Duration CONNECTOR_START = Duration.ofSeconds(90);

  private final IndexSite site;
  private final Path templates;
  private final IndexCatalog catalog;
  private final IndexBuildPlan plan;
  private final Source source;

  /** As this build has read or written them last. */
  private List<IndexVersion> versions;

  /** Where the cells come from that an index is built of. */
  public enum Source {
    /** The log, if it still has all of them, else the tables. */
    AUTO,
    LOG,
    /** The entity tables, through a topic of the pass's own. */
    TABLES
  }

  private IndexBuild(IndexSite site, Path templates, IndexBuildPlan plan, Source source) {
    this.site = site;
    this.templates = templates;
    this.catalog = site.catalog();
    this.plan = plan;
    this.source = source;
    this.versions = plan.versions();
  }

  /**
   * Decides what has to be done.
   *
   * @param templates the directory of the connectors' configurations
   * @throws io.cellmesh.operations.OperationException if it can't be done
   */
  public static IndexBuild of(
      IndexSite site, Path templates, List<IndexDefinition> definitions, Source source)
      throws SQLException, InterruptedException {
    try (var topic = site.passes()) {
      var stored = topic.read(StoredPasses.NONE);
      var taken = new HashSet<>(stored.passes().keySet());
      taken.addAll(stored.unreadable().keySet());
      // What a former pass of the same name has left is never taken for its own.
      taken.addAll(stored.removed());
      var instance = site.topology().instance();
      var plan = IndexBuildPlan.of(instance, definitions, site.catalog().read(), taken);
      plan.refuseLeft(stored.passes().values());
      return new IndexBuild(site, templates, plan, source);
    }
  }

  public IndexSite site() {
    return site;
  }

  /** Whether tables are yet to be filled. */
  public boolean isBuilding() {
    return plan.isBuilding();
  }

  /** Everything that entries need on their way; nothing moves yet. */
  public void prepare(Step step) throws Exception {
    versions = catalog.put(versions);
    int tables = plan.versions().size() * site.topology().shards().count();
    var made = new AtomicInteger();
    for (var definition : plan.definitions()) {
      new IndexSchema(site.topology(), definition, site.pools())
          .create(n -> step.progress(made.addAndGet(n), tables));
    }
    boolean granted = IndexGrants.run(site, plan.definitions());
    step.detail("topics and connector");
    topics();
    try {
      connector(step);
    } catch (ConnectClientException e) {
      throw granted ? e : IndexGrants.lacking(site, plan.definitions(), e);
    }
  }

  /**
   * Shows the pass to index-streams, which begins to read. A pass that is there stays as it is.
   *
   * @return whether rows of the tables have to be brought to it
   */
  public boolean begin() throws SQLException, InterruptedException {
    try (var topic = site.passes()) {
      topic.create();
      var pass = topic.read(StoredPasses.NONE).passes().get(plan.pass());
      if (pass == null) {
        pass = new Pass(plan.pass(), PassPublication.inOrder(living()), needsTables());
        topic.put(pass);
      }
      return pass.backfill();
    }
  }

  /** What has to be filled in from the tables, once {@link #begin} says so. */
  public Backfill backfill() {
    return new Backfill(site, plan.pass());
  }

  /** How far the building is. */
  public BuildMonitor watch(boolean backfilled) {
    return new BuildMonitor(site, plan.pass(), plan.definitions(), backfilled);
  }

  /** The versions in the state that they are in now, after a change of it. */
  public List<IndexVersion> reached(State state) throws SQLException {
    versions = catalog.put(versions.stream().map(v -> v.in(state)).toList());
    return versions;
  }

  /**
   * Compares the new tables with the cells.
   *
   * @param progress called with the number of partitions done
   */
  public List<IndexProof.Result> verify(LongConsumer progress)
      throws SQLException, InterruptedException {
    var results = new ArrayList<IndexProof.Result>();
    for (var definition : plan.definitions()) {
      results.add(IndexProof.run(site.dc(), site.pools(), definition, progress));
    }
    return results;
  }

  /**
   * Ends the building: a version whose index serves nobody yet serves, another one is ready to be
   * switched to.
   *
   * @throws SQLException also if another command has changed one of them since this build did
   */
  public List<IndexVersion> finish() throws SQLException {
    versions = catalog.put(IndexBuildPlan.finished(versions, catalog.read()));
    return versions;
  }

  /** Whether the log alone does not tell all. */
  private boolean needsTables() {
    if (source != Source.AUTO) {
      return source == Source.TABLES;
    }
    try (var client = Consumers.open(site.dc().kafka())) {
      var log = TopicOffsets.of(client, site.topology().topics().log());
      return log.begin().stream().anyMatch(begin -> begin > 0);
    }
  }

  private void topics() throws InterruptedException {
    try (var admin = Consumers.admin(site.dc().kafka())) {
      var topology = site.topology();
      var topics = new InstanceTopics(admin, topology.topics(), topology.shards(), (short) -1);
      topics.createForPass(plan.versions().stream().map(IndexVersion::label).toList(), plan.pass());
    }
  }

  /** All indexes of the pass, whichever were asked for. */
  private List<IndexDefinition> living() throws SQLException {
    return PassPublication.living(catalog.read()).getOrDefault(plan.pass(), List.of()).stream()
        .map(IndexVersion::definition)
        .toList();
  }

  /** One for the whole pass. */
  private void connector(Step step) throws IOException, SQLException {
    var client = ConnectClients.of(site.dc());
    var name = site.connector(plan.pass());
    var connectors =
        new InstanceConnectors(
                site.topology(), site.dc().connectors(), plan.pass(), living(), LogShape.PARTITION)
            .render(templates);
    for (var connector : connectors) {
      if (connector.name().equals(name)) {
        step.detail(name);
        var status = client.status(name);
        var there = status.isPresent() ? client.config(name) : Map.<String, String>of();
        // The same configuration as before starts nothing that has failed.
        if (status.flatMap(ConnectorStatus::failure).isPresent()) {
          client.delete(name);
        }
        client.put(name, ConnectorRollout.keepingNewer(connector, there).config());
        client.awaitRunning(name, CONNECTOR_START);
      }
    }
  }
}
