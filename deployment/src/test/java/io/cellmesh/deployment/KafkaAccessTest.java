package io.cellmesh.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;

/** What clients are made with. */
class KafkaAccessTest {
  private static final KafkaAccess PLAIN = KafkaAccess.plain("127.0.0.1:9");

  @Test
  void a_reader_belongs_to_no_group_and_begins_where_it_is_told_and_makes_nothing() {
    var reader = new KafkaAccess("127.0.0.1:9", Map.of("group.id", "mine")).reader();
    assertThat(reader)
        .doesNotContainKey("group.id")
        .containsEntry("auto.offset.reset", "none")
        .containsEntry("allow.auto.create.topics", false)
        .containsEntry("isolation.level", "read_committed");
  }

  @Test
  void what_a_reader_asks_for_comes_in_time_through_eight_megabits_a_second() {
    var reader = PLAIN.reader();
    double seconds = (int) reader.get("request.timeout.ms") / 1e3;
    assertThat((int) reader.get("fetch.max.bytes")).isLessThanOrEqualTo((int) (seconds * 1e6));
  }

  @Test
  void a_readers_buffer_grows_with_the_way_unless_the_deployment_says_another_size() {
    assertThat(PLAIN.reader()).containsEntry("receive.buffer.bytes", -1);
    assertThat(new KafkaAccess("127.0.0.1:9", Map.of("receive.buffer.bytes", "65536")).reader())
        .containsEntry("receive.buffer.bytes", "65536");
  }

  @Test
  void figures_are_offered_only_to_whom_the_deployment_names() {
    assertThat(PLAIN.quiet()).containsEntry("metric.reporters", List.of());
    assertThat(new KafkaAccess("127.0.0.1:9", Map.of("metric.reporters", "mine.Own")).quiet())
        .containsEntry("metric.reporters", "mine.Own");
  }

  @Test
  void clients_take_these_settings() {
    var bytes = new ByteArrayDeserializer();
    try (var consumer = new KafkaConsumer<>(PLAIN.reader(), bytes, bytes);
        var admin = Admin.create(PLAIN.admin())) {
      assertThat(consumer.assignment()).isEmpty();
      assertThat(admin).isNotNull();
    }
  }
}
