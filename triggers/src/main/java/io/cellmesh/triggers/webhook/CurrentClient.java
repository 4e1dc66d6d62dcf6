package io.cellmesh.triggers.webhook;

import java.net.http.HttpClient;
import java.util.function.Supplier;

/**
 * The client that requests are sent with, until another one takes its place. Over HTTP/2 one
 * connection has all requests, also after one of them was given up: where a firewall has dropped it
 * without a word, TCP finds that out only after a quarter of an hour. Safe for several threads.
 */
final class CurrentClient {
  private final Supplier<HttpClient> clients;
  private HttpClient current;

  /**
   * @param clients opens one
   */
  CurrentClient(Supplier<HttpClient> clients) {
    this.clients = clients;
    this.current = clients.get();
  }

  synchronized HttpClient get() {
    return current;
  }

  /**
   * Has the next requests connect anew, if nobody else has left that client before; what it has
   * under way ends as it would have.
   */
  synchronized void leave(HttpClient client) {
    if (client == current) {
      current = clients.get();
    }
  }
}
