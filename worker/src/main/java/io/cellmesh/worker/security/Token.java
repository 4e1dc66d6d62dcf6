package io.cellmesh.worker.security;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.regex.Pattern;

/**
 * Bearer tokens: {@code cm_} and 256 bits at random.
 *
 * <p>Their plain SHA-256 is what a worker keeps. Hashes of passwords are slow and salted because
 * people choose passwords that can be guessed. Nobody guesses 256 bits at any speed, so a slow hash
 * would only make each call dearer. What is not of this form is no token, so that nobody can put
 * one of his own invention into the file.
 */
final class Token {
  private static final int BYTES = 32;
  private static final String PREFIX = "cm_";
  private static final Pattern FORM = Pattern.compile(PREFIX + "[A-Za-z0-9_-]{43}");

  private Token() {}

  static String draw(SecureRandom random) {
    var bytes = new byte[BYTES];
    random.nextBytes(bytes);
    return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  static boolean isOne(String text) {
    return FORM.matcher(text).matches();
  }

  static byte[] hash(String token) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has it", e);
    }
  }
}
