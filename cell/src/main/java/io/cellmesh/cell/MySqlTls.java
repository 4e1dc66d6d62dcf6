package io.cellmesh.cell;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/**
 * How connections to MySQL servers are protected. The password stays out of {@link #toString}.
 *
 * @param trustStore a PKCS12 or JKS file with the certificates of the CAs that sign the servers';
 *     empty for those that the JVM trusts. Only modes that verify have one
 * @param trustStorePassword of that file; empty without one
 */
public record MySqlTls(Mode mode, Optional<Path> trustStore, String trustStorePassword) {

  /**
   * {@link Mode#PREFERRED}: encrypted where the server can, whoever the server is. Only among the
   * processes of one machine is that the default ({@link #mode}).
   */
  public static final MySqlTls DEFAULT = new MySqlTls(Mode.PREFERRED, Optional.empty(), "");

  /**
   * Connector/J's and Debezium's modes, under the names that MySQL's own programs have for them.
   */
  public enum Mode {
    DISABLED,
    PREFERRED,
    REQUIRED,
    /** As REQUIRED, from a server whose certificate a trusted CA has signed. */
    VERIFY_CA,
    /** As VERIFY_CA, and the certificate is for the host that the topology names. */
    VERIFY_IDENTITY;

    /** Whether nothing goes unencrypted. */
    public boolean encrypts() {
      return this == REQUIRED || verifies();
    }

    public boolean verifies() {
      return this == VERIFY_CA || this == VERIFY_IDENTITY;
    }

    /** All of them, as settings say them. */
    public static String[] names() {
      return Arrays.stream(values()).map(Mode::name).toArray(String[]::new);
    }
  }

  public MySqlTls {
    Objects.requireNonNull(mode, "mode");
    Objects.requireNonNull(trustStore, "trustStore");
    Objects.requireNonNull(trustStorePassword, "trustStorePassword");
    if (trustStore.isPresent() && !mode.verifies()) {
      throw new IllegalArgumentException(
          "a trust store is looked at by VERIFY_CA and VERIFY_IDENTITY alone, and the mode is "
              + mode);
    }
  }

  /**
   * From settings.
   *
   * @param trustStore empty for none
   * @throws IllegalArgumentException if the mode has no use for a trust store, or the file can't be
   *     read with the password or trusts nobody; the message names the file
   */
  public static MySqlTls of(Mode mode, String trustStore, String trustStorePassword) {
    var file = trustStore.isEmpty() ? Optional.<Path>empty() : Optional.of(Path.of(trustStore));
    var tls = new MySqlTls(mode, file, trustStorePassword);
    file.ifPresent(path -> check(path, trustStorePassword));
    return tls;
  }

  /**
   * Tells the mode that is meant.
   *
   * @param asked one of {@link Mode#names}; empty if nobody has said, which is enough for servers
   *     of this machine alone
   * @throws IllegalArgumentException if it is no mode, or empty and a server is reached over a
   *     network, where whoever answers in its place would get passwords and cells
   */
  public static Mode mode(String asked, Topology topology) {
    if (!asked.isEmpty()) {
      return Arrays.stream(Mode.values())
          .filter(mode -> mode.name().equals(asked))
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "\"%s\" is not one of %s".formatted(asked, Arrays.toString(Mode.names()))));
    }
    topology
        .offLoopback()
        .ifPresent(
            server -> {
              throw new IllegalArgumentException(
                  "must be set, since %s is not this machine: VERIFY_IDENTITY lets nobody answer in its place, VERIFY_CA trusts whatever the CA signed, REQUIRED and PREFERRED trust anybody who answers, DISABLED also shows everybody what is sent"
                      .formatted(server.address()));
            });
    return DEFAULT.mode();
  }

  @Override
  public String toString() {
    return mode + trustStore.map(file -> " by " + file).orElse("");
  }

  /** A driver would take what it can't open for a server that is down. */
  private static void check(Path file, String password) {
    if (!Files.isReadable(file)) {
      throw new IllegalArgumentException(file + ": no such file, or not readable");
    }
    try {
      if (KeyStore.getInstance(file.toFile(), password.toCharArray()).size() == 0) {
        throw new IllegalArgumentException(
            file + ": it holds no certificate that can be read with this password");
      }
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalArgumentException(
          file + ": not a PKCS12 or JKS file, or another password: " + e.getMessage(), e);
    }
  }
}
