package io.cellmesh.operations.index;

import io.cellmesh.operations.OperationException;
import io.cellmesh.storage.index.IndexCatalog;
import io.cellmesh.storage.index.IndexVersion;
import io.cellmesh.storage.index.IndexVersion.State;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Which version of an index queries read, and how that changes. */
public final class IndexSwitch {
  private IndexSwitch() {}

  /**
   * Has queries read another version.
   *
   * @return the version that served before, or the wanted one if it served already
   * @throws OperationException if there is no such version, or it is not complete, or was left
   *     behind by the one that serves
   */
  public static IndexVersion run(IndexSite site, String name, int version)
      throws SQLException, InterruptedException {
    var all = site.catalog().read();
    var wanted = find(all, name, version);
    var serving = IndexCatalog.serving(all, name);
    if (wanted.state() != State.READY && !wanted.isServing()) {
      throw OperationException.refused(
          "version %d of %s is %s in %s; `cellmesh index create` ends its building"
              .formatted(version, name, wanted.state().text(), site.dc().name()));
    }
    if (serving.isPresent() && !wanted.isServing()) {
      new IndexFreshness(site).require(wanted, serving.get());
    }
    var changed = new ArrayList<IndexVersion>();
    all.stream()
        .filter(v -> v.name().equals(name) && v.isServing() && v.version() != version)
        .forEach(old -> changed.add(old.in(State.READY)));
    changed.add(wanted.in(State.SERVING));
    // Written even if it serves already: an interrupted switch may not have reached every cluster.
    site.catalog().put(changed);
    return serving.orElse(wanted);
  }

  /**
   * A version of the catalogue.
   *
   * @throws OperationException if there is none
   */
  public static IndexVersion find(List<IndexVersion> all, String name, int version) {
    return all.stream()
        .filter(v -> v.name().equals(name) && v.version() == version)
        .findFirst()
        .orElseThrow(
            () ->
                OperationException.failed(
                    "there is no version %d of %s; there is %s"
                        .formatted(version, name, all.stream().map(IndexVersion::label).toList())));
  }
}
