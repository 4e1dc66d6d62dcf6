package io.cellmesh.operations.index;

import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.connect.client.Waiting;
import io.cellmesh.deployment.Pass;
import io.cellmesh.deployment.StoredPasses;
import io.cellmesh.operations.ConnectClients;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.OperationListener.Step;
import io.cellmesh.storage.index.IndexCatalog;
import io.cellmesh.storage.index.IndexSchema;
import io.cellmesh.storage.index.IndexVersion;
import io.cellmesh.storage.index.IndexVersion.State;
import io.cellmesh.topics.Consumers;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.KafkaException;

/**
 * Takes a version of an index away. It can be repeated after an interruption. While other indexes
 * of its pass live, its topic is still written to and stays; it goes with the last of them.
 */
public final class IndexRemoval {
  private static final Duration LEAVING = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(250);

  private final IndexSite site;
  private final IndexCatalog catalog;
  private final IndexVersion version;

  private IndexRemoval(IndexSite site, IndexVersion version) {
    this.site = site;
    this.catalog = site.catalog();
    this.version = version;
  }

  /**
   * Decides whether it may go.
   *
   * @param alsoServing whether it may be the one that queries read
   * @throws OperationException if it may not
   */
  public static IndexRemoval of(IndexSite site, String name, int version, boolean alsoServing)
      throws SQLException {
    var found = IndexSwitch.find(site.catalog().read(), name, version);
    if (found.isServing() && !alsoServing) {
      throw OperationException.refused(
          "version %d of %s serves; switch to another one first, or say --also-serving to be left without the index"
              .formatted(version, name));
    }
    return new IndexRemoval(site, found);
  }

  /** The connector that goes with the last index of the version's pass. */
  public String connector() {
    return site.connector(version.pass());
  }

  /**
   * Removes the version: its connector, topics and tables, and what index-streams keeps of it.
   *
   * @throws SQLException also if another command has changed the version since it was looked at,
   *     which may have turned queries to it
   */
  public void run(Step step) throws SQLException, IOException, InterruptedException {
    catalog.put(List.of(version.in(State.DROPPING)));
    step.detail("connector");
    var connect = ConnectClients.of(site.dc());
    var connector = new PassConnector(connect, connector(), site::topic);
    if (connector.follow(this::living).isEmpty()) {
      step.detail("index-streams leaves " + version.pass());
      leave();
    }
    step.detail("tables");
    new IndexSchema(site.topology(), version.definition(), site.pools()).drop();
    catalog.remove(version);
  }

  /** The indexes of the pass that live. */
  private List<IndexDefinition> living() throws SQLException {
    return PassPublication.living(catalog.read()).getOrDefault(version.pass(), List.of()).stream()
        .map(IndexVersion::definition)
        .toList();
  }

  /**
   * Takes the pass away, and then the topics of its indexes. While these go, the catalogue has all
   * of them: the pass no longer tells which they are to whoever repeats this after an interruption.
   */
  private void leave() throws SQLException, InterruptedException {
    var pass = version.pass();
    var kept = kept();
    var all = catalog.read();
    var forgotten = forgotten(pass, all, kept);
    catalog.put(forgotten);
    try (var passes = site.passes()) {
      passes.remove(pass);
    }
    topics(left(pass, all, kept));
    for (var gone : forgotten) {
      catalog.remove(gone);
    }
  }

  /** What the pass keeps, as far as that is still known. */
  private List<IndexDefinition> kept() throws InterruptedException {
    try (var passes = site.passes()) {
      passes.create();
      var kept = Optional.ofNullable(passes.read(StoredPasses.NONE).passes().get(version.pass()));
      return kept.map(Pass::definitions).orElse(List.of());
    }
  }

  /**
   * The versions that a pass keeps and the catalogue has no more, since they were dropped while
   * others of the pass lived.
   */
  static List<IndexVersion> forgotten(
      String pass, List<IndexVersion> all, List<IndexDefinition> kept) {
    var known = all.stream().map(IndexVersion::label).collect(Collectors.toSet());
    return kept.stream()
        .filter(definition -> !known.contains(definition.label()))
        .map(definition -> new IndexVersion(definition, State.DROPPING, pass, 0))
        .toList();
  }

  /**
   * The labels of all indexes that a pass kept, also of those that were dropped while others of it
   * lived, but for what another pass keeps.
   *
   * @param kept by the pass, as far as that is still known
   */
  static Set<String> left(String pass, List<IndexVersion> all, List<IndexDefinition> kept) {
    var labels = kept.stream().map(IndexDefinition::label).collect(Collectors.toSet());
    all.stream().filter(v -> v.pass().equals(pass)).forEach(v -> labels.add(v.label()));
    all.stream().filter(v -> !v.pass().equals(pass)).forEach(v -> labels.remove(v.label()));
    return labels;
  }

  private void topics(Set<String> labels) throws InterruptedException {
    var application = site.application(version.pass());
    try (var admin = Consumers.admin(site.dc().kafka())) {
      awaitLeft(admin, application);
      var topics = site.topology().topics();
      var gone = labels.stream().map(topics::index).collect(Collectors.toSet());
      gone.add(topics.indexBackfill(version.pass()));
      // The topics that Streams keeps for an application begin with its id.
      var found = new ArrayList<String>();
      for (var topic : get(admin.listTopics().names(), Set.<String>of())) {
        if (gone.contains(topic) || topic.startsWith(application + "-")) {
          found.add(topic);
        }
      }
      get(admin.deleteTopics(found).all(), null);
      get(admin.deleteConsumerGroups(List.of(application)).all(), null);
    }
  }

  private void awaitLeft(Admin admin, String group) throws InterruptedException {
    var topic = site.topology().topics().passes();
    if (!Waiting.within(LEAVING, POLL, () -> hasLeft(admin, group))) {
      throw OperationException.unavailable(
          "%s still has members after %d s: is there an index-streams process that does not read %s, or one of an older version? Stop it, then run this again"
              .formatted(group, LEAVING.toSeconds(), topic));
    }
  }

  private static boolean hasLeft(Admin admin, String group) throws InterruptedException {
    var described = get(admin.describeConsumerGroups(List.of(group)).all(), null);
    return described == null
        || described.values().stream()
            .allMatch(g -> g.groupState() == GroupState.EMPTY || g.groupState() == GroupState.DEAD);
  }

  /** What is gone already counts as done. */
  private static <T> T get(org.apache.kafka.common.KafkaFuture<T> future, T missing)
      throws InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof org.apache.kafka.common.errors.UnknownTopicOrPartitionException
          || e.getCause() instanceof org.apache.kafka.common.errors.GroupIdNotFoundException) {
        return missing;
      }
      throw new KafkaException(e.getCause().getMessage(), e.getCause());
    }
  }
}
