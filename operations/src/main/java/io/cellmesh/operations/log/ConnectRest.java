package io.cellmesh.operations.log;

import com.fasterxml.jackson.databind.JsonNode;
import io.cellmesh.connect.client.ConnectClient;
import io.cellmesh.connect.client.ConnectClientException;
import io.cellmesh.connect.client.ConnectorStatus;
import io.cellmesh.operations.OperationException;
import java.util.function.Supplier;

/** Connect by its REST interface. A rebalance, during which it refuses changes, is waited out. */
final class ConnectRest implements Connect {
  private static final int NOT_FOUND = 404;
  private static final int NOT_ALLOWED = 405;

  private final ConnectClient client;

  ConnectRest(ConnectClient client) {
    this.client = client;
  }

  @Override
  public JsonNode connectors() {
    return asked(client::described);
  }

  @Override
  public ConnectorStatus status(String connector) {
    return asked(() -> client.status(connector))
        .orElseThrow(
            () ->
                OperationException.failed(
                    "Connect at %s has no connector %s any more".formatted(address(), connector)));
  }

  @Override
  public void stop(String connector) {
    changed(() -> client.stop(connector));
  }

  @Override
  public void resume(String connector) {
    changed(() -> client.resume(connector));
  }

  @Override
  public JsonNode offsets(String connector) {
    return sinceKafka36(() -> client.offsets(connector));
  }

  @Override
  public void alterOffsets(String connector, String offsets) {
    changed(() -> client.alterOffsets(connector, offsets));
  }

  @Override
  public String address() {
    return client.worker().toString();
  }

  private void changed(Runnable change) {
    sinceKafka36(
        () -> {
          change.run();
          return null;
        });
  }

  /** Before that the paths do not exist, which is another 404 than an unknown connector's. */
  private <T> T sinceKafka36(Supplier<T> request) {
    return asked(
        () -> {
          try {
            return request.get();
          } catch (ConnectClientException e) {
            int status = e.status().orElse(0);
            if (status == NOT_ALLOWED
                || (status == NOT_FOUND && e.getMessage().contains("HTTP 404"))) {
              throw OperationException.unavailable(
                  "Connect at %s can't stop connectors and change their offsets: its workers need Kafka 3.6 or later"
                      .formatted(address()));
            }
            throw e;
          }
        });
  }

  private static <T> T asked(Supplier<T> request) {
    try {
      return request.get();
    } catch (ConnectClientException e) {
      throw e.status().isPresent()
          ? OperationException.failed(e.getMessage())
          : OperationException.unavailable(e.getMessage(), e);
    }
  }
}
