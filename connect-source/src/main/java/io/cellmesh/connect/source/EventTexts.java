package io.cellmesh.connect.source;

import io.debezium.pipeline.ChangeEventSourceCoordinator;
import io.debezium.pipeline.meters.CommonEventMeter;
import io.debezium.pipeline.metrics.PipelineMetrics;
import io.debezium.pipeline.source.spi.EventMetadataProvider;
import io.debezium.pipeline.spi.OffsetContext;
import io.debezium.pipeline.txmetadata.TransactionInfo;
import io.debezium.spi.schema.DataCollectionId;
import java.lang.reflect.Field;
import java.time.Instant;
import java.util.Map;
import org.apache.kafka.connect.data.Struct;

/**
 * Spares Debezium the text that it makes of each event, a quarter of the work of the thread that
 * reads the binlog: its meter keeps the newest one for an attribute, {@code LastEvent}, that the
 * MySQL connector answers otherwise. All other metrics stay as they are.
 */
final class EventTexts {
  private static final Field METRICS =
      DebeziumMembers.field(ChangeEventSourceCoordinator.class, "streamingMetrics");
  private static final Field METER =
      DebeziumMembers.field(PipelineMetrics.class, "commonEventMeter");
  private static final Field PROVIDER =
      DebeziumMembers.field(CommonEventMeter.class, "metadataProvider");

  private EventTexts() {}

  /** From now on, in a coordinator that was started. */
  static void spare(ChangeEventSourceCoordinator<?, ?> coordinator) {
    try {
      spare((CommonEventMeter) METER.get(METRICS.get(coordinator)));
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  static void spare(CommonEventMeter meter) {
    try {
      PROVIDER.set(meter, new Textless((EventMetadataProvider) PROVIDER.get(meter)));
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  private record Textless(EventMetadataProvider provider) implements EventMetadataProvider {
    @Override
    public String toSummaryString(
        DataCollectionId source, OffsetContext offset, Object key, Struct value) {
      return "";
    }

    @Override
    public Instant getEventTimestamp(
        DataCollectionId source, OffsetContext offset, Object key, Struct value) {
      return provider.getEventTimestamp(source, offset, key, value);
    }

    @Override
    public Map<String, String> getEventSourcePosition(
        DataCollectionId source, OffsetContext offset, Object key, Struct value) {
      return provider.getEventSourcePosition(source, offset, key, value);
    }

    @Override
    public String getTransactionId(
        DataCollectionId source, OffsetContext offset, Object key, Struct value) {
      return provider.getTransactionId(source, offset, key, value);
    }

    @Override
    public TransactionInfo getTransactionInfo(
        DataCollectionId source, OffsetContext offset, Object key, Struct value) {
      return provider.getTransactionInfo(source, offset, key, value);
    }
  }
}
