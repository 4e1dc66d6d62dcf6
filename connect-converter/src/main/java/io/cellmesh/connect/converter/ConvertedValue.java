package io.cellmesh.connect.converter;

import io.cellmesh.cell.InvalidCellException;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;

/**
 * A record's value to the byte, and the envelope that it stands for once somebody asks. Serves one
 * thread.
 */
public final class ConvertedValue {
  /** Of a schema registry's client, which is no part of this. */
  private static final String ANSWER = "RestClientException";

  /** The same client's, which asks. */
  private static final String CLIENT = "RestService";

  private final byte[] original;
  private final Reader reader;
  private byte[] envelope;

  ConvertedValue(byte[] original, Reader reader) {
    this.original = original;
    this.reader = reader;
  }

  /** Reads the value with another converter. */
  @FunctionalInterface
  interface Reader {
    byte[] read() throws IOException, InvalidCellException;
  }

  /** What stands in the topic. */
  public byte[] original() {
    return original;
  }

  /**
   * The cell's envelope, which still has to be held to the rules of one.
   *
   * @throws InvalidCellException if the value can't be read, or has no cell
   * @throws RetriableException if it can't be read now, since what the other converter needs is out
   *     of reach; to be asked again
   * @throws ConnectException if what the other converter needs is not trusted, which no repetition
   *     mends
   */
  public byte[] envelope() throws InvalidCellException {
    if (envelope == null) {
      try {
        envelope = reader.read();
      } catch (IOException | RuntimeException | StackOverflowError e) {
        if (isDistrust(e)) {
          throw new ConnectException(
              "values can't be read: what the other converter asks has a certificate that is not"
                  + " trusted ("
                  + shorten(e)
                  + "); give the converter its truststore, as a setting after delegate.",
              e);
        }
        if (isTransient(e)) {
          throw new RetriableException("values can't be read now: " + e, e);
        }
        throw InvalidCellException.of("record", "can't be read: " + shorten(e));
      }
    }
    return envelope;
  }

  /** Bytes that the larger of the two takes; of what can't be read, those of the original. */
  public long size() {
    try {
      return Math.max(original.length, envelope().length);
    } catch (InvalidCellException e) {
      return original.length;
    }
  }

  private static boolean isDistrust(Throwable failure) {
    return has(failure, List.of(CertificateException.class, SSLPeerUnverifiedException.class));
  }

  /**
   * A schema registry that does not answer, or refuses whoever asks, says nothing of the record.
   * Confluent's converters take the latter for a wrong setting.
   */
  private static boolean isTransient(Throwable failure) {
    return has(
            failure,
            List.of(
                RetriableException.class,
                org.apache.kafka.common.errors.RetriableException.class,
                ConfigException.class,
                InvalidConfigurationException.class,
                SocketException.class,
                SocketTimeoutException.class,
                UnknownHostException.class,
                SSLException.class))
        || causes(failure).anyMatch(ConvertedValue::isOtherAnswer)
        || causes(failure).anyMatch(ConvertedValue::isOfAsking);
  }

  /**
   * Whether a schema registry was being asked, whose answer broke off or is no answer of one: the
   * same failure says of a value that it is damaged, so the place counts where it came up.
   */
  private static boolean isOfAsking(Throwable cause) {
    return cause instanceof IOException
        && !isAnswer(cause)
        && Arrays.stream(cause.getStackTrace())
            .anyMatch(frame -> frame.getClassName().endsWith(CLIENT));
  }

  private static boolean isAnswer(Throwable cause) {
    return cause.getClass().getSimpleName().equals(ANSWER);
  }

  /**
   * Whether a schema registry has answered anything but that there is no such schema, or none that
   * is valid; it says that in codes of its own, such as 40403 or 42201. What else comes, a 503 or a
   * 40301 for whoever may not read the subject, is of the registry, or of what stands before it.
   */
  private static boolean isOtherAnswer(Throwable cause) {
    if (!isAnswer(cause)) {
      return false;
    }
    try {
      return !(cause.getClass().getMethod("getErrorCode").invoke(cause) instanceof Integer code)
          || code / 100 != 404 && code / 100 != 422;
    } catch (ReflectiveOperationException e) {
      return false;
    }
  }

  /** Whether a failure, or one that it came of, is of one of the kinds. */
  private static boolean has(Throwable failure, List<Class<? extends Exception>> kinds) {
    return causes(failure)
        .anyMatch(cause -> kinds.stream().anyMatch(kind -> kind.isInstance(cause)));
  }

  /** The failure itself, then what it came of. */
  private static Stream<Throwable> causes(Throwable failure) {
    return Stream.iterate(failure, Objects::nonNull, Throwable::getCause);
  }

  /** By its class alone where its words may quote the value. */
  private static String shorten(Throwable failure) {
    var deepest = failure;
    while (deepest.getCause() != null) {
      deepest = deepest.getCause();
    }
    return deepest == failure
        ? failure.getClass().getSimpleName()
        : failure.getClass().getSimpleName() + ", " + deepest.getClass().getSimpleName();
  }
}
