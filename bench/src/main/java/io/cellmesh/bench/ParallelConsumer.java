package io.cellmesh.bench;

import io.confluent.parallelconsumer.ParallelConsumerOptions;
import io.confluent.parallelconsumer.ParallelConsumerOptions.ProcessingOrder;
import io.confluent.parallelconsumer.ParallelStreamProcessor;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * Confluent's Parallel Consumer in order by key, with as many threads as a trigger has and its own
 * settings otherwise. Apart, for its jars are on the class path of contestants alone.
 */
final class ParallelConsumer implements AutoCloseable {
  private final ParallelStreamProcessor<byte[], byte[]> processor;

  private ParallelConsumer(ParallelStreamProcessor<byte[], byte[]> processor) {
    this.processor = processor;
  }

  static ParallelConsumer start(String bootstrap, String group, LongAdder called) {
    var options =
        ParallelConsumerOptions.<byte[], byte[]>builder()
            .consumer(PlainConsumer.open(bootstrap, group, "earliest"))
            .ordering(ProcessingOrder.KEY)
            .maxConcurrency(CallbackContestant.THREADS)
            .build();
    var processor = ParallelStreamProcessor.createEosStreamProcessor(options);
    processor.subscribe(List.of(CallbackServers.TOPICS.log()));
    processor.poll(context -> called.increment());
    return new ParallelConsumer(processor);
  }

  @Override
  public void close() {
    processor.closeDontDrainFirst();
  }
}
