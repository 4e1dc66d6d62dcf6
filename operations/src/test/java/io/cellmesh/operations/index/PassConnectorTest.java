package io.cellmesh.operations.index;

import static io.cellmesh.operations.index.Samples.definition;
import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.connect.client.ConnectClient;
import io.cellmesh.operations.topology.RecordedConnect;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PassConnectorTest {
  private static final String NAME = "trips-index-sink-p1";
  private static final IndexDefinition BY_DRIVER = definition("by_driver", "driver");
  private static final IndexDefinition BY_CITY = definition("by_city", "city");

  private final RecordedConnect connect;
  private final PassConnector connector;
  private final AtomicReference<List<IndexDefinition>> living = new AtomicReference<>();

  PassConnectorTest() throws Exception {
    this.connect = new RecordedConnect();
    this.connector =
        new PassConnector(
            new ConnectClient(connect.url()), NAME, index -> "trips.index." + index.label());
    connect.put(NAME, Map.of("indexes", "", "topics", "", "tasks.max", "2"));
  }

  @AfterEach
  void close() {
    connect.close();
  }

  @Test
  void itGoesOnWithTheIndexesThatLive() throws Exception {
    living.set(List.of(BY_CITY, BY_DRIVER));

    assertThat(connector.follow(living::get)).containsExactly(BY_CITY, BY_DRIVER);
    assertThat(connect.config(NAME))
        .containsEntry("topics", "trips.index.by_city,trips.index.by_driver")
        .containsEntry("tasks.max", "2");
  }

  @Test
  void itGoesWithTheLastOfThem() throws Exception {
    living.set(List.of());

    assertThat(connector.follow(living::get)).isEmpty();
    assertThat(connect.changes()).containsExactly("DELETE " + NAME);
  }

  @Test
  void whereAnotherDropHasTakenTheLastOneMeanwhileItIsNotMadeAnew() throws Exception {
    living.set(List.of(BY_CITY));
    connect.during("PUT " + NAME + "/config", () -> living.set(List.of()));

    assertThat(connector.follow(living::get)).isEmpty();
    assertThat(connect.config(NAME)).isNull();
  }

  @Test
  void whereAnotherDropHasTakenOneMeanwhileItIsNotWrittenAgain() throws Exception {
    living.set(List.of(BY_CITY, BY_DRIVER));
    connect.during("PUT " + NAME + "/config", () -> living.set(List.of(BY_DRIVER)));

    assertThat(connector.follow(living::get)).containsExactly(BY_DRIVER);
    assertThat(connect.config(NAME)).containsEntry("topics", "trips.index.by_driver");
  }
}
