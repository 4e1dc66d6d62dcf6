package io.cellmesh.operations.index;

import io.cellmesh.operations.OperationException;
import io.cellmesh.storage.index.IndexVersion;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/** Which versions of which indexes somebody has named. */
public final class IndexSelection {
  private final List<String> names;
  private final Optional<Integer> version;

  private IndexSelection(List<String> names, Optional<Integer> version) {
    this.names = names;
    this.version = version;
  }

  /**
   * @param names of indexes; none for all there are
   * @param version of the one that is named; empty for those that are complete
   * @throws OperationException if a version is named, and not one index
   */
  public static IndexSelection of(List<String> names, Optional<Integer> version) {
    var once = List.copyOf(new LinkedHashSet<>(names));
    if (version.isPresent() && once.size() != 1) {
      throw OperationException.invalid(
          "--of-version needs one INDEX; %d are named".formatted(once.size()));
    }
    return new IndexSelection(once, version);
  }

  /**
   * The versions that are meant, by the names as they were given. Nobody is to take silence about
   * an index for its being right: one that is named and can't be looked at is a failure.
   *
   * @param all of the catalogue
   * @param datacenter whose catalogue it is
   * @return none only if none is named, and none is complete
   * @throws OperationException if one that is named is not there, or not complete
   */
  public List<IndexVersion> from(List<IndexVersion> all, String datacenter) {
    if (version.isPresent()) {
      return List.of(IndexSwitch.find(all, names.get(0), version.get()));
    }
    if (names.isEmpty()) {
      return all.stream().filter(IndexVersion::isComplete).toList();
    }
    return names.stream().flatMap(name -> complete(all, name, datacenter).stream()).toList();
  }

  private static List<IndexVersion> complete(
      List<IndexVersion> all, String name, String datacenter) {
    var versions = all.stream().filter(v -> v.name().equals(name)).toList();
    if (versions.isEmpty()) {
      throw OperationException.failed(
          "there is no index %s in %s; there is %s"
              .formatted(name, datacenter, all.stream().map(IndexVersion::label).toList()));
    }
    var complete = versions.stream().filter(IndexVersion::isComplete).toList();
    if (complete.isEmpty()) {
      throw OperationException.failed(
          "no version of %s is complete in %s: %s; `cellmesh index create` ends a building"
              .formatted(
                  name,
                  datacenter,
                  versions.stream().map(v -> v.label() + " is " + v.state().text()).toList()));
    }
    return complete;
  }
}
