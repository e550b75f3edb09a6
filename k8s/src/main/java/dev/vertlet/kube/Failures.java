package dev.vertlet.kube;

import dev.vertlet.kube.FrameSplitter.FrameTooLongException;
import dev.vertlet.kube.KubeException.Kind;
import dev.vertlet.model.DecodeException;
import io.vertx.core.buffer.Buffer;
import java.io.EOFException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertPathValidatorException.Reason;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Turns an HTTP answer, or the lack of one, into a {@link KubeException}; no other class does. */
public final class Failures {
  /** Reasons that do not show an unknown certificate authority. */
  private static final Set<Reason> OUT_OF_DATE =
      Set.of(BasicReason.EXPIRED, BasicReason.NOT_YET_VALID);

  private static final Pattern USER = Pattern.compile("User \"([^\"]*)\"");

  /** End of the message of a 403 for a terminating namespace: RBAC is not the cause. */
  private static final String TERMINATING = "because it is being terminated";

  /**
   * Part of the message of a 403 from a starting API server, whose admission plugins are not ready.
   */
  private static final String STARTING = "not yet ready to handle request";

  /** Longer server messages are truncated: they go to logs and Node conditions. */
  private static final int LONGEST_MESSAGE = 400;

  private Failures() {}

  /**
   * Failure for an answer that is not 2xx.
   *
   * @param retryAfterHeader value of Retry-After, null if missing
   */
  public static KubeException answer(
      Verb verb, KubePath path, int status, @Nullable String retryAfterHeader, Buffer body) {
    ApiStatus said = ApiStatus.decode(body);
    Kind kind = kind(status, said);
    String message =
        kind == Kind.FORBIDDEN
            ? forbidden(verb, path, said)
            : "%s %s: %d %s%s"
                .formatted(
                    verb.rbac(),
                    path.path(),
                    status,
                    said.reason().isEmpty() ? kind.name() : said.reason(),
                    said.message().isEmpty() ? "" : ": " + oneLine(said.message()));
    return new KubeException(kind, status, message, retryAfter(retryAfterHeader, said), null);
  }

  /** Failure for an ERROR event inside a watch. */
  public static KubeException event(
      KubePath path, int code, String reason, String message, @Nullable Duration retryAfter) {
    Kind kind = kind(code, reason);
    return new KubeException(
        kind,
        code,
        "watch %s: %d %s: %s".formatted(path.path(), code, reason, oneLine(message)),
        retryAfter,
        null);
  }

  /** Failure for a request without an answer. */
  public static KubeException transport(Verb verb, KubePath path, Throwable cause) {
    if (cause instanceof KubeException known) {
      return known;
    }
    Kind kind = cause instanceof TimeoutException ? Kind.TIMEOUT : Kind.TRANSPORT;
    return new KubeException(
        kind, 0, "%s %s: %s".formatted(verb.rbac(), path.path(), describe(cause)), null, cause);
  }

  public static KubeException timeout(Verb verb, KubePath path, Duration limit) {
    return new KubeException(
        Kind.TIMEOUT,
        0,
        "%s %s: no answer within %d ms".formatted(verb.rbac(), path.path(), limit.toMillis()),
        null,
        null);
  }

  /** Failure for a watch without events or bookmarks. */
  public static KubeException silent(KubePath path, Duration limit) {
    return new KubeException(
        Kind.TIMEOUT,
        0,
        "watch %s: nothing came for %d s".formatted(path.path(), limit.toSeconds()),
        null,
        null);
  }

  public static KubeException closed(Verb verb, KubePath path) {
    return new KubeException(
        Kind.TRANSPORT,
        0,
        "%s %s: the client is closed".formatted(verb.rbac(), path.path()),
        null,
        null);
  }

  /** Failure for a request that the caller gave up. */
  public static KubeException cancelled(Verb verb, KubePath path) {
    return new KubeException(
        Kind.CANCELLED, 0, "%s %s: given up".formatted(verb.rbac(), path.path()), null, null);
  }

  /**
   * Failure for an answer that cannot be decoded.
   *
   * @param cause for an exception of our own code only its location is shown: its message may quote
   *     the undecoded bytes
   */
  public static KubeException decode(Verb verb, KubePath path, RuntimeException cause) {
    return new KubeException(
        Kind.DECODE,
        0,
        "%s %s cannot be decoded: %s".formatted(verb.rbac(), path.path(), undecoded(cause)),
        null,
        cause);
  }

  private static String undecoded(RuntimeException cause) {
    if (cause instanceof DecodeException || cause instanceof FrameTooLongException) {
      return oneLine(String.valueOf(cause.getMessage()));
    }
    StackTraceElement[] trace = cause.getStackTrace();
    return cause.getClass().getSimpleName() + (trace.length == 0 ? "" : " at " + trace[0]);
  }

  private static Kind kind(int status, ApiStatus said) {
    if (said.message().endsWith(TERMINATING)) {
      return Kind.INVALID;
    }
    return said.message().endsWith(STARTING) ? Kind.SERVER_ERROR : kind(status, said.reason());
  }

  static Kind kind(int status, String reason) {
    return switch (status) {
      case 401 -> Kind.UNAUTHORIZED;
      case 403 -> Kind.FORBIDDEN;
      case 404 -> Kind.NOT_FOUND;
      case 409 -> reason.equals("AlreadyExists") ? Kind.ALREADY_EXISTS : Kind.CONFLICT;
      case 410 -> Kind.EXPIRED;
      case 408 -> Kind.TIMEOUT;
      case 429 -> Kind.THROTTLED;
      default -> {
        if (reason.equals("Expired") || reason.equals("Gone")) {
          yield Kind.EXPIRED;
        }
        yield status >= 500 ? Kind.SERVER_ERROR : Kind.INVALID;
      }
    };
  }

  /** Describes a failed connection for people, on one line. */
  public static String describe(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null && !(cause instanceof AccessException)) {
      cause = cause.getCause();
    }
    String message = cause.getMessage() == null ? "" : oneLine(cause.getMessage());
    if (cause instanceof UnknownHostException) {
      return "host name not found: " + message;
    }
    if (cause instanceof NoSuchFileException) {
      return "no such file";
    }
    if (cause instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (isUntrusted(failure)) {
      return "the API server's certificate is not signed by the configured certificate authority";
    }
    if (cause instanceof SSLException || cause instanceof java.security.GeneralSecurityException) {
      return "TLS: " + message;
    }
    return message.isEmpty() ? wordless(cause) : message;
  }

  /**
   * Whether the server's certificate is signed by an unknown authority. Clusters give their
   * authorities the same name, so a foreign one may differ in its signature alone.
   */
  public static boolean isUntrusted(Throwable failure) {
    boolean untrusted = false;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof CertPathValidatorException invalid
          && OUT_OF_DATE.contains(invalid.getReason())) {
        return false;
      }
      untrusted |=
          cause instanceof CertPathBuilderException || cause instanceof CertPathValidatorException;
    }
    return untrusted;
  }

  /** Describes failures without a message: their class names do not help operators. */
  private static String wordless(Throwable cause) {
    if (cause instanceof ClosedChannelException || cause instanceof EOFException) {
      return "the connection was closed";
    }
    return cause instanceof TimeoutException ? "no answer in time" : "no reason was given";
  }

  /** Authorizers name the user in their message; a 403 without a user comes from admission. */
  private static String forbidden(Verb verb, KubePath path, ApiStatus said) {
    Matcher user = USER.matcher(said.message());
    boolean named = user.find();
    if (!named && !said.message().isEmpty()) {
      return "forbidden: %s %s: %s"
          .formatted(verb.rbac(), path.resource(), oneLine(said.message()));
    }
    return "forbidden: %s may not %s %s in API group \"%s\"; RBAC must grant it%s"
        .formatted(
            named ? "user \"" + user.group(1) + "\"" : "this user",
            verb.rbac(),
            path.resource(),
            path.group(),
            said.message().isEmpty() ? "" : " (the server says: " + oneLine(said.message()) + ")");
  }

  /** Reads Retry-After in seconds: API servers never send a date. */
  private static @Nullable Duration retryAfter(@Nullable String header, ApiStatus said) {
    if (header != null && !header.isEmpty() && header.length() < 9) {
      boolean digits = header.chars().allMatch(c -> c >= '0' && c <= '9');
      if (digits) {
        return Duration.ofSeconds(Long.parseLong(header));
      }
    }
    return said.retryAfterSeconds() > 0 ? Duration.ofSeconds(said.retryAfterSeconds()) : null;
  }

  private static String oneLine(String text) {
    String line = text.strip().replaceAll("\\s+", " ");
    return line.length() <= LONGEST_MESSAGE ? line : line.substring(0, LONGEST_MESSAGE) + "…";
  }
}
