package io.cellmesh.devstack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the servers of a stack prove with who they are: one CA, and one certificate of it for this
 * machine's loopback. They are made by the JDK's keytool alone.
 *
 * <p>The directory holds {@code ca.pem}, {@code server-cert.pem} and {@code server-key.pem} for
 * MySQL, the same as {@code keystore.p12} for JVMs, and for clients {@code truststore.p12}. What is
 * in {@code truststore.password} opens both stores.
 */
public record Certificates(Path dir) {
  private static final String KEYS = "keys.p12";
  private static final String CA = "ca";
  private static final String SERVER = "server";
  private static final String PASSWORD_VARIABLE = "CELLMESH_STORE_PASSWORD";

  /** Those of a stack that speaks TLS; empty for another. */
  public static Optional<Certificates> of(Path stateDir) {
    var certificates = new Certificates(dirIn(stateDir));
    return Files.exists(certificates.trustStore()) ? Optional.of(certificates) : Optional.empty();
  }

  static Path dirIn(Path stateDir) {
    return stateDir.resolve("tls");
  }

  /** Makes a CA and a server's certificate of it in a new directory. */
  public static Certificates make(Path dir) {
    var certificates = new Certificates(dir);
    var password = OwnersFile.secret();
    try {
      Files.createDirectories(dir);
      certificates.keys(password);
      certificates.files(password);
      return certificates;
    } catch (IOException | GeneralSecurityException e) {
      throw new DevStackException("no certificates could be made in " + dir, e);
    }
  }

  /** A PKCS12 file that trusts the CA. */
  public Path trustStore() {
    return dir.resolve("truststore.p12");
  }

  /** A PKCS12 file with the server's key and certificate. */
  Path keyStore() {
    return dir.resolve("keystore.p12");
  }

  /** What opens {@link #trustStore}. */
  public String trustStorePassword() {
    try {
      return Files.readString(passwordFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The settings of a server's option file, by name. */
  Map<String, String> serverSettings() {
    return Map.of(
        "ssl_ca", dir.resolve("ca.pem").toString(),
        "ssl_cert", dir.resolve("server-cert.pem").toString(),
        "ssl_key", dir.resolve("server-key.pem").toString());
  }

  private Path passwordFile() {
    return dir.resolve("truststore.password");
  }

  private void keys(String password) throws IOException {
    keytool(password, CA, "-dname", "CN=Cellmesh devstack CA", "-ext", "bc:critical=ca:true");
    keytool(
        password,
        SERVER,
        "-dname",
        "CN=Cellmesh devstack",
        "-signer",
        CA,
        "-ext",
        "san=dns:localhost,ip:127.0.0.1");
  }

  private void keytool(String password, String alias, String... more) throws IOException {
    var command =
        new ArrayList<String>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keystore",
                dir.resolve(KEYS).toString(),
                "-storetype",
                "PKCS12",
                // By the environment, so that it stands in no list of processes.
                "-storepass:env",
                PASSWORD_VARIABLE,
                "-alias",
                alias,
                "-keyalg",
                "RSA",
                "-keysize",
                "2048",
                "-validity",
                "3650"));
    command.addAll(List.of(more));
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put(PASSWORD_VARIABLE, password);
    var process = builder.start();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (process.waitFor() != 0) {
        throw new IOException("keytool: " + output.strip());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private void files(String password) throws IOException, GeneralSecurityException {
    var keys = KeyStore.getInstance(dir.resolve(KEYS).toFile(), password.toCharArray());
    var ca = keys.getCertificate(CA);
    OwnersFile.write(dir.resolve("ca.pem"), pem("CERTIFICATE", ca.getEncoded()));
    OwnersFile.write(
        dir.resolve("server-cert.pem"),
        pem("CERTIFICATE", keys.getCertificate(SERVER).getEncoded()));
    OwnersFile.write(
        dir.resolve("server-key.pem"),
        pem("PRIVATE KEY", keys.getKey(SERVER, password.toCharArray()).getEncoded()));
    Files.delete(dir.resolve(KEYS));
    var trust = empty();
    trust.setCertificateEntry(CA, ca);
    store(trust, trustStore(), password);
    var server = empty();
    server.setKeyEntry(
        SERVER,
        keys.getKey(SERVER, password.toCharArray()),
        password.toCharArray(),
        keys.getCertificateChain(SERVER));
    store(server, keyStore(), password);
    OwnersFile.write(passwordFile(), password);
  }

  private static KeyStore empty() throws IOException, GeneralSecurityException {
    var store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  private static void store(KeyStore store, Path file, String password)
      throws IOException, GeneralSecurityException {
    OwnersFile.create(file);
    try (var out = Files.newOutputStream(file)) {
      store.store(out, password.toCharArray());
    }
  }

  private static String pem(String kind, byte[] der) {
    var lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n".formatted(kind, lines);
  }
}
