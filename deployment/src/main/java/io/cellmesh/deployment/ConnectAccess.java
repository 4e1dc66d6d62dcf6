package io.cellmesh.deployment;

import java.net.PasswordAuthentication;
import java.net.URI;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * How to reach a Connect worker's REST interface. {@link #toString} shows the address alone.
 *
 * @param url {@code http://host:port} or {@code https://host:port}
 * @param login for basic authentication
 * @param trust whom to believe that it is the worker; empty for what the JVM trusts
 */
public record ConnectAccess(
    URI url, Optional<PasswordAuthentication> login, Optional<SSLContext> trust) {
  /** Without any protection. */
  public static ConnectAccess plain(URI url) {
    return new ConnectAccess(url, Optional.empty(), Optional.empty());
  }

  @Override
  public String toString() {
    return url.toString();
  }
}
