package io.cellmesh.operations.trigger;

import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.EnvelopeReader;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.ReadPlace;
import io.cellmesh.operations.OperationException;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.HeaderText;
import io.cellmesh.topics.PartitionReader;
import io.cellmesh.topics.TopicOffsets;
import io.cellmesh.topics.trigger.Start;
import io.cellmesh.topics.trigger.StartOffsets;
import io.cellmesh.topics.trigger.TriggerName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Calls a trigger again with cells that it has finished, and lets one go on whose place is gone. It
 * never skips a cell that the log still has (invariant 12): a partition that stands before the
 * target stays where it is.
 */
public final class TriggerRewind {
  private final TriggerSite site;
  private final TriggerStatus status;
  private final List<Move> moves;

  private TriggerRewind(TriggerSite site, TriggerStatus status, List<Move> moves) {
    this.site = site;
    this.status = status;
    this.moves = List.copyOf(moves);
  }

  /**
   * Where a partition goes.
   *
   * @param place where it stands
   * @param to the offset of the first cell that comes again
   */
  public record Move(ReadPlace place, long to) {
    /** The offset behind the last cell that comes again; the end, where nobody knows the place. */
    long until() {
      return Math.min(place.end(), place.committed().orElse(place.end()));
    }
  }

  /**
   * Plans a rewind as things stand.
   *
   * @param target the beginning, a time, or offsets; the end is none
   * @param partition that goes alone; then one offset is enough
   * @param whatIsLeft whether to go on though cells are gone that it may not have been called with
   * @throws OperationException if that would skip cells
   */
  public static TriggerRewind plan(
      TriggerSite site,
      TriggerName name,
      Start target,
      Optional<Integer> partition,
      boolean whatIsLeft)
      throws InterruptedException {
    try (var inspection = new TriggerInspection(site);
        var client = Consumers.open(site.kafka())) {
      var status = inspection.of(name);
      var topic = TopicOffsets.of(client, status.definition().topic());
      partition.ifPresent(number -> checkPartition(topic, number));
      var targets = targets(client, topic, target, partition);
      var moves = new ArrayList<Move>();
      for (var each : status.partitions()) {
        if (partition.isEmpty() || partition.get() == each.partition()) {
          var to = new RewindTarget(each, target, whatIsLeft).of(targets.get(each.partition()));
          to.ifPresent(offset -> moves.add(new Move(each.place(), offset)));
        }
      }
      return new TriggerRewind(site, status, moves);
    }
  }

  /** The partitions that move. */
  public List<Move> moves() {
    return moves;
  }

  /**
   * How many offsets are between the targets and the places; markers of transactions count, too.
   */
  public long distance() {
    return moves.stream().mapToLong(move -> Math.max(0, move.until() - move.to())).sum();
  }

  /**
   * Counts the cells with which it will be called again, by column.
   *
   * @param progress told how many offsets have been passed
   */
  public Map<String, Long> count(LongConsumer progress) {
    var counts = new TreeMap<String, Long>();
    try (var client = Consumers.open(site.kafka());
        var envelopes = EnvelopeReader.lenient()) {
      var reader = new PartitionReader(client);
      long passed = 0;
      for (var move : moves) {
        long before = passed - move.to();
        reader.read(
            new TopicPartition(move.place().topic(), move.place().partition()),
            move.to(),
            move.until(),
            record -> {
              var column = column(envelopes, record);
              if (status.definition().has(column)) {
                counts.merge(column, 1L, Long::sum);
              }
              progress.accept(before + record.offset());
            });
        passed += Math.max(0, move.until() - move.to());
      }
    }
    return counts;
  }

  /**
   * Asks the owners to do it.
   *
   * @param by who asks
   */
  public void run(String by) throws InterruptedException {
    var offsets = new TreeMap<Integer, Long>();
    moves.forEach(move -> offsets.put(move.place().partition(), move.to()));
    new TriggerRequests(site, status.name(), by).rewind(offsets);
  }

  private static List<Long> targets(
      org.apache.kafka.clients.consumer.Consumer<?, ?> client,
      TopicOffsets topic,
      Start target,
      Optional<Integer> partition) {
    if (target instanceof Start.Beginning) {
      return topic.begin();
    }
    if (target instanceof Start.Time at) {
      return StartOffsets.since(client, topic, at.time());
    }
    if (target instanceof Start.Offsets asked) {
      return offsets(topic, asked.offsets(), partition);
    }
    throw OperationException.invalid(
        "to = now: would skip cells, and a trigger never does; delete it and create another one that begins now");
  }

  /** Those of partitions that don't go are of no meaning. */
  private static List<Long> offsets(
      TopicOffsets topic, List<Long> asked, Optional<Integer> partition) {
    if (asked.size() == 1 && partition.isPresent()) {
      var all = new ArrayList<>(topic.begin());
      all.set(partition.get(), asked.get(0));
      return all;
    }
    if (asked.size() != topic.partitions()) {
      throw OperationException.invalid(
          "to = %d offsets: %s has %d partitions; give an offset for each, or one with --partition"
              .formatted(asked.size(), topic.topic(), topic.partitions()));
    }
    return asked;
  }

  private static void checkPartition(TopicOffsets topic, int number) {
    if (number < 0 || number >= topic.partitions()) {
      throw OperationException.invalid(
          "partition = %d: those of %s are 0 to %d"
              .formatted(number, topic.topic(), topic.partitions() - 1));
    }
  }

  /** The header saves reading the cell, which is read where nobody wrote one. */
  private static String column(EnvelopeReader envelopes, ConsumerRecord<byte[], byte[]> record) {
    return HeaderText.of(record.headers(), Envelope.COLUMN_HEADER)
        .orElseGet(
            () -> {
              try {
                var cell = envelopes.readLog(record.key(), record.value()).cell();
                return cell.key().columnName();
              } catch (InvalidCellException e) {
                return "?";
              }
            });
  }
}
