package io.cellmesh.index;

import io.cellmesh.cell.ReadPlace;
import io.cellmesh.cell.ReadPlace.State;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.deployment.Pass;
import io.cellmesh.index.DamagedStates.Footing;
import io.cellmesh.index.TopicCheck.HaltedException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks, before a pass runs, whether its topics still have what comes next, and commits where it
 * begins if it has never run: so that neither retention nor an offset that Kafka forgot leaves
 * cells out in silence.
 *
 * <p>A pass has run before if it has a changelog, which stays when the offsets of a group that was
 * idle for a week go.
 */
final class PassStart {
  private static final Logger LOG = LoggerFactory.getLogger(PassStart.class);
  private static final int TOLD = 3;

  private final TopicCheck topics;
  private final Admin admin;

  PassStart(TopicCheck topics) {
    this.topics = topics;
    this.admin = topics.admin();
  }

  /**
   * Looks, and commits what is not committed yet.
   *
   * @param application the pass's consumer group
   * @param sources the topics that it reads
   * @param partitions how many each of them has
   * @throws HaltedException in words, if records are gone that the pass has not read
   * @throws KafkaException if Kafka does not answer in time
   */
  void run(Pass pass, String application, Set<String> sources, int partitions)
      throws HaltedException, InterruptedException {
    boolean begun = topics.id(changelog(application)).isPresent();
    var committed = committed(application);
    var places = places(committed, sources, partitions);
    refuseGaps(pass, places, begun);
    boolean lost = !begun && (isRead(committed) || places.stream().anyMatch(PassStart::isRead));
    if (lost) {
      places = again(application, places);
    }
    commit(application, places);
    if (lost) {
      LOG.warn(
          "Pass {}: its changelog {} is gone, so it reads everything again, from the first record of each topic",
          pass.name(),
          changelog(application));
    } else {
      noteBegin(pass, places, begun);
    }
  }

  private static void refuseGaps(Pass pass, List<ReadPlace> places, boolean begun)
      throws HaltedException {
    var bad =
        places.stream()
            .filter(ReadPlace::bad)
            .filter(place -> begun || place.state() != State.FORGOTTEN)
            .toList();
    if (!bad.isEmpty()) {
      throw new HaltedException(
          "its topics have not all that comes next: %s; to go on without what is lost: `cellmesh index accept --pass %s`, or build the index anew with `cellmesh index create`"
              .formatted(text(bad), pass.name()));
    }
  }

  /** Streams puts metadata beside what it commits; what is committed here has none. */
  private static boolean isRead(Map<TopicPartition, OffsetAndMetadata> committed) {
    return committed.values().stream().anyMatch(o -> o != null && !o.metadata().isEmpty());
  }

  private static boolean isRead(ReadPlace place) {
    return place.committed().isPresent() && place.committed().getAsLong() > place.begin();
  }

  /**
   * Goes back to the first records of all topics, if they have them: the state is gone that knew
   * what was read, and without it entries would come out as if the cells had never been.
   */
  private static List<ReadPlace> again(String application, List<ReadPlace> places)
      throws HaltedException {
    if (places.stream().anyMatch(place -> place.begin() > 0)) {
      throw new HaltedException(
          "its changelog %s is gone, and its topics no longer have the first records, from which its state could be made again; %s"
              .formatted(changelog(application), DamagedStates.ANEW));
    }
    return places.stream()
        .map(p -> new ReadPlace(p.topic(), p.partition(), OptionalLong.empty(), 0, p.end()))
        .toList();
  }

  /**
   * Reads what the state of a pass depends on.
   *
   * @param partition whose offsets count; none if empty
   */
  Footing footing(Pass pass, String application, OptionalInt partition)
      throws InterruptedException {
    var next = new HashMap<TopicPartition, Long>();
    committed(application)
        .forEach(
            (at, offset) -> {
              if (offset != null && partition.equals(OptionalInt.of(at.partition()))) {
                next.put(at, offset.offset());
              }
            });
    var definitions = pass.definitions().stream().map(IndexDefinition::digest).toList();
    return new Footing(definitions, topics.id(changelog(application)), next);
  }

  /** The name of the topic that the state of an application is restored from. */
  static String changelog(String application) {
    return application + "-" + IndexTopology.ROWS + "-changelog";
  }

  private static void noteBegin(Pass pass, List<ReadPlace> places, boolean begun) {
    if (places.stream().anyMatch(place -> place.committed().isPresent())) {
      return;
    }
    var late = places.stream().filter(place -> place.state() == State.FORGOTTEN).toList();
    if (begun) {
      LOG.warn(
          "Pass {}: its offsets are gone, so it reads from the first record again (entries that are said again change nothing)",
          pass.name());
    } else if (late.isEmpty()) {
      LOG.info("Pass {} begins with the first record of each topic", pass.name());
    } else {
      LOG.warn(
          "Pass {} begins behind records that are gone: {}{}",
          pass.name(),
          text(late),
          pass.backfill() ? "; its backfill has what they told" : "");
    }
  }

  private Map<TopicPartition, OffsetAndMetadata> committed(String group)
      throws InterruptedException {
    return topics.answer(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
  }

  private List<ReadPlace> places(
      Map<TopicPartition, OffsetAndMetadata> committed, Set<String> sources, int partitions)
      throws InterruptedException {
    var begins = offsets(sources, partitions, OffsetSpec.earliest());
    var ends = offsets(sources, partitions, OffsetSpec.latest());
    var places = new ArrayList<ReadPlace>();
    begins.forEach(
        (at, begin) -> {
          var offset = committed.get(at);
          places.add(
              new ReadPlace(
                  at.topic(),
                  at.partition(),
                  offset == null ? OptionalLong.empty() : OptionalLong.of(offset.offset()),
                  begin,
                  ends.get(at)));
        });
    return places;
  }

  private Map<TopicPartition, Long> offsets(Set<String> sources, int partitions, OffsetSpec which)
      throws InterruptedException {
    var question = new HashMap<TopicPartition, OffsetSpec>();
    for (var source : sources) {
      for (int p = 0; p < partitions; p++) {
        question.put(new TopicPartition(source, p), which);
      }
    }
    var offsets = new HashMap<TopicPartition, Long>();
    topics
        .answer(admin.listOffsets(question).all())
        .forEach((at, found) -> offsets.put(at, found.offset()));
    return offsets;
  }

  /** Kafka refuses it while the group has members; then these have committed, or will have. */
  private void commit(String group, List<ReadPlace> places) throws InterruptedException {
    var offsets = new HashMap<TopicPartition, OffsetAndMetadata>();
    for (var place : places) {
      if (place.committed().isEmpty()) {
        offsets.put(
            new TopicPartition(place.topic(), place.partition()),
            new OffsetAndMetadata(place.next()));
      }
    }
    if (!offsets.isEmpty()) {
      topics.answer(admin.alterConsumerGroupOffsets(group, offsets).all());
    }
  }

  private static String text(List<ReadPlace> places) {
    var told = places.stream().limit(TOLD).map(ReadPlace::text).collect(Collectors.joining("; "));
    return places.size() <= TOLD ? told : "%s; and %d more".formatted(told, places.size() - TOLD);
  }
}
