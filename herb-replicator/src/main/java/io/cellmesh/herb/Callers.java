package io.cellmesh.herb;

import io.cellmesh.deployment.peer.PeerHttp;
import jakarta.servlet.http.HttpServletRequest;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.Set;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;

/**
 * Tells which data centre asks, and whether it may. Over TLS its certificate says so, with its
 * common name; in the clear, which stays on this machine, a header does.
 *
 * @param certified whether only a certificate counts
 */
record Callers(boolean certified) {
  /** Counts in the clear alone. */
  static final String HEADER = PeerHttp.CALLER_HEADER;

  private static final String CERTIFICATES = "jakarta.servlet.request.X509Certificate";
  private static final int SHOWN = 48;

  /** Somebody who may not read; the message is for that one. */
  static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    RefusedException(String message) {
      super(message);
    }
  }

  /**
   * The data centre that asks.
   *
   * @throws RefusedException if nobody knows which it is
   */
  String of(HttpServletRequest request) throws RefusedException {
    var name = certified ? certified(request) : Optional.ofNullable(request.getHeader(HEADER));
    if (name.isEmpty()) {
      throw new RefusedException(
          certified
              ? "the certificate has no common name (CN), which must be the data centre's"
              : "the header %s must name the data centre".formatted(HEADER));
    }
    return name.get();
  }

  /**
   * Makes sure that it may.
   *
   * @throws RefusedException if it is not among those who may read
   */
  static void check(String caller, Set<String> allowed) throws RefusedException {
    if (!allowed.contains(caller)) {
      throw new RefusedException(
          "\"%s\" is not among those who may read here (mesh.serve.allow)"
              .formatted(shortened(caller)));
    }
  }

  private static Optional<String> certified(HttpServletRequest request) {
    return request.getAttribute(CERTIFICATES) instanceof X509Certificate[] chain && chain.length > 0
        ? commonName(chain[0].getSubjectX500Principal().getName())
        : Optional.empty();
  }

  /** The CN of a distinguished name, as RFC 2253 writes it. */
  static Optional<String> commonName(String subject) {
    try {
      return new LdapName(subject)
          .getRdns().stream()
              .filter(part -> part.getType().equalsIgnoreCase("CN"))
              .map(part -> part.getValue().toString())
              .findFirst();
    } catch (InvalidNameException e) {
      return Optional.empty();
    }
  }

  private static String shortened(String text) {
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
  }
}
