package io.cellmesh.bench;

import java.util.Locale;

/** How a link reads, by the words of {@code cellmesh.yaml}. */
enum LinkTransport {
  KAFKA,
  HTTP;

  String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
