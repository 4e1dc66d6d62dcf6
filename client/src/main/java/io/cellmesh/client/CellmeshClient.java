package io.cellmesh.client;

/**
 * An application's access to the workers of an instance. Make one and keep it: its sessions share
 * connections, what is known of hosts, and the budget of retries. It has no threads but
 * HttpClient's, and needs no closing. Safe for several threads.
 */
public final class CellmeshClient {
  private final ClientSettings settings;
  private final Calls calls;

  /** Connects to nothing yet. */
  public CellmeshClient(ClientSettings settings) {
    this.settings = settings;
    this.calls = new Calls(settings);
  }

  /** Begins a session that has written nothing. */
  public Session session() {
    return session("");
  }

  /**
   * Begins a session that also reads what another one wrote.
   *
   * @param positions that one's {@link Session#positions()}
   * @throws IllegalArgumentException if it is something else
   */
  public Session session(String positions) {
    return new Session(
        new AsyncSession(
            calls,
            new Requests(settings.instance()),
            SessionPositions.parse(positions),
            CallOptions.within(settings.deadline())));
  }
}
