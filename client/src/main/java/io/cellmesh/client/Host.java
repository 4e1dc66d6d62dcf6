package io.cellmesh.client;

import java.net.URI;

/** A worker's address, and what was seen of it. {@link Hosts} guards what changes. */
final class Host {
  private final URI url;

  /** How often in a row it failed after it had been left alone; 0 while it is well. */
  int failures;

  /** When it may be asked again whether it is well, in nanoseconds. */
  long asideUntil;

  boolean probed;

  Host(URI url) {
    this.url = url;
  }

  URI url() {
    return url;
  }

  boolean isAside() {
    return failures > 0;
  }

  /** The address as messages name it. */
  @Override
  public String toString() {
    return url.toString();
  }
}
