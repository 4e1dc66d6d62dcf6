package io.cellmesh.triggers.webhook;

import java.net.http.HttpClient;
import java.util.function.Supplier;

/**
 * The client that requests are sent with, until another one takes its place. Over HTTP/2 one
 * connection has all requests, also after one of them was given up, and over HTTP/1.1 those that
 * rest are used again: where a firewall has dropped them without a word, TCP finds that out only
 * after a quarter of an hour. Safe for several threads.
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
   * under way ends as it would have. Java ends the threads and connections of a client that has
   * nothing under way once a garbage collection has found that nobody uses it. A client is left a
   * time-out after it was opened at the earliest, so a receiver that is always too slow costs no
   * more than one for each time-out that passes between two collections.
   */
  synchronized void leave(HttpClient client) {
    if (client == current) {
      current = clients.get();
    }
  }
}
