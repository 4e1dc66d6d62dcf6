package io.cellmesh.operations.log;

import com.fasterxml.jackson.databind.JsonNode;
import io.cellmesh.connect.client.ConnectorStatus;

/** What a rebuild asks of Connect. Every call fails with a message for the user. */
public interface Connect {

  /** All connectors with their settings. */
  JsonNode connectors();

  ConnectorStatus status(String connector);

  /** Ends the connector's tasks; returns before they have ended. */
  void stop(String connector);

  /** Runs a stopped connector again. */
  void resume(String connector);

  JsonNode offsets(String connector);

  /**
   * Sets the offsets of a stopped connector.
   *
   * @param offsets {@code {"offsets":[{"partition":{…},"offset":{…}}]}}
   */
  void alterOffsets(String connector, String offsets);

  /** Where it is, for messages. */
  String address();
}
