package dev.vertlet.apiserver.http;

import dev.vertlet.apiserver.api.ApiException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The representation a client asked for. */
record Form(View view, Encoding encoding) {
  /** What is to be shown of an object. */
  enum View {
    /** The whole object. */
    FULL,
    /** {@code meta.k8s.io/v1 PartialObjectMetadata}. */
    PARTIAL,
    /** {@code meta.k8s.io/v1 Table}. */
    TABLE
  }

  /** How it is written. */
  enum Encoding {
    JSON("application/json"),
    PROTOBUF("application/vnd.kubernetes.protobuf");

    private final String mediaType;

    Encoding(String mediaType) {
      this.mediaType = mediaType;
    }

    String mediaType() {
      return mediaType;
    }

    /** The media type of a watch; a JSON watch is plain JSON to the real server too. */
    String streamType() {
      return this == JSON ? mediaType : mediaType + ";stream=watch";
    }
  }

  /** What is to be represented. */
  enum Shape {
    OBJECT,
    LIST,
    WATCH
  }

  private record Clause(String type, Map<String, String> parameters) {
    double quality() {
      try {
        return Double.parseDouble(parameters.getOrDefault("q", "1"));
      } catch (NumberFormatException e) {
        return 0;
      }
    }

    boolean accepts(Encoding encoding) {
      return type.equals("*/*")
          || type.equals("application/*")
          || type.equals(encoding.mediaType());
    }
  }

  private static final String PARTIAL_OBJECT = "PartialObjectMetadata";
  private static final String PARTIAL_LIST = "PartialObjectMetadataList";
  private static final String TABLE = "Table";

  /**
   * Takes the best clause of the Accept header that can be served.
   *
   * @param protobuf whether the resource can be written as protobuf
   * @throws ApiException 406 when there is none
   */
  static Form negotiate(String accept, Shape shape, boolean protobuf) {
    List<Encoding> offered =
        protobuf ? List.of(Encoding.JSON, Encoding.PROTOBUF) : List.of(Encoding.JSON);
    boolean known = false;
    for (Clause clause : clauses(accept)) {
      for (Encoding encoding : offered) {
        if (clause.accepts(encoding)) {
          known = true;
          Optional<View> view = view(clause, encoding, shape);
          if (view.isPresent()) {
            return new Form(view.get(), encoding);
          }
        }
      }
    }
    String names = String.join(", ", offered.stream().map(Encoding::mediaType).toList());
    throw new ApiException(
        406,
        "NotAcceptable",
        known
            ? "only the following media types are accepted: " + names
            : "406: Not Acceptable\n\nAvailable representations: " + names);
  }

  private static Optional<View> view(Clause clause, Encoding encoding, Shape shape) {
    String as = clause.parameters().getOrDefault("as", "");
    if (as.isEmpty()) {
      return Optional.of(View.FULL);
    } else if (!isMeta(clause.parameters())) {
      return Optional.empty();
    } else if (as.equals(TABLE) && encoding == Encoding.JSON) {
      return Optional.of(View.TABLE);
    } else if (as.equals(PARTIAL_OBJECT) || as.equals(PARTIAL_LIST)) {
      checkShape(as, shape);
      return Optional.of(View.PARTIAL);
    }
    return Optional.empty();
  }

  /** How to write a Status for this client: it is told even when its wishes cannot be met. */
  static Encoding ofStatus(String accept) {
    for (Clause clause : clauses(accept)) {
      for (Encoding encoding : Encoding.values()) {
        // a Status has no other view, so whoever asks for one alone gets JSON
        if (clause.accepts(encoding) && !clause.parameters().containsKey("as")) {
          return encoding;
        }
      }
    }
    return Encoding.JSON;
  }

  /** Clauses by falling quality, else in their order. */
  private static List<Clause> clauses(String accept) {
    List<Clause> clauses = new ArrayList<>();
    for (String clause : (accept.isBlank() ? "*/*" : accept).split(",", -1)) {
      String[] parts = clause.split(";", -1);
      clauses.add(new Clause(parts[0].trim().toLowerCase(Locale.ROOT), parameters(parts)));
    }
    clauses.sort(Comparator.comparingDouble(Clause::quality).reversed());
    return clauses;
  }

  private static Map<String, String> parameters(String[] parts) {
    Map<String, String> found = new HashMap<>();
    for (int i = 1; i < parts.length; i++) {
      int at = parts[i].indexOf('=');
      if (at > 0) {
        found.put(parts[i].substring(0, at).trim(), parts[i].substring(at + 1).trim());
      }
    }
    return found;
  }

  private static boolean isMeta(Map<String, String> parameters) {
    return parameters.getOrDefault("g", "").equals("meta.k8s.io")
        && parameters.getOrDefault("v", "").equals("v1");
  }

  private static void checkShape(String as, Shape shape) {
    if (shape == Shape.LIST && as.equals(PARTIAL_OBJECT)) {
      throw new ApiException(
          406,
          "NotAcceptable",
          "you requested PartialObjectMetadata, but the requested object is a list");
    } else if (shape != Shape.LIST && as.equals(PARTIAL_LIST)) {
      throw new ApiException(
          406,
          "NotAcceptable",
          "you requested PartialObjectMetadataList, but the requested object is not a list");
    }
  }
}
