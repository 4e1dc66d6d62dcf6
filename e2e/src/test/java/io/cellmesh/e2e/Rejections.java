package io.cellmesh.e2e;

import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.PartitionReader;
import io.cellmesh.topics.TopicOffsets;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.Headers;

/** What the sink of trips has told of records that it rejects. */
public final class Rejections {
  private Rejections() {}

  /** The reasons, by the places of the records, such as trips.cells-3@17. */
  public static Map<String, List<String>> read(KafkaAccess kafka) {
    var told = new HashMap<String, List<String>>();
    try (var client = Consumers.open(kafka)) {
      new PartitionReader(client)
          .read(
              TopicOffsets.of(client, "trips.rejected"),
              record ->
                  told.computeIfAbsent(place(record.headers()), place -> new ArrayList<>())
                      .add(header(record.headers(), "exception.message")));
    }
    return told;
  }

  private static String place(Headers headers) {
    return "%s-%s@%s"
        .formatted(
            header(headers, "topic"), header(headers, "partition"), header(headers, "offset"));
  }

  private static String header(Headers headers, String name) {
    return new String(
        headers.lastHeader("__connect.errors." + name).value(), StandardCharsets.UTF_8);
  }
}
