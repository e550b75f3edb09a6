package dev.vertlet.model.wire;

import dev.vertlet.model.pod.VolumeView;
import dev.vertlet.model.pod.VolumeView.Source;
import dev.vertlet.model.reference.ReferredKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads one volume of a pod. Field numbers are those of {@code core/v1} generated.proto. */
final class VolumeReader {
  private static final List<String> KINDS =
      List.of(
          "1 hostPath",
          "2 emptyDir",
          "3 gcePersistentDisk",
          "4 awsElasticBlockStore",
          "5 gitRepo",
          "6 secret",
          "7 nfs",
          "8 iscsi",
          "9 glusterfs",
          "10 persistentVolumeClaim",
          "11 rbd",
          "12 flexVolume",
          "13 cinder",
          "14 cephfs",
          "15 flocker",
          "16 downwardAPI",
          "17 fc",
          "18 azureFile",
          "19 configMap",
          "20 vsphereVolume",
          "21 quobyte",
          "22 azureDisk",
          "23 photonPersistentDisk",
          "24 portworxVolume",
          "25 scaleIO",
          "26 projected",
          "27 storageos",
          "28 csi",
          "29 ephemeral",
          "30 image");
  private static final Fields SOURCE = Fields.of(KINDS.toArray(String[]::new));

  /** JSON inlines the volume's source. */
  private static final Fields VOLUME =
      Fields.of(
          Stream.concat(
                  Stream.of("1 name", "2 volumeSource"),
                  KINDS.stream().map(kind -> "0" + kind.substring(kind.indexOf(' '))))
              .toArray(String[]::new));

  private static final Fields CLAIM = Fields.of("1 claimName");
  private static final Fields EMPTY_DIR = Fields.of("2 sizeLimit");
  private static final Fields SECRET = Fields.of("1 secretName", "2 items", "4 optional");
  private static final Fields OBJECT =
      Fields.of("0 name", "1 localObjectReference", "2 items", "4 optional");
  private static final Fields REFERENCE = Fields.of("1 name");
  private static final Fields ITEM = Fields.of("1 key");
  private static final Fields PROJECTED = Fields.of("1 sources");
  private static final Fields PROJECTION = Fields.of("1 secret", "3 configMap");

  /** Kinds that can always be mounted. */
  private static final Set<String> ALWAYS_THERE = Set.of("emptyDir", "downwardAPI");

  /**
   * ConfigMap that a controller publishes in every namespace, for the token volume of every pod. It
   * is not waited for: that would need a watch for each namespace, and without the controller pods
   * would wait for ever.
   */
  private static final String ROOT_CA = "kube-root-ca.crt";

  private String name = "";
  private String kind = "";
  private String sizeLimit = "";
  private final List<Source> sources = new ArrayList<>(0);

  private VolumeReader() {}

  /** Reads the current value, a volume. */
  static VolumeReader read(ObjectReader in) {
    VolumeReader reader = new VolumeReader();
    in.enter();
    while (in.next(VOLUME)) {
      switch (in.field()) {
        case "name" -> reader.name = in.shared();
        case "volumeSource" -> {
          in.enter();
          while (in.next(SOURCE)) {
            reader.source(in);
          }
        }
        default -> reader.source(in);
      }
    }
    return reader;
  }

  String name() {
    return name;
  }

  /** Size limit of an emptyDir; empty without one. */
  String sizeLimit() {
    return sizeLimit;
  }

  /** Returns null if the volume can always be mounted. */
  @Nullable VolumeView view() {
    boolean always = ALWAYS_THERE.contains(kind) || kind.equals("projected") && sources.isEmpty();
    return kind.isEmpty() || always ? null : new VolumeView(name, kind, sources);
  }

  private void source(ObjectReader in) {
    kind = in.field();
    switch (kind) {
      case "emptyDir" -> emptyDir(in);
      case "secret" -> sources.add(object(in, SECRET, ReferredKind.SECRET));
      case "configMap" -> sources.add(object(in, OBJECT, ReferredKind.CONFIG_MAP));
      case "projected" -> projected(in);
      case "persistentVolumeClaim" -> sources.add(claim(text(in, CLAIM)));
      case "ephemeral" -> {
        sources.add(claim(""));
        in.skip();
      }
      default -> in.skip();
    }
  }

  private static Source claim(String name) {
    return new Source(ReferredKind.PERSISTENT_VOLUME_CLAIM, name, List.of(), false);
  }

  private void emptyDir(ObjectReader in) {
    in.enter();
    while (in.next(EMPTY_DIR)) {
      sizeLimit = in.quantity();
    }
  }

  private void projected(ObjectReader in) {
    in.enter();
    while (in.next(PROJECTED)) {
      in.enter();
      while (in.next(PROJECTION)) {
        ReferredKind projection =
            in.field().equals("secret") ? ReferredKind.SECRET : ReferredKind.CONFIG_MAP;
        Source source = object(in, OBJECT, projection);
        if (projection != ReferredKind.CONFIG_MAP || !source.name().equals(ROOT_CA)) {
          sources.add(source);
        }
      }
    }
  }

  private static Source object(ObjectReader in, Fields fields, ReferredKind kind) {
    String name = "";
    List<String> keys = new ArrayList<>(0);
    boolean optional = false;
    in.enter();
    while (in.next(fields)) {
      switch (in.field()) {
        case "localObjectReference" -> name = text(in, REFERENCE);
        case "items" -> keys.add(text(in, ITEM));
        case "optional" -> optional = in.flag();
        default -> name = in.shared();
      }
    }
    return new Source(kind, name, keys, optional);
  }

  /** Reads the only field of an object. */
  private static String text(ObjectReader in, Fields field) {
    String text = "";
    in.enter();
    while (in.next(field)) {
      text = in.shared();
    }
    return text;
  }
}
