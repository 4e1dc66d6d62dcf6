package io.cellmesh.operations;

import io.cellmesh.cell.ReadPlace;
import io.cellmesh.topics.GroupLag;
import io.cellmesh.topics.TopicOffsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownMemberIdException;

/** Where a consumer group stands in its topics, and moving it on once what is lost is accepted. */
public final class GroupPlaces {
  private final Admin admin;
  private final String group;

  public GroupPlaces(Admin admin, String group) {
    this.admin = admin;
    this.group = group;
  }

  /** A place for each partition of each topic. */
  public List<ReadPlace> read(Consumer<?, ?> client, List<String> topics)
      throws InterruptedException {
    var committed = GroupLag.committed(admin, group);
    var places = new ArrayList<ReadPlace>();
    for (var topic : topics) {
      var offsets = TopicOffsets.of(client, topic);
      for (int p = 0; p < offsets.partitions(); p++) {
        var offset = committed.get(offsets.partition(p));
        places.add(
            new ReadPlace(
                topic,
                p,
                offset == null ? OptionalLong.empty() : OptionalLong.of(offset.offset()),
                offsets.begin(p),
                offsets.end(p)));
      }
    }
    return places;
  }

  /**
   * Commits the places where the group goes on.
   *
   * @param afresh whether to begin with the first record that is retained, wherever the group stood
   * @throws OperationException if the group has members: then it is not halted
   */
  public void accept(List<ReadPlace> places, boolean afresh) throws InterruptedException {
    var offsets = new HashMap<TopicPartition, OffsetAndMetadata>();
    for (var place : places) {
      offsets.put(
          new TopicPartition(place.topic(), place.partition()),
          new OffsetAndMetadata(afresh ? place.begin() : place.next()));
    }
    try {
      admin.alterConsumerGroupOffsets(group, offsets).all().get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownMemberIdException) {
        throw OperationException.failed(
            "group %s has members, so an application runs that is not halted; stop it and run this again"
                .formatted(group));
      }
      throw new KafkaException("group " + group + ": " + e.getCause().getMessage(), e.getCause());
    }
  }
}
