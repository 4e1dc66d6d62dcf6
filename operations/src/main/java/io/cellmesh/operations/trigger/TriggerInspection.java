package io.cellmesh.operations.trigger;

import io.cellmesh.cell.ReadPlace;
import io.cellmesh.operations.trigger.TriggerStatus.Halt;
import io.cellmesh.operations.trigger.TriggerStatus.Member;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.GroupLag;
import io.cellmesh.topics.TopicOffsets;
import io.cellmesh.topics.trigger.ParkedRow;
import io.cellmesh.topics.trigger.TriggerName;
import io.cellmesh.topics.trigger.TriggerPartition;
import io.cellmesh.topics.trigger.TriggerStates;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** Looks at the triggers of a data centre. */
public final class TriggerInspection implements AutoCloseable {
  private final TriggerSite site;
  private final KafkaConsumer<byte[], byte[]> client;
  private final Admin admin;

  public TriggerInspection(TriggerSite site) {
    this.site = site;
    this.client = Consumers.open(site.kafka());
    this.admin = Consumers.admin(site.kafka());
  }

  /** Looks at every trigger, in alphabetical order; there is none where their topic is missing. */
  public List<TriggerStatus> all() throws InterruptedException {
    if (!client.listTopics().containsKey(site.topics().triggerState())) {
      return List.of();
    }
    var states = site.read(TriggerStates.ofAll());
    var all = new ArrayList<TriggerStatus>();
    for (var name : states.created()) {
      all.add(status(name, site.whole(name, states.partitions(name, site.partitions()))));
    }
    return all;
  }

  /**
   * Looks at one trigger.
   *
   * @throws io.cellmesh.operations.OperationException if there is none of that name
   */
  public TriggerStatus of(TriggerName name) throws InterruptedException {
    return status(name, site.need(name));
  }

  @Override
  public void close() {
    try {
      client.close();
    } finally {
      admin.close();
    }
  }

  private TriggerStatus status(TriggerName name, List<TriggerPartition> known)
      throws InterruptedException {
    var creation = known.get(0).creation().orElseThrow();
    var members = TriggerGroup.members(admin, site.group(name));
    var committed = GroupLag.committed(admin, site.group(name));
    var topic = TopicOffsets.of(client, creation.definition().topic());
    var places = places(known, committed, topic);
    var waiting = new FirstWaiting(client).of(places);
    var partitions = new ArrayList<PartitionStatus>();
    for (var place : places) {
      var partition = known.get(place.partition());
      var first = waiting.get(place.partition());
      partitions.add(
          new PartitionStatus(
              partition.creation().orElseThrow().begun(),
              place,
              first == null ? 0 : place.end() - first.offset(),
              first == null ? Duration.ZERO : first.age(),
              partition.parked().size(),
              partition.parked().values().stream().mapToLong(ParkedRow::count).sum(),
              partition.requests().size()));
    }
    return new TriggerStatus(
        name,
        creation.definition(),
        creation.createdAt(),
        members,
        partitions,
        known.stream().flatMap(partition -> partition.pause().stream()).findFirst(),
        halted(known.get(0), members));
  }

  private static List<ReadPlace> places(
      List<TriggerPartition> known,
      Map<TopicPartition, OffsetAndMetadata> committed,
      TopicOffsets topic) {
    var places = new ArrayList<ReadPlace>();
    for (int number = 0; number < known.size(); number++) {
      var creation = known.get(number).creation().orElseThrow();
      var offset = committed.get(topic.partition(number));
      var next =
          offset != null
              ? OptionalLong.of(offset.offset())
              : creation.begun() ? OptionalLong.empty() : OptionalLong.of(creation.begin());
      places.add(
          new ReadPlace(topic.topic(), number, next, topic.begin(number), topic.end(number)));
    }
    return places;
  }

  /** What a member said that has left counts no more. */
  private static List<Halt> halted(TriggerPartition first, List<Member> members) {
    Set<String> alive = members.stream().map(Member::id).collect(Collectors.toSet());
    return first.health().entrySet().stream()
        .filter(said -> said.getValue().halted() && alive.contains(said.getKey()))
        .map(said -> new Halt(said.getKey(), said.getValue().at(), said.getValue().reason()))
        .toList();
  }
}
