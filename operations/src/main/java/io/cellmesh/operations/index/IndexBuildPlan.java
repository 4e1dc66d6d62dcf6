package io.cellmesh.operations.index;

import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.deployment.Pass;
import io.cellmesh.operations.OperationException;
import io.cellmesh.storage.index.IndexVersion;
import io.cellmesh.storage.index.IndexVersion.State;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What a person wants built, compared with what the catalogue has: a pure function of the two.
 *
 * @param versions all of one pass, in the state that they have reached
 */
record IndexBuildPlan(String pass, List<IndexVersion> versions) {

  /**
   * @param passes names that are taken, besides those of the catalogue
   * @throws OperationException if a version has that name already with other fields, or some of the
   *     versions are under way and others are not
   */
  static IndexBuildPlan of(
      String instance,
      List<IndexDefinition> wanted,
      List<IndexVersion> catalogue,
      Set<String> passes) {
    var known = new ArrayList<IndexVersion>();
    for (var definition : wanted) {
      if (!definition.datastore().equals(instance)) {
        throw OperationException.invalid(
            "%s: its datastore is \"%s\", this instance is %s"
                .formatted(definition.label(), definition.datastore(), instance));
      }
      catalogue.stream()
          .filter(v -> v.label().equals(definition.label()))
          .forEach(v -> known.add(same(v, definition, catalogue)));
    }
    if (known.isEmpty()) {
      var taken = new HashSet<>(passes);
      catalogue.forEach(version -> taken.add(version.pass()));
      var pass = PassNames.next(taken);
      return new IndexBuildPlan(
          pass, wanted.stream().map(d -> new IndexVersion(d, State.BUILDING, pass, 0)).toList());
    }
    var pass = known.get(0).pass();
    if (known.size() < wanted.size() || known.stream().anyMatch(v -> !v.pass().equals(pass))) {
      throw OperationException.invalid(
          "some of these are there already (%s) and can't be built together with the others; name those alone"
              .formatted(String.join(", ", known.stream().map(IndexVersion::label).toList())));
    }
    return new IndexBuildPlan(pass, known);
  }

  List<IndexDefinition> definitions() {
    return versions.stream().map(IndexVersion::definition).toList();
  }

  /**
   * Refuses a new version under the label of one that was dropped while other indexes of its pass
   * live: index-streams goes on to write entries of the former definition into the topic.
   *
   * @param stored what index-streams keeps
   * @throws OperationException with the version that can be built instead
   */
  void refuseLeft(Collection<Pass> stored) {
    for (var other : stored) {
      for (var left : other.definitions()) {
        boolean taken = definitions().stream().anyMatch(d -> d.label().equals(left.label()));
        if (taken && !other.name().equals(pass)) {
          throw OperationException.refused(
              "version %d of %s was dropped, but index-streams writes its entries as long as pass %s keeps other indexes; give the file `version: %d`, or drop those others first"
                  .formatted(left.version(), left.name(), other.name(), free(left.name(), stored)));
        }
      }
    }
  }

  /** A version that no pass keeps. */
  private int free(String name, Collection<Pass> stored) {
    var kept = stored.stream().flatMap(p -> p.definitions().stream());
    int last =
        Stream.concat(kept, definitions().stream())
            .filter(d -> d.name().equals(name))
            .mapToInt(IndexDefinition::version)
            .max()
            .orElse(0);
    return last + 1;
  }

  /**
   * Versions that are built: where queries read none of an index yet, the newest serves; the others
   * are ready.
   */
  static List<IndexVersion> finished(List<IndexVersion> built, List<IndexVersion> catalogue) {
    var serving = new HashMap<String, Integer>();
    built.forEach(v -> serving.merge(v.name(), v.version(), Math::max));
    catalogue.stream()
        .filter(IndexVersion::isServing)
        .forEach(v -> serving.put(v.name(), v.version()));
    return built.stream()
        .map(v -> v.in(serving.get(v.name()) == v.version() ? State.SERVING : State.READY))
        .toList();
  }

  boolean isBuilding() {
    return versions.stream().anyMatch(v -> v.state() == State.BUILDING);
  }

  private static IndexVersion same(
      IndexVersion version, IndexDefinition wanted, List<IndexVersion> catalogue) {
    if (version.state() == State.DROPPING) {
      throw OperationException.invalid(
          "%s is being dropped; finish that with `cellmesh index drop %s --of-version %d`"
              .formatted(version.label(), version.name(), version.version()));
    }
    if (!version.definition().equals(wanted)) {
      int last =
          catalogue.stream()
              .filter(v -> v.name().equals(version.name()))
              .mapToInt(IndexVersion::version)
              .max()
              .orElse(0);
      throw OperationException.invalid(
          "version %d of %s has other fields; give the file `version: %d`, and it is built beside it"
              .formatted(version.version(), version.name(), last + 1));
    }
    return version;
  }
}
