package io.cellmesh.herb;

import io.cellmesh.cell.Topics;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/** Has the intake look at each record of the log, and passes on what comes of it. */
final class HerbProcessor implements Processor<byte[], byte[], byte[], byte[]> {
  private final Topics topics;
  private final Intake intake;
  private final MeshWindow window;
  private ProcessorContext<byte[], byte[]> context;

  HerbProcessor(LinkTerms terms, Topics topics, LinkFigures figures, MeshWindow window) {
    this.topics = topics;
    this.window = window;
    this.intake = new Intake(terms, topics, figures);
  }

  @Override
  public void init(ProcessorContext<byte[], byte[]> context) {
    this.context = context;
  }

  @Override
  public void process(Record<byte[], byte[]> log) {
    var placed = placed(log);
    intake
        .take(placed, context.currentSystemTimeMs())
        .ifPresent(
            out -> {
              context.forward(
                  new Record<>(out.key(), out.value(), out.timestamp(), out.headers()),
                  out.topic().equals(topics.mesh()) ? HerbTopology.MESH : HerbTopology.REJECTED);
              intake.written(out);
            });
    window.looked(placed.partition());
  }

  private ConsumerRecord<byte[], byte[]> placed(Record<byte[], byte[]> log) {
    var at = context.recordMetadata().orElseThrow();
    return new ConsumerRecord<>(
        at.topic(),
        at.partition(),
        at.offset(),
        log.timestamp(),
        TimestampType.CREATE_TIME,
        ConsumerRecord.NULL_SIZE,
        ConsumerRecord.NULL_SIZE,
        log.key(),
        log.value(),
        log.headers(),
        Optional.empty());
  }
}
