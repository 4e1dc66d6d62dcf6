package io.cellmesh.devstack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the MySQL servers of a stack prove with who they are: one CA, and one certificate of it for
 * this machine's loopback. They are made by the JDK's keytool alone.
 *
 * <p>The directory holds {@code ca.pem}, {@code server-cert.pem} and {@code server-key.pem} for
 * servers, and for clients {@code truststore.p12} with {@code truststore.password}.
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
    var random = new byte[16];
    new SecureRandom().nextBytes(random);
    var password = HexFormat.of().formatHex(random);
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
    write("ca.pem", pem("CERTIFICATE", ca.getEncoded()));
    write("server-cert.pem", pem("CERTIFICATE", keys.getCertificate(SERVER).getEncoded()));
    write(
        "server-key.pem",
        pem("PRIVATE KEY", keys.getKey(SERVER, password.toCharArray()).getEncoded()));
    Files.delete(dir.resolve(KEYS));
    var trust = KeyStore.getInstance("PKCS12");
    trust.load(null, null);
    trust.setCertificateEntry(CA, ca);
    try (var out = Files.newOutputStream(trustStore())) {
      trust.store(out, password.toCharArray());
    }
    write(passwordFile().getFileName().toString(), password);
  }

  private void write(String name, String text) throws IOException {
    var file = dir.resolve(name);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(file, text);
  }

  private static String pem(String kind, byte[] der) {
    var lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n".formatted(kind, lines);
  }
}
