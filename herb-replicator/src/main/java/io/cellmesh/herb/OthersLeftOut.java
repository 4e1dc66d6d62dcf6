package io.cellmesh.herb;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;

/**
 * Leaves out of what was polled the cells that come here from others, which in a mesh of three are
 * two thirds of a log, and which Streams would queue one by one to no end. What damage, doubt or a
 * count may come of is not left out. Thread-safe.
 */
final class OthersLeftOut {
  private final Predicate<ConsumerRecord<byte[], byte[]>> left;

  private OthersLeftOut(Predicate<ConsumerRecord<byte[], byte[]>> left) {
    this.left = left;
  }

  /** Makes one for a link, which leaves nothing out where the peer has not said who it is. */
  static OthersLeftOut of(LinkTerms terms) {
    var filter = new OriginFilter(terms.peer());
    return new OthersLeftOut(
        log ->
            terms.proven()
                && filter.otherOrigin(log).filter(terms.reached()::contains).isPresent());
  }

  /**
   * Returns what is not left out; of each partition the last one as well, behind which Streams
   * commits.
   */
  ConsumerRecords<byte[], byte[]> keep(ConsumerRecords<byte[], byte[]> polled) {
    var kept = new HashMap<TopicPartition, List<ConsumerRecord<byte[], byte[]>>>();
    for (var at : polled.partitions()) {
      kept.put(at, kept(polled.records(at)));
    }
    return new ConsumerRecords<>(Map.copyOf(kept), polled.nextOffsets());
  }

  private List<ConsumerRecord<byte[], byte[]>> kept(List<ConsumerRecord<byte[], byte[]>> all) {
    var kept = new ArrayList<ConsumerRecord<byte[], byte[]>>();
    int last = all.size() - 1;
    for (int i = 0; i <= last; i++) {
      if (i == last || !left.test(all.get(i))) {
        kept.add(all.get(i));
      }
    }
    return kept;
  }
}
