package io.cellmesh.e2e.converter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.connect.client.ConnectClient;
import io.cellmesh.devstack.CellmeshHome;
import io.cellmesh.e2e.Command;
import io.cellmesh.e2e.faults.Figures;
import io.cellmesh.stack.Stack;
import io.cellmesh.stack.StackOptions;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.PartitionReader;
import io.cellmesh.topics.TopicOffsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/**
 * In one of two data centres producers write structs, which a converter of Connect's own reads; in
 * the other one they write envelopes.
 */
class ConvertedCellsIT {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final int RECORDS = Figures.isFull() ? 10_000 : 1_000;
  private static final int ONE_BAD_IN = 100;

  /** One row's versions are in one shard: few are enough. */
  private static final StackOptions OPTIONS =
      new StackOptions(Optional.empty(), 2, 8, 4, List.of());

  private static final String TRIP =
      """
      {"schema":{"type":"struct","fields":[{"field":"trip","type":"string"},{"field":"version","type":"int64"},{"field":"fare","type":"double"}]},\
      "payload":{"trip":"%s","version":%d,"fare":%d.5}}""";

  @Test
  void structs_become_cells_of_both_data_centres_and_what_is_none_is_told_to_the_byte()
      throws Exception {
    try (var stack = Stack.start(OPTIONS, Command.silent().steps())) {
      convert(stack.devStack().worker("dc1").client());
      var row = UUID.randomUUID();
      var bad = produce(stack, row);
      var put = on(stack, "put", "--dc", "dc2", "new", "BASE", "1", "{\"from\":\"dc2\"}");
      assertThat(put.exit()).as(put.err()).isZero();

      await().atMost(SOON).until(() -> rejected(stack).size() >= bad.size());
      for (var told : rejected(stack)) {
        assertThat(told.value())
            .isEqualTo(bad.get(header(told, "partition") + "@" + header(told, "offset")));
        assertThat(header(told, "exception.message"))
            .containsAnyOf("version: is missing", "record: can't be read");
      }
      var verify =
          on(
              stack,
              "verify",
              "--plugin-path",
              CellmeshHome.dir().resolve("devstack/target/kafka").toString());
      assertThat(verify.exit()).as(verify.out() + verify.err()).isZero();
      assertThat(verify.out())
          .contains(
              String.format(
                  Locale.ROOT,
                  "%,d records, %,d cells, %,d rejected",
                  RECORDS + 1,
                  RECORDS + 1 - bad.size(),
                  bad.size()));
      var last =
          on(stack, "get", "--dc", "dc2", row.toString(), "BASE", Integer.toString(RECORDS - 1));
      assertThat(last.out()).contains(RECORDS - 1 + ".5", "dc1");
      var arrived = on(stack, "tail", "--dc", "dc1", "--from-beginning", "--json");
      assertThat(arrived.out()).contains("\"from\":\"dc2\"");

      var blind = on(stack, "verify");
      assertThat(blind.exit()).isEqualTo(2);
      assertThat(blind.err())
          .contains("--plugin-path", "org.apache.kafka.connect.json.JsonConverter");
    }
  }

  private static void convert(ConnectClient client) {
    var settings = new HashMap<>(client.config("trips-sink"));
    settings.put("value.converter", "io.cellmesh.connect.converter.EnvelopeConverter");
    settings.put("value.converter.delegate", "org.apache.kafka.connect.json.JsonConverter");
    settings.put("value.converter.delegate.schemas.enable", "true");
    settings.put("value.converter.row.key.field", "trip");
    settings.put("value.converter.ref.key.field", "version");
    settings.put("value.converter.column.name", "BASE");
    assertThat(client.validate(settings)).isEmpty();
    // Tasks of before would read the first records as envelopes.
    client.stop("trips-sink");
    await().atMost(SOON).until(() -> client.status("trips-sink").orElseThrow().tasks().isEmpty());
    client.put("trips-sink", settings);
    client.resume("trips-sink");
    client.awaitRunning("trips-sink", SOON);
  }

  /**
   * Brings versions of a row, with some among them that its converter can't read or that lack a
   * field; those by their place.
   */
  private static Map<String, byte[]> produce(Stack stack, UUID row) throws Exception {
    var bad = new HashMap<String, byte[]>();
    var sent = new ArrayList<Future<RecordMetadata>>();
    var key = row.toString().getBytes(UTF_8);
    try (var producer =
        new KafkaProducer<>(
            Map.<String, Object>of("bootstrap.servers", stack.devStack().broker("dc1").bootstrap()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (int i = 0; i < RECORDS; i++) {
        var trip = TRIP.formatted(row, i, i);
        boolean isBad = i % ONE_BAD_IN == 7;
        if (isBad) {
          trip = i % 8 < 4 ? trip.substring(1) : trip.replace("version", "number");
        }
        var record = producer.send(new ProducerRecord<>("trips.cells", key, trip.getBytes(UTF_8)));
        sent.add(record);
        if (isBad) {
          bad.put(record.get().partition() + "@" + record.get().offset(), trip.getBytes(UTF_8));
        }
      }
      for (var record : sent) {
        record.get();
      }
    }
    return bad;
  }

  private static List<ConsumerRecord<byte[], byte[]>> rejected(Stack stack) throws Exception {
    var told = new ArrayList<ConsumerRecord<byte[], byte[]>>();
    try (var client = Consumers.open(stack.deployment().datacenters().get(0).kafka())) {
      var rejected = TopicOffsets.of(client, "trips.rejected");
      new PartitionReader(client).read(rejected, told::add);
    }
    return told;
  }

  private static Command on(Stack stack, String... words) {
    return Command.on(stack.devStack().stateDir(), words);
  }

  private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    return new String(record.headers().lastHeader("__connect.errors." + name).value(), UTF_8);
  }
}
