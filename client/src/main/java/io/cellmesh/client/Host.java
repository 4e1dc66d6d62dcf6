package io.cellmesh.client;

import java.net.URI;

/** A worker's address, and what was seen of it. {@link Hosts} guards what changes. */
final class Host {
  private final URI url;

  /** How often in a row it failed after it had been left alone; 0 while it is well. */
  int failures;

  /** When it failed last, in nanoseconds. */
  long asideSince;

  /** When it may be asked again whether it is well. */
  long asideUntil;

  /** Whether it is being asked that. */
  boolean probed;

  /** Whether it was ever in doubt, and until when it is not asked for that again. */
  boolean doubted;

  long doubtedUntil;

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
