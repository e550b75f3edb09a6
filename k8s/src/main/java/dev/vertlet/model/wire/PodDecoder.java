package dev.vertlet.model.wire;

import dev.vertlet.model.DecodeException;
import dev.vertlet.model.ListPage;
import dev.vertlet.model.ObjectDecoder;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.WatchEvent;
import dev.vertlet.model.WatchEvent.Bookmark;
import dev.vertlet.model.WatchEvent.Deleted;
import dev.vertlet.model.WatchEvent.Failure;
import dev.vertlet.model.WatchEvent.Identity;
import dev.vertlet.model.WatchEvent.Upsert;
import dev.vertlet.model.pod.PodView;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Decodes pods from protobuf and JSON.
 *
 * <p>Equal values of many pods (strings, containers, labels, conditions) are shared among the pods
 * of one decoder, so use one decoder for all watches of a process; it is safe on any thread. The
 * spec's hash differs between the encodings: a change of the encoding looks like a change of the
 * spec.
 */
public final class PodDecoder implements ObjectDecoder<PodView> {
  public static final String LIST_PROTOBUF = "application/vnd.kubernetes.protobuf,application/json";
  public static final String LIST_JSON = "application/json";
  public static final String WATCH_PROTOBUF =
      "application/vnd.kubernetes.protobuf;stream=watch,application/json;stream=watch";
  public static final String WATCH_JSON = "application/json;stream=watch";

  private static final String PROTOBUF_TYPE = "application/vnd.kubernetes.protobuf";
  private static final String JSON_TYPE = "application/json";

  /** Annotation of the bookmark that ends the initial list of a streaming watch. */
  private static final String INITIAL_EVENTS_END = "k8s.io/initial-events-end";

  private static final Fields EVENT = Fields.of("1 type", "2 object");
  private static final Fields OBJECT = Fields.of("2 object");
  private static final Fields LIST = Fields.of("1 metadata", "2 items");
  private static final Fields LIST_META = Fields.of("2 resourceVersion", "3 continue");
  private static final Fields METADATA = Fields.of("1 metadata");
  private static final Fields PLACE = Fields.of("1 metadata", "2 spec");
  private static final Fields VERSION = Fields.of("6 resourceVersion");
  private static final Fields NODE_NAME = Fields.of("10 nodeName");
  private static final Fields STATUS = Fields.of("3 message", "4 reason", "5 details", "6 code");
  private static final Fields DETAILS = Fields.of("5 retryAfterSeconds");

  private final Interner interner = new Interner();
  private final PodReader pods = new PodReader(interner);
  private final @Nullable Predicate<String> nodes;

  /** Creates a decoder of all pods. */
  public PodDecoder() {
    this.nodes = null;
  }

  /**
   * Creates a decoder of the pods on some nodes. For pods on other nodes, only the node name and
   * the resourceVersion are decoded: lists leave them out, and their events become a {@link
   * Bookmark}.
   *
   * @param nodes called for each pod with the name of its node, empty for an unbound pod, on the
   *     decoding thread
   */
  public PodDecoder(Predicate<String> nodes) {
    this.nodes = nodes;
  }

  @Override
  public String acceptList(boolean protobuf) {
    return protobuf ? LIST_PROTOBUF : LIST_JSON;
  }

  @Override
  public String acceptWatch(boolean protobuf) {
    return protobuf ? WATCH_PROTOBUF : WATCH_JSON;
  }

  @Override
  public ListPage<PodView> decodeList(String contentType, Buffer body) {
    try (ObjectReader in = open(contentType, body.getBytes())) {
      in.enterTyped("PodList");
      ListMeta meta = new ListMeta();
      List<PodView> items = new ArrayList<>();
      while (in.next(LIST)) {
        if (in.field().equals("metadata")) {
          meta.read(in);
        } else {
          in.enter();
          PodView pod = pods.read(in);
          if (nodes == null || nodes.test(pod.nodeName())) {
            items.add(pod);
          }
        }
      }
      in.end();
      return new ListPage<>(items, Metadata.number(meta.resourceVersion, in), meta.next);
    }
  }

  @Override
  public WatchEvent<PodView> decodeEvent(String contentType, Buffer frame) {
    byte[] bytes = frame.getBytes();
    String type = "";
    WatchEvent<PodView> event = null;
    // The server writes the type first. If the type comes last, the second pass knows it.
    for (int pass = 0; pass < 2 && event == null; pass++) {
      try (ObjectReader in = open(contentType, bytes)) {
        in.enterFrame();
        while (in.next(EVENT)) {
          if (in.field().equals("type")) {
            type = in.shared();
          } else if (type.isEmpty()) {
            in.skip();
          } else {
            Bookmark<PodView> passedOver = passedOver(contentType, type, bytes);
            event = passedOver == null ? object(type, in) : passedOver;
            if (passedOver != null) {
              in.skip();
            }
          }
        }
        in.end();
      }
    }
    if (event == null) {
      throw new DecodeException("watch event without " + (type.isEmpty() ? "type" : "object"));
    }
    return event;
  }

  /** Decodes one Pod object, the answer of a request in JSON. */
  public PodView decode(Buffer json) {
    try (ObjectReader in = open(JSON_TYPE, json.getBytes())) {
      PodView pod = pod(in);
      in.end();
      return pod;
    }
  }

  private ObjectReader open(String contentType, byte[] bytes) {
    int parameters = contentType.indexOf(';');
    String type = (parameters < 0 ? contentType : contentType.substring(0, parameters)).strip();
    if (type.equalsIgnoreCase(PROTOBUF_TYPE)) {
      return new ProtoReader(bytes, interner);
    }
    if (type.equalsIgnoreCase(JSON_TYPE)) {
      return new JsonReader(bytes, interner);
    }
    throw new DecodeException(
        "content type must be " + PROTOBUF_TYPE + " or " + JSON_TYPE + ", got \"" + type + "\"");
  }

  private WatchEvent<PodView> object(String type, ObjectReader in) {
    return switch (type) {
      case "ADDED", "MODIFIED" -> new Upsert<>(pod(in));
      case "DELETED" -> deleted(in);
      case "BOOKMARK" -> bookmark(in);
      case "ERROR" -> failure(in);
      default -> throw in.malformed("unknown type of watch event");
    };
  }

  private PodView pod(ObjectReader in) {
    in.enterTyped("Pod");
    return pods.read(in);
  }

  /**
   * Returns a bookmark for the event of a pod on another node; null if the event must be decoded.
   */
  private @Nullable Bookmark<PodView> passedOver(String contentType, String type, byte[] bytes) {
    if (nodes == null || !(type.equals("ADDED") || type.equals("MODIFIED"))) {
      return null;
    }
    String resourceVersion = "";
    String node = "";
    try (ObjectReader in = open(contentType, bytes)) {
      in.enterFrame();
      in.next(OBJECT);
      in.enterTyped("Pod");
      while (in.next(PLACE)) {
        boolean spec = in.field().equals("spec");
        in.enter();
        while (in.next(spec ? NODE_NAME : VERSION)) {
          if (spec) {
            node = in.shared();
          } else {
            resourceVersion = in.text();
          }
        }
      }
      return nodes.test(node) ? null : new Bookmark<>(Metadata.number(resourceVersion, in), false);
    }
  }

  /**
   * Decodes a deletion: its event has the whole last state of the pod, of which only the metadata
   * is read.
   */
  private static WatchEvent<PodView> deleted(ObjectReader in) {
    Metadata meta = new Metadata();
    in.enterTyped("Pod");
    while (in.next(METADATA)) {
      meta.read(in);
    }
    PodRef pod = meta.ref(in);
    return new Deleted<>(
        new Identity(pod.namespace(), pod.name(), pod.uid(), meta.resourceVersion(in)));
  }

  private WatchEvent<PodView> bookmark(ObjectReader in) {
    Metadata meta = new Metadata();
    in.enterTyped("Pod");
    while (in.next(METADATA)) {
      meta.read(in);
    }
    boolean initialEventsEnd = "true".equals(meta.annotations().get(INITIAL_EVENTS_END));
    return new Bookmark<>(meta.resourceVersion(in), initialEventsEnd);
  }

  private WatchEvent<PodView> failure(ObjectReader in) {
    int code = 0;
    String reason = "";
    String message = "";
    Duration retryAfter = null;
    in.enterTyped("Status");
    while (in.next(STATUS)) {
      switch (in.field()) {
        case "message" -> message = in.text();
        case "reason" -> reason = in.text();
        case "details" -> retryAfter = retryAfter(in);
        case "code" -> code = (int) in.integer();
      }
    }
    return new Failure<>(code, reason, message, retryAfter);
  }

  private @Nullable Duration retryAfter(ObjectReader in) {
    long seconds = 0;
    in.enter();
    while (in.next(DETAILS)) {
      seconds = in.integer();
    }
    return seconds <= 0 ? null : Duration.ofSeconds(seconds);
  }

  /** Fields of one {@code metav1.ListMeta}. */
  private static final class ListMeta {
    private String resourceVersion = "";
    private @Nullable String next;

    void read(ObjectReader in) {
      in.enter();
      while (in.next(LIST_META)) {
        String value = in.text();
        if (in.field().equals("resourceVersion")) {
          resourceVersion = value;
        } else {
          next = value.isEmpty() ? null : value;
        }
      }
    }
  }
}
