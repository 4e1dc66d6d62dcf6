package io.cellmesh.operations.trigger;

import io.cellmesh.operations.OperationException;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.trigger.DamagedRecordException;
import io.cellmesh.topics.trigger.ParkedRow;
import io.cellmesh.topics.trigger.TriggerName;
import io.cellmesh.topics.trigger.TriggerRefusedException;
import io.cellmesh.topics.trigger.TriggerRegistry;
import io.cellmesh.topics.trigger.TriggerStates;
import java.util.OptionalLong;

/**
 * Deletes a trigger that nobody runs: first the group with its offsets, which Kafka refuses while
 * there are members, then all that is known of it. Interrupted, it goes on when it is run again.
 */
public final class TriggerDeletion {
  private final TriggerSite site;
  private final TriggerName name;

  public TriggerDeletion(TriggerSite site, TriggerName name) {
    this.site = site;
    this.name = name;
  }

  /**
   * Counts the parked cells that nobody will replay any more; empty if what is known of the trigger
   * can't be read, which does not keep it from being deleted.
   *
   * @throws OperationException if there is nothing to delete
   */
  public OptionalLong parked() throws InterruptedException {
    if (!site.hasState()) {
      throw site.missing(name);
    }
    try {
      return OptionalLong.of(
          site.read(TriggerStates.of(name)).partitions(name, site.partitions()).stream()
              .flatMap(partition -> partition.parked().values().stream())
              .mapToLong(ParkedRow::count)
              .sum());
    } catch (DamagedRecordException e) {
      return OptionalLong.empty();
    }
  }

  /**
   * Deletes it. What is parked stays in its topic, and nobody knows of it any more.
   *
   * @throws OperationException if a process of it runs, or there is none
   */
  public void run() throws InterruptedException {
    if (!site.hasState()) {
      throw site.missing(name);
    }
    try (var admin = Consumers.admin(site.kafka())) {
      var group = site.group(name);
      if (!TriggerGroup.delete(admin, group)) {
        throw OperationException.refused(
            "trigger %s runs: group %s has members (%d); stop its processes, then run this again (one that was killed counts until its session is over)"
                .formatted(name, group, TriggerGroup.members(admin, group).size()));
      }
    }
    try {
      if (new TriggerRegistry(site.kafka(), site.dc().topology()).remove(name) == 0) {
        throw site.missing(name);
      }
    } catch (TriggerRefusedException e) {
      throw OperationException.refused(e.getMessage());
    }
  }
}
