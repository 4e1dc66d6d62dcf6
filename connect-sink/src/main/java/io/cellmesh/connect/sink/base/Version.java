package io.cellmesh.connect.sink.base;

import java.util.Optional;

/** The version of this build, from the jar's manifest. */
public final class Version {
  private Version() {}

  public static String get() {
    return Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
        .orElse("unpackaged");
  }
}
