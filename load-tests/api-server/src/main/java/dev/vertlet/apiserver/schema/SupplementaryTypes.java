package dev.vertlet.apiserver.schema;

import dev.vertlet.apiserver.schema.Shape.Field;
import dev.vertlet.apiserver.schema.Shape.Kind;
import java.util.List;

/**
 * Types the Java client has no protobuf messages for: {@code coordination/v1/generated.proto} and
 * {@code events/v1/generated.proto} of {@code k8s.io/api} 0.36.
 */
final class SupplementaryTypes {
  static final String LEASE = "k8s.io.api.coordination.v1.Lease";
  static final String EVENT = "k8s.io.api.events.v1.Event";

  private static final String META = "k8s.io.apimachinery.pkg.apis.meta.v1.ObjectMeta";
  private static final String REFERENCE = "k8s.io.api.core.v1.ObjectReference";

  private SupplementaryTypes() {}

  static List<Shape> all() {
    return List.of(lease(), leaseSpec(), event(), eventSeries());
  }

  private static Shape lease() {
    return new Shape(
        LEASE,
        List.of(Field.message("metadata", 1, META), Field.message("spec", 2, LEASE + "Spec")));
  }

  private static Shape leaseSpec() {
    return new Shape(
        LEASE + "Spec",
        List.of(
            Field.of("holderIdentity", 1, Kind.STRING),
            Field.of("leaseDurationSeconds", 2, Kind.INT32),
            Field.of("acquireTime", 3, Kind.MICRO_TIME),
            Field.of("renewTime", 4, Kind.MICRO_TIME),
            Field.of("leaseTransitions", 5, Kind.INT32),
            Field.of("strategy", 6, Kind.STRING),
            Field.of("preferredHolder", 7, Kind.STRING)));
  }

  private static Shape event() {
    return new Shape(
        EVENT,
        List.of(
            Field.message("metadata", 1, META),
            Field.of("eventTime", 2, Kind.MICRO_TIME),
            Field.message("series", 3, EVENT + "Series"),
            Field.of("reportingController", 4, Kind.STRING),
            Field.of("reportingInstance", 5, Kind.STRING),
            Field.of("action", 6, Kind.STRING),
            Field.of("reason", 7, Kind.STRING),
            Field.message("regarding", 8, REFERENCE),
            Field.message("related", 9, REFERENCE),
            Field.of("note", 10, Kind.STRING),
            Field.of("type", 11, Kind.STRING),
            Field.message("deprecatedSource", 12, "k8s.io.api.core.v1.EventSource"),
            Field.of("deprecatedFirstTimestamp", 13, Kind.TIME),
            Field.of("deprecatedLastTimestamp", 14, Kind.TIME),
            Field.of("deprecatedCount", 15, Kind.INT32)));
  }

  private static Shape eventSeries() {
    return new Shape(
        EVENT + "Series",
        List.of(
            Field.of("count", 1, Kind.INT32), Field.of("lastObservedTime", 2, Kind.MICRO_TIME)));
  }
}
