package io.cellmesh.triggers.webhook;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.devstack.shipped.PagePart;
import io.cellmesh.devstack.shipped.SettingsTable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** docs/webhook.md shows what is sent and what can be set. */
class WebhookPageTest {
  private static final Path PAGE = Path.of("..", "docs", "webhook.md");

  @Test
  void the_page_shows_a_request_as_it_was_sent() throws Exception {
    try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var request = CompletableFuture.supplyAsync(() -> only(server));
      var url = "http://127.0.0.1:%d/cells".formatted(server.getLocalPort());
      new WebhookCallback(WebhookConfig.parse(Map.of("url", url)), "trips", "dc1")
          .call(Cells.cell("Größe", Cells.BODY, 4711, 1));
      var shown =
          request
              .get()
              .replace("\r\n", "\n")
              .replace("127.0.0.1:" + server.getLocalPort(), "hooks.example");

      var expected =
          PagePart.expected(
              PAGE, "request", "WebhookPageTest", "```http\n%s\n```\n".formatted(shown));
      assertThat(Files.readString(PAGE)).isEqualTo(expected);
    }
  }

  @Test
  void the_page_has_the_settings_of_the_code() throws IOException {
    var expected = SettingsTable.expected(PAGE, WebhookConfig.definition());
    assertThat(Files.readString(PAGE)).isEqualTo(expected);
  }

  /** The request of one connection, which is answered by 204. */
  private static String only(ServerSocket server) {
    try (var connection = server.accept()) {
      var in = connection.getInputStream();
      var head = head(in);
      var length = head.replaceFirst("(?is).*content-length: (\\d+).*", "$1");
      var body = new String(in.readNBytes(Integer.parseInt(length)), UTF_8);
      connection.getOutputStream().write("HTTP/1.1 204 No Content\r\n\r\n".getBytes(US_ASCII));
      return head + body;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String head(InputStream in) throws IOException {
    var head = new ByteArrayOutputStream();
    while (!head.toString(US_ASCII).endsWith("\r\n\r\n")) {
      int b = in.read();
      if (b < 0) {
        throw new IOException("the request ended within its head");
      }
      head.write(b);
    }
    return head.toString(US_ASCII);
  }
}
