package io.cellmesh.cell;

import java.util.Objects;

/**
 * How to sign on to MySQL servers. The password stays out of {@link #toString}.
 *
 * @param tls over what kind of connection
 */
public record Credentials(String user, String password, MySqlTls tls) {
  public Credentials {
    Objects.requireNonNull(user, "user");
    Objects.requireNonNull(password, "password");
    Objects.requireNonNull(tls, "tls");
  }

  /** Over an encrypted connection where the server has it. */
  public Credentials(String user, String password) {
    this(user, password, MySqlTls.DEFAULT);
  }

  @Override
  public String toString() {
    return user;
  }
}
