package io.cellmesh.storage;

import java.util.Objects;

/** A MySQL user. The password stays out of {@link #toString}. */
public record Credentials(String user, String password) {
  public Credentials {
    Objects.requireNonNull(user, "user");
    Objects.requireNonNull(password, "password");
  }

  @Override
  public String toString() {
    return user;
  }
}
