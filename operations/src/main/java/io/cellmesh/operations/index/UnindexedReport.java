package io.cellmesh.operations.index;

import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.EnvelopeReader;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.topics.HeaderText;
import io.cellmesh.topics.PartitionReader;
import io.cellmesh.topics.TopicOffsets;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;

/**
 * What the topic of the unindexed holds, by the rule that was broken. It is as long as the topic's
 * retention lets it be; a cell stands there again for each version that it does not fit, and for
 * each time that index-streams read it. Dead letters of the index sink are there, too: records of
 * an index's topic that are no entry, whose field is {@code record}.
 */
public final class UnindexedReport {
  /**
   * What was broken.
   *
   * @param index the label of its version; empty for what is no cell at all, or no entry
   * @param field its name in the index, or {@code record}
   */
  public record Rule(String index, String field, String text) {}

  /**
   * The reports of one rule.
   *
   * @param newest the cell that was reported last; empty if that record is none
   * @param place of its record in the log, or of the dead letter in the index's topic
   * @param at when that came there
   */
  public record Reports(
      Rule rule, long count, Optional<CellKey> newest, String place, Instant at) {}

  private static final Comparator<Reports> BY_RULE =
      Comparator.comparing((Reports r) -> r.rule().index())
          .thenComparing(r -> r.rule().field())
          .thenComparing(r -> r.rule().text());

  private final Map<Rule, Tally> tallies = new HashMap<>();

  private UnindexedReport() {}

  /**
   * Reads what is there by now.
   *
   * @param progress told how many offsets have been passed
   * @throws KafkaException if there is no such topic, or the broker does not answer
   */
  public static List<Reports> read(
      Consumer<byte[], byte[]> client, TopicOffsets topic, LongConsumer progress) {
    var unindexed = new UnindexedReport();
    var reader = new PartitionReader(client);
    long passed = 0;
    for (int i = 0; i < topic.partitions(); i++) {
      long before = passed - topic.begin(i);
      reader.read(
          topic.partition(i),
          topic.begin(i),
          topic.end(i),
          report -> {
            unindexed.add(report);
            progress.accept(before + report.offset());
          });
      passed = before + topic.end(i);
    }
    return unindexed.reports();
  }

  private void add(ConsumerRecord<byte[], byte[]> report) {
    var rule =
        new Rule(
            HeaderText.of(report.headers(), "index").orElse(""),
            HeaderText.of(report.headers(), "field").orElse("record"),
            text(report, "rule", HeaderText.CONNECT_MESSAGE).orElse("unknown"));
    tallies.computeIfAbsent(rule, r -> new Tally()).add(report);
  }

  private List<Reports> reports() {
    try (var envelopes = new EnvelopeReader(EnvelopeReader.MAX_BODY_LIMIT)) {
      return tallies.entrySet().stream()
          .map(found -> found.getValue().reports(found.getKey(), envelopes))
          .sorted(BY_RULE)
          .toList();
    }
  }

  /** As index-streams says it, or else Connect. */
  private static Optional<String> text(
      ConsumerRecord<byte[], byte[]> report, String ours, String connects) {
    return HeaderText.of(report.headers(), ours)
        .or(() -> HeaderText.of(report.headers(), connects));
  }

  private static final class Tally {
    private long count;
    private ConsumerRecord<byte[], byte[]> newest;

    void add(ConsumerRecord<byte[], byte[]> report) {
      count++;
      if (newest == null || report.timestamp() >= newest.timestamp()) {
        newest = report;
      }
    }

    Reports reports(Rule rule, EnvelopeReader envelopes) {
      var place =
          "%s-%s@%s"
              .formatted(
                  text(newest, "topic", HeaderText.CONNECT_TOPIC).orElse("?"),
                  text(newest, "partition", HeaderText.CONNECT_PARTITION).orElse("?"),
                  text(newest, "offset", HeaderText.CONNECT_OFFSET).orElse("?"));
      return new Reports(
          rule, count, cell(envelopes), place, Instant.ofEpochMilli(newest.timestamp()));
    }

    private Optional<CellKey> cell(EnvelopeReader envelopes) {
      try {
        return Optional.of(envelopes.readLog(newest.key(), newest.value()).cell().key());
      } catch (InvalidCellException e) {
        return Optional.empty();
      }
    }
  }
}
