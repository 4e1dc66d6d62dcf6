package io.cellmesh.triggers.webhook;

import io.cellmesh.cell.Printable;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Where cells are posted, and how. {@link #toString} shows the target alone, since headers may hold
 * secrets.
 *
 * @param url http or https, without user info and fragment
 * @param timeout of a request, from the first byte of the connection to the last of the answer;
 *     positive
 * @param connectTimeout of a connection; positive
 * @param tokenFile a file with the token for {@code Authorization: Bearer}, read for each request
 * @param keyStore what the receiver knows this client by; only with https
 * @param trustStore the CAs that may vouch for the receiver; empty for those that the JVM trusts.
 *     Only with https
 * @param version the newest version of HTTP that is offered; over http HTTP/2 is asked for by an
 *     Upgrade header
 * @param headers more headers of each request, as {@link ExtraHeaders} allows them
 */
public record WebhookSettings(
    URI url,
    Duration timeout,
    Duration connectTimeout,
    Optional<Path> tokenFile,
    Optional<StoreFile> keyStore,
    Optional<StoreFile> trustStore,
    HttpClient.Version version,
    Content content,
    Map<String, String> headers) {
  /** An address as opposed to a name, which a name server might be asked for. */
  private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|\\[.*]");

  private static final int SHOWN = 200;

  /**
   * @throws IllegalArgumentException naming the setting and the rule, and of the values none that
   *     may be a secret
   */
  public WebhookSettings {
    checkUrl(url);
    checkPositive(WebhookConfig.TIMEOUT, timeout);
    checkPositive(WebhookConfig.CONNECT_TIMEOUT, connectTimeout);
    Objects.requireNonNull(version, "version");
    Objects.requireNonNull(content, "content");
    headers = ExtraHeaders.checked(headers);
    if (tokenFile.isPresent() && !isEncrypted(url) && !isThisMachine(url)) {
      throw new IllegalArgumentException(
          "%s: over http the token of %s could be read on the way; use https"
              .formatted(WebhookConfig.URL, WebhookConfig.TOKEN_FILE));
    }
    if ((keyStore.isPresent() || trustStore.isPresent()) && !isEncrypted(url)) {
      throw new IllegalArgumentException(
          "%s: over http a %s protects nothing; use https"
              .formatted(
                  WebhookConfig.URL,
                  keyStore.isPresent() ? WebhookConfig.KEY_STORE : WebhookConfig.TRUST_STORE));
    }
  }

  /** The URL as messages name it: without its query, shortened. */
  public String target() {
    var target = url.getScheme() + "://" + url.getRawAuthority() + url.getRawPath();
    return Printable.of(
        target.length() <= SHOWN ? target : target.substring(0, SHOWN).concat("\u2026"));
  }

  @Override
  public String toString() {
    return target();
  }

  private static void checkUrl(URI url) {
    if (!"http".equalsIgnoreCase(url.getScheme()) && !isEncrypted(url)) {
      throw badUrl("must begin with http:// or https://");
    }
    if (url.getRawUserInfo() != null || authority(url).contains("@")) {
      throw badUrl(
          "must not hold a user or a password; use " + WebhookConfig.TOKEN_FILE + " or a header");
    }
    if (url.getHost() == null) {
      throw badUrl("has no host; its name holds letters, digits, hyphens and points");
    }
    if (url.getPort() > 0xffff || url.getPort() == 0) {
      throw badUrl("its port is not in 1..65535");
    }
    if (url.getRawFragment() != null) {
      throw badUrl("must not have a fragment, which is never sent");
    }
  }

  private static String authority(URI url) {
    return Objects.requireNonNullElse(url.getRawAuthority(), "");
  }

  private static IllegalArgumentException badUrl(String rule) {
    return new IllegalArgumentException(WebhookConfig.URL + ": " + rule);
  }

  private static void checkPositive(String setting, Duration time) {
    if (time.isNegative() || time.isZero()) {
      throw new IllegalArgumentException(setting + ": " + time.toMillis() + " is not positive");
    }
  }

  private static boolean isEncrypted(URI url) {
    return "https".equalsIgnoreCase(url.getScheme());
  }

  /** By its name or address alone; what a name server answers may change. */
  private static boolean isThisMachine(URI url) {
    var host = url.getHost();
    try {
      return host.equalsIgnoreCase("localhost")
          || ADDRESS.matcher(host).matches() && InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
