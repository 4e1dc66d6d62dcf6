package io.cellmesh.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.debezium.data.Envelope.Operation;
import io.debezium.pipeline.meters.CommonEventMeter;
import io.debezium.pipeline.source.spi.EventMetadataProvider;
import io.debezium.pipeline.spi.OffsetContext;
import io.debezium.relational.TableId;
import io.debezium.spi.schema.DataCollectionId;
import io.debezium.util.Clock;
import java.time.Instant;
import java.util.Map;
import org.apache.kafka.connect.data.Struct;
import org.junit.jupiter.api.Test;

class EventTextsTest {
  /** Knows of an event where it stands. */
  private static final class Unknown implements EventMetadataProvider {
    @Override
    public Instant getEventTimestamp(
        DataCollectionId source, OffsetContext offset, Object key, Struct value) {
      return Instant.EPOCH;
    }

    @Override
    public Map<String, String> getEventSourcePosition(
        DataCollectionId source, OffsetContext offset, Object key, Struct value) {
      return Map.of("file", "binlog.000001");
    }

    @Override
    public String getTransactionId(
        DataCollectionId source, OffsetContext offset, Object key, Struct value) {
      return null;
    }
  }

  @Test
  void an_event_is_counted_and_no_text_is_made_of_it() {
    var meter = new CommonEventMeter(Clock.SYSTEM, new Unknown());
    create(meter);
    assertThat(meter.getLastEvent()).contains("binlog.000001");

    EventTexts.spare(meter);
    create(meter);
    assertThat(meter.getLastEvent()).isEmpty();
    assertThat(meter.getTotalNumberOfCreateEventsSeen()).isEqualTo(2);
  }

  private static void create(CommonEventMeter meter) {
    meter.onEvent(TableId.parse("trips_0001.entity"), null, "key", null, Operation.CREATE);
  }
}
