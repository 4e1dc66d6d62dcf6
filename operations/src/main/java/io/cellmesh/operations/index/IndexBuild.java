package io.cellmesh.operations.index;

import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.operations.ConnectClients;
import io.cellmesh.operations.OperationListener.Step;
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
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;

/**
 * Builds indexes in one data centre, beside whatever serves. Each of its steps leaves alone what an
 * earlier attempt has done, so a build that was interrupted goes on when it is asked for again.
 */
public final class IndexBuild {
  private static final Duration CONNECTOR_START = Duration.ofSeconds(90);

  private final IndexSite site;
  private final PassDirectory passes;
  private final Path templates;
  private final IndexCatalog catalog;
  private final IndexBuildPlan order;
  private final Source source;

  /** Where the cells come from that an index is built of. */
  public enum Source {
    /** The log, if it still has all of them, else the tables. */
    AUTO,
    LOG,
    /** The entity tables, through a topic of the pass's own. */
    TABLES
  }

  private IndexBuild(
      IndexSite site, PassDirectory passes, Path templates, IndexBuildPlan order, Source source) {
    this.site = site;
    this.passes = passes;
    this.templates = templates;
    this.catalog = site.catalog();
    this.order = order;
    this.source = source;
  }

  /**
   * Decides what has to be done.
   *
   * @param templates the directory of the connectors' configurations
   * @throws io.cellmesh.operations.OperationException if it can't be done
   */
  public static IndexBuild of(
      IndexSite site,
      PassDirectory passes,
      Path templates,
      List<IndexDefinition> definitions,
      Source source)
      throws SQLException {
    var order = IndexBuildPlan.of(site.topology().instance(), definitions, site.catalog().read());
    return new IndexBuild(site, passes, templates, order, source);
  }

  public IndexSite site() {
    return site;
  }

  /** Whether tables are yet to be filled. */
  public boolean isBuilding() {
    return order.isBuilding();
  }

  /** Everything that entries need on their way; nothing moves yet. */
  public Void prepare(Step step) throws Exception {
    catalog.put(order.versions());
    int tables = order.versions().size() * site.topology().shards().count();
    var made = new AtomicInteger();
    for (var definition : order.definitions()) {
      new IndexSchema(site.topology(), definition, site.pools())
          .create(n -> step.progress(made.addAndGet(n), tables));
    }
    IndexGrants.run(site, order.definitions());
    step.detail("topics and connector");
    topics();
    connector(step);
    return null;
  }

  /**
   * Shows the pass to index-streams, which begins to read. A pass that is there stays as it is.
   *
   * @param fromTables whether rows of the tables will be brought to it
   * @return whether rows of the tables have to be
   */
  public boolean begin(boolean fromTables) throws IOException {
    passes.publish(order.pass(), order.definitions(), fromTables);
    return passes.isBackfilled(order.pass());
  }

  /** What has to be filled in from the tables, once {@link #begin} says so. */
  public Backfill backfill() {
    return new Backfill(site, order.pass());
  }

  /** How far the building is. */
  public BuildMonitor watch(boolean backfilled) {
    return new BuildMonitor(site, order.pass(), order.definitions(), backfilled);
  }

  /** The versions in the state that they are in now, after a change of it. */
  public List<IndexVersion> reached(State state) throws SQLException {
    var changed = order.versions().stream().map(v -> v.in(state)).toList();
    catalog.put(changed);
    return changed;
  }

  /**
   * Compares the new tables with the cells.
   *
   * @param progress called with the number of partitions done
   */
  public List<IndexProof.Result> verify(LongConsumer progress)
      throws SQLException, InterruptedException {
    var results = new ArrayList<IndexProof.Result>();
    for (var definition : order.definitions()) {
      results.add(IndexProof.run(site.dc(), site.pools(), definition, progress));
    }
    return results;
  }

  /**
   * Ends the building: a version whose index serves nobody yet serves, another one is ready to be
   * switched to.
   */
  public List<IndexVersion> finish() throws SQLException {
    var all = catalog.read();
    var finished = new ArrayList<IndexVersion>();
    for (var version : order.versions()) {
      var serving = IndexCatalog.serving(all, version.name());
      boolean serves = serving.isEmpty() || serving.get().version() == version.version();
      finished.add(version.in(serves ? State.SERVING : State.READY));
    }
    catalog.put(finished);
    return finished;
  }

  /** Whether the log alone does not tell all. */
  public boolean needsTables() {
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
      topics.createForPass(
          order.versions().stream().map(IndexVersion::label).toList(), order.pass());
    }
  }

  /** One for the whole pass, whichever of its indexes were asked for. */
  private void connector(Step step) throws IOException, SQLException {
    var client = ConnectClients.of(site.dc());
    var living =
        catalog.read().stream()
            .filter(v -> v.pass().equals(order.pass()) && v.state() != State.DROPPING)
            .map(IndexVersion::definition)
            .toList();
    var name = site.connector(order.pass());
    var connectors =
        new InstanceConnectors(
                site.topology(), site.dc().connectors(), order.pass(), living, LogShape.PARTITION)
            .render(templates);
    for (var connector : connectors) {
      if (connector.name().equals(name)) {
        step.detail(name);
        client.put(name, connector.config());
        client.awaitRunning(name, CONNECTOR_START);
      }
    }
  }
}
