package io.cellmesh.operations.index;

import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexDefinitionException;
import io.cellmesh.deployment.Pass;
import io.cellmesh.deployment.StoredPasses;
import io.cellmesh.operations.OperationException;
import io.cellmesh.storage.index.IndexVersion;
import io.cellmesh.storage.index.IndexVersion.State;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.TopicOffsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Tells index-streams again what it is to keep, after the topic of its passes was lost or for an
 * instance that is older than it.
 *
 * <p>The catalogue does not say everything: a version that was dropped is no longer there, though
 * its pass, with others of it, goes on and never changes. Such a pass halts in words.
 */
public final class PassPublication {
  private final IndexSite site;
  private final Map<String, List<IndexVersion>> catalogued;

  private PassPublication(IndexSite site, Map<String, List<IndexVersion>> catalogued) {
    this.site = site;
    this.catalogued = catalogued;
  }

  public static PassPublication of(IndexSite site) throws SQLException {
    return new PassPublication(site, living(site.catalog().look()));
  }

  /** The passes whose indexes live, with all of these. */
  static Map<String, List<IndexVersion>> living(List<IndexVersion> catalogue) {
    var living = new TreeMap<String, List<IndexVersion>>();
    for (var version : catalogue) {
      if (version.state() != State.DROPPING) {
        living.computeIfAbsent(version.pass(), p -> new ArrayList<>()).add(version);
      }
    }
    return living;
  }

  /** The passes that the topic lacks, of those that are begun. */
  public List<String> missing() throws InterruptedException {
    try (var topic = site.passes()) {
      var stored = topic.read(StoredPasses.NONE);
      return catalogued.entrySet().stream()
          .filter(pass -> isBegun(pass.getValue()))
          .map(Map.Entry::getKey)
          .filter(pass -> !stored.passes().containsKey(pass))
          .toList();
    }
  }

  /**
   * Writes what the topic lacks.
   *
   * @param former passes as they were known elsewhere, which count more than the catalogue
   * @return what was written
   * @throws OperationException if one of the former is no pass of this instance, or the topic says
   *     that it was dropped
   */
  public List<Pass> run(List<Pass> former) throws InterruptedException {
    try (var topic = site.passes()) {
      topic.create();
      var stored = topic.read(StoredPasses.NONE);
      var wanted = new TreeMap<String, Pass>();
      catalogued.forEach(
          (name, versions) -> {
            if (isBegun(versions)) {
              wanted.put(name, pass(name, versions));
            }
          });
      for (var pass : former) {
        check(pass, stored);
        wanted.put(pass.name(), pass);
      }
      wanted.keySet().removeAll(stored.passes().keySet());
      for (var pass : wanted.values()) {
        topic.put(pass);
      }
      return List.copyOf(wanted.values());
    }
  }

  private void check(Pass pass, StoredPasses stored) {
    try {
      Pass.parse(pass.name(), pass.toJson(), site.topology().instance());
    } catch (IndexDefinitionException e) {
      throw OperationException.invalid("pass %s: %s".formatted(pass.name(), e.getMessage()));
    }
    if (stored.removed().contains(pass.name())) {
      throw OperationException.refused(
          "pass %s was dropped, says %s; take it out of the directory"
              .formatted(pass.name(), site.topology().topics().passes()));
    }
  }

  /** Where none is, `index create` has yet to begin, and decides where its cells come from. */
  private static boolean isBegun(List<IndexVersion> versions) {
    return versions.stream().anyMatch(v -> v.state() != State.BUILDING);
  }

  private Pass pass(String name, List<IndexVersion> versions) {
    var definitions = versions.stream().map(IndexVersion::definition).toList();
    return new Pass(name, inOrder(definitions), hasBackfill(name));
  }

  /**
   * As they stand in a pass, whichever order they were given in, since its state depends on it:
   * that of files called {@code LABEL.yaml}, which they were before they stood in a topic.
   */
  static List<IndexDefinition> inOrder(List<IndexDefinition> definitions) {
    return definitions.stream()
        .sorted(Comparator.comparing(definition -> definition.label() + ".yaml"))
        .toList();
  }

  /** Rows of the tables were brought to it. */
  private boolean hasBackfill(String pass) {
    var topic = site.topology().topics().indexBackfill(pass);
    try (var client = Consumers.open(site.dc().kafka())) {
      return client.listTopics().containsKey(topic)
          && TopicOffsets.of(client, topic).end().stream().anyMatch(end -> end > 0);
    }
  }
}
