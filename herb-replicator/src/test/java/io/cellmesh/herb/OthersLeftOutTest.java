package io.cellmesh.herb;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Shards;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class OthersLeftOutTest {
  private static final Shards SHARDS = new Shards(64, 1);
  private static final TopicPartition AT = new TopicPartition(Logs.TOPIC, 0);

  private final List<ConsumerRecord<byte[], byte[]>> log = new ArrayList<>();

  @Test
  void cells_that_come_here_from_others_are_left_out_and_own_ones_stay_in_their_order() {
    log.add(Logs.cell("dc1", 1, 3, SHARDS));
    log.add(Logs.cell("dc2", 1, 4, SHARDS));
    log.add(Logs.cell("dc3", 1, 5, SHARDS));
    log.add(Logs.cell("dc2", 2, 6, SHARDS));

    assertThat(offsets(Logs.TERMS)).containsExactly(4L, 6L);
  }

  @Test
  void the_last_one_of_a_partition_stays_so_that_its_place_is_committed() {
    log.add(Logs.cell("dc2", 1, 3, SHARDS));
    log.add(Logs.cell("dc1", 1, 4, SHARDS));
    log.add(Logs.cell("dc3", 1, 5, SHARDS));

    assertThat(offsets(Logs.TERMS)).containsExactly(3L, 5L);
  }

  @Test
  void what_is_damaged_or_counted_stays() {
    log.add(Logs.cell("dc9", 1, 3, SHARDS));
    log.add(Logs.record(0, 4, new byte[] {1}, new byte[] {2}, Optional.empty()));
    var own = Logs.cell("dc2", 1, 5, SHARDS);
    log.add(Logs.record(0, 5, own.key(), own.value(), Optional.of("dc1")));
    log.add(Logs.cell("dc1", 1, 6, SHARDS));
    log.add(Logs.cell("dc2", 2, 7, SHARDS));

    assertThat(offsets(Logs.TERMS)).containsExactly(3L, 4L, 5L, 7L);
  }

  @Test
  void of_a_peer_that_has_not_said_who_it_is_all_stays() {
    log.add(Logs.cell("dc1", 1, 3, SHARDS));
    log.add(Logs.cell("dc3", 1, 4, SHARDS));
    log.add(Logs.cell("dc2", 1, 5, SHARDS));

    var unknown = new LinkTerms("dc2", SHARDS, Set.of("dc1", "dc2", "dc3"), false);
    assertThat(offsets(unknown)).containsExactly(3L, 4L, 5L);
  }

  private List<Long> offsets(LinkTerms terms) {
    var next = Map.of(AT, new OffsetAndMetadata(99));
    var kept = OthersLeftOut.of(terms).keep(new ConsumerRecords<>(Map.of(AT, log), next));
    assertThat(kept.nextOffsets()).isEqualTo(next);
    return kept.records(AT).stream().map(ConsumerRecord::offset).toList();
  }
}
