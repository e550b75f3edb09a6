package dev.vertlet.apiserver.schema;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import dev.vertlet.apiserver.schema.Shape.Cardinality;
import dev.vertlet.apiserver.schema.Shape.Field;
import dev.vertlet.apiserver.schema.Shape.Kind;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.V1;
import io.kubernetes.client.proto.V1Authentication;
import io.kubernetes.client.proto.V1Authorization;
import io.kubernetes.client.proto.V1Certificates;
import io.kubernetes.client.proto.V1Policy;
import io.kubernetes.client.proto.V1beta1Certificates;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The types of the resources a server serves, by API version and kind. */
public final class Schemas {
  private static final String CORE = "k8s.io.api.core.v1.";
  private static final String META = "k8s.io.apimachinery.pkg.apis.meta.v1.";

  /** Messages whose fields JSON shows among those of their parent: Go's {@code json:",inline"}. */
  private static final Set<String> INLINE =
      Set.of(
          "Volume.volumeSource",
          "Probe.handler",
          "EphemeralContainer.ephemeralContainerCommon",
          "ConfigMapKeySelector.localObjectReference",
          "SecretKeySelector.localObjectReference",
          "ConfigMapEnvSource.localObjectReference",
          "SecretEnvSource.localObjectReference",
          "ConfigMapProjection.localObjectReference",
          "SecretProjection.localObjectReference",
          "ConfigMapVolumeSource.localObjectReference");

  /** Messages that JSON shows as something else than an object. */
  private static final Map<String, Kind> SPECIAL =
      Map.of(
          META + "Time",
          Kind.TIME,
          META + "MicroTime",
          Kind.MICRO_TIME,
          META + "FieldsV1",
          Kind.RAW,
          "k8s.io.apimachinery.pkg.runtime.RawExtension",
          Kind.RAW,
          "k8s.io.apimachinery.pkg.api.resource.Quantity",
          Kind.QUANTITY,
          "k8s.io.apimachinery.pkg.util.intstr.IntOrString",
          Kind.INT_OR_STRING);

  private static final Schemas STANDARD = new Schemas();

  private final Map<String, Shape> byName = new HashMap<>();
  private final Map<String, Shape> byKind = new HashMap<>();

  private Schemas() {
    add(V1.Pod.getDescriptor());
    add(V1.Node.getDescriptor());
    add(V1.Event.getDescriptor());
    add(V1.ConfigMap.getDescriptor());
    add(V1.Secret.getDescriptor());
    add(V1.Service.getDescriptor());
    add(V1.ServiceAccount.getDescriptor());
    add(V1.Namespace.getDescriptor());
    add(V1Policy.PodDisruptionBudget.getDescriptor());
    add(V1Certificates.CertificateSigningRequest.getDescriptor());
    add(V1beta1Certificates.ClusterTrustBundle.getDescriptor());
    for (Descriptor other :
        List.of(
            Meta.Status.getDescriptor(),
            Meta.DeleteOptions.getDescriptor(),
            V1.Binding.getDescriptor(),
            V1Policy.Eviction.getDescriptor(),
            V1Authentication.SelfSubjectReview.getDescriptor(),
            V1Authorization.SelfSubjectAccessReview.getDescriptor(),
            V1Authorization.SelfSubjectRulesReview.getDescriptor(),
            Meta.ListMeta.getDescriptor(),
            Meta.PartialObjectMetadata.getDescriptor())) {
      add(other);
    }
    SupplementaryTypes.all().forEach(shape -> byName.put(shape.name(), shape));
    byName.values().forEach(shape -> shape.resolve(byName));
    byName.values().forEach(Shape::index);
    for (String kind :
        List.of(
            "Pod",
            "Node",
            "Event",
            "ConfigMap",
            "Secret",
            "Service",
            "ServiceAccount",
            "Namespace")) {
      byKind.put("v1 " + kind, named(CORE + kind));
    }
    byKind.put("policy/v1 PodDisruptionBudget", named("k8s.io.api.policy.v1.PodDisruptionBudget"));
    byKind.put(
        "certificates.k8s.io/v1 CertificateSigningRequest",
        named("k8s.io.api.certificates.v1.CertificateSigningRequest"));
    byKind.put(
        "certificates.k8s.io/v1beta1 ClusterTrustBundle",
        named("k8s.io.api.certificates.v1beta1.ClusterTrustBundle"));
    byKind.put("coordination.k8s.io/v1 Lease", named(SupplementaryTypes.LEASE));
    byKind.put("events.k8s.io/v1 Event", named(SupplementaryTypes.EVENT));
    byKind.put("v1 Binding", named(CORE + "Binding"));
    byKind.put("policy/v1 Eviction", named("k8s.io.api.policy.v1.Eviction"));
    for (String kind : List.of("SelfSubjectAccessReview", "SelfSubjectRulesReview")) {
      byKind.put("authorization.k8s.io/v1 " + kind, named("k8s.io.api.authorization.v1." + kind));
    }
    byKind.put(
        "authentication.k8s.io/v1 SelfSubjectReview",
        named("k8s.io.api.authentication.v1.SelfSubjectReview"));
    byKind.put("v1 Status", named(META + "Status"));
    byKind.put("v1 DeleteOptions", named(META + "DeleteOptions"));
    byKind.put("meta.k8s.io/v1 PartialObjectMetadata", named(META + "PartialObjectMetadata"));
  }

  /** The types this server knows. */
  public static Schemas standard() {
    return STANDARD;
  }

  /** The type of a kind. */
  public Optional<Shape> find(String apiVersion, String kind) {
    return Optional.ofNullable(byKind.get(apiVersion + " " + kind));
  }

  /** {@code metav1.ListMeta}. */
  Shape listMeta() {
    return named(META + "ListMeta");
  }

  private Shape named(String name) {
    Shape shape = byName.get(name);
    if (shape == null) {
      throw new IllegalStateException("no type is called " + name);
    }
    return shape;
  }

  private void add(Descriptor message) {
    if (byName.containsKey(message.getFullName())) {
      return;
    }
    List<Field> fields = message.getFields().stream().map(Schemas::field).toList();
    byName.put(message.getFullName(), new Shape(message.getFullName(), fields));
    for (FieldDescriptor field : message.getFields()) {
      FieldDescriptor value = value(field);
      if (isMessage(value) && !SPECIAL.containsKey(value.getMessageType().getFullName())) {
        add(value.getMessageType());
      }
    }
  }

  /** The field itself, or the value field of a map. */
  private static FieldDescriptor value(FieldDescriptor field) {
    return field.isMapField() ? field.getMessageType().findFieldByName("value") : field;
  }

  private static boolean isMessage(FieldDescriptor field) {
    return field.getJavaType() == FieldDescriptor.JavaType.MESSAGE;
  }

  private static Field field(FieldDescriptor field) {
    FieldDescriptor value = value(field);
    String parent = field.getContainingType().getName() + "." + field.getName();
    Kind kind = INLINE.contains(parent) ? Kind.INLINE : kind(value);
    Cardinality cardinality =
        field.isMapField()
            ? Cardinality.MAP
            : field.isRepeated() ? Cardinality.LIST : Cardinality.ONE;
    boolean structured = kind == Kind.MESSAGE || kind == Kind.INLINE;
    String type = structured ? value.getMessageType().getFullName() : "";
    return new Field(field.getName(), field.getNumber(), kind, cardinality, type);
  }

  private static Kind kind(FieldDescriptor field) {
    if (isMessage(field)) {
      return SPECIAL.getOrDefault(field.getMessageType().getFullName(), Kind.MESSAGE);
    }
    return switch (field.getType()) {
      case STRING -> Kind.STRING;
      case BOOL -> Kind.BOOLEAN;
      case INT32 -> Kind.INT32;
      case INT64 -> Kind.INT64;
      case DOUBLE -> Kind.DOUBLE;
      case BYTES -> Kind.BYTES;
      default -> throw new IllegalStateException("no Kubernetes type uses " + field);
    };
  }
}
