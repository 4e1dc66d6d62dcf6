package io.cellmesh.connect.source;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version that this module was built as. */
final class Version {
  private Version() {}

  static String current() {
    var properties = new Properties();
    try (var in = Version.class.getResourceAsStream("version.properties")) {
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty("version");
  }
}
