package io.cellmesh.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.UUID;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShardsTest {

  @ParameterizedTest
  @CsvSource({
    "00000000-0000-0000-0000-000000000000, 2941",
    "ffffffff-ffff-ffff-ffff-ffffffffffff, 242",
    "6f9619ff-8b86-d011-b42d-00cf4fc964ff, 1296",
    "123e4567-e89b-12d3-a456-426614174000, 1480",
  })
  void golden_vectors_pin_the_shard_of_a_row_for_ever(UUID rowKey, int shard) {
    assertThat(new Shards(4096, 16).of(rowKey)).isEqualTo(shard);
  }

  @Test
  void the_hash_is_kafkas_for_every_length_of_key() {
    var random = new Random(7);
    for (int length = 0; length < 80; length++) {
      var key = new byte[length];
      random.nextBytes(key);
      assertThat(Shards.murmur2(key)).isEqualTo(Utils.murmur2(key));
    }
  }

  @Test
  void kafkas_default_partitioner_chooses_the_partition_of_the_shard() {
    var shards = new Shards(64, 16);
    var random = new Random(11);
    for (int i = 0; i < 1000; i++) {
      var rowKey = new UUID(random.nextLong(), random.nextLong());
      var key = rowKey.toString().getBytes(StandardCharsets.US_ASCII);
      assertThat(shards.partitionOf(shards.of(rowKey)))
          .isEqualTo(BuiltInPartitioner.partitionForKey(key, 16));
    }
  }

  @Test
  void a_partition_count_that_does_not_divide_the_shards_is_refused() {
    assertThatThrownBy(() -> new Shards(64, 12))
        .hasMessage("partitions: 12 does not divide shards (64)");
    assertThatThrownBy(() -> new Shards(0, 1)).hasMessage("shards: 0 is not in 1..10000");
  }
}
