package io.cellmesh.operations.status;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.cellmesh.deployment.Deployment;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Answers without TLS, whatever it is asked. Whoever asks it with TLS is refused at once; a Kafka
 * that is away is waited for.
 */
final class RefusingKafka implements AutoCloseable {
  private final ServerSocket plain;

  RefusingKafka() throws IOException {
    plain = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    var answers = new Thread(this::answer);
    answers.setDaemon(true);
    answers.start();
  }

  /** Writes the deployment of a data centre dc1 that has it for its Kafka. */
  Deployment deployment(Path dir) throws IOException {
    Files.writeString(dir.resolve("kafka.properties"), "security.protocol=SSL\n");
    return OneDataCenter.with(
        "kafka: {bootstrap: \"127.0.0.1:%d\", config: kafka.properties}"
            .formatted(plain.getLocalPort()),
        dir);
  }

  @Override
  public void close() throws IOException {
    plain.close();
  }

  private void answer() {
    while (!plain.isClosed()) {
      try (var client = plain.accept()) {
        // Were something left of what it has sent, it would be cut off before it reads the answer.
        client.getInputStream().read(new byte[8 << 10]);
        client.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(US_ASCII));
      } catch (IOException e) {
        // It has gone, or the test has ended.
      }
    }
  }
}
