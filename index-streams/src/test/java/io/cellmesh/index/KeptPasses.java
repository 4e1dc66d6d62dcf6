package io.cellmesh.index;

import io.cellmesh.deployment.Pass;
import io.cellmesh.deployment.PassStore;
import io.cellmesh.deployment.StoredPasses;
import io.cellmesh.deployment.StoredPasses.Entry;
import io.cellmesh.deployment.StoredPasses.Place;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Uuid;

/** A topic of passes in memory, which can be lost, recreated and out of reach. */
final class KeptPasses implements PassStore {
  private final List<Entry> entries = new ArrayList<>();
  private Uuid id;
  private boolean reachable = true;

  @Override
  public StoredPasses read(StoredPasses before) {
    if (!reachable) {
      throw new KafkaException("trips.passes: Kafka does not answer");
    }
    if (id == null) {
      return StoredPasses.NONE;
    }
    return before.then(new Place(id, entries.size()), entries, "trips");
  }

  @Override
  public void create() {
    id = Uuid.randomUuid();
  }

  @Override
  public void put(Pass pass) {
    write(pass.name(), pass.toJson());
  }

  @Override
  public void remove(String pass) {
    write(pass, null);
  }

  void write(String name, byte[] value) {
    entries.add(new Entry(entries.size(), name, value));
  }

  void delete() {
    id = null;
    entries.clear();
  }

  void reachable(boolean now) {
    reachable = now;
  }

  @Override
  public String toString() {
    return "trips.passes";
  }
}
