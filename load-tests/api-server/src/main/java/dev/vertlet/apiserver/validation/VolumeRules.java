package dev.vertlet.apiserver.validation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.apiserver.api.Quantities;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Volumes of a pod, and their mounts in a container. */
final class VolumeRules {
  private static final String[] HOST_PATH_TYPES = {
    "",
    "BlockDevice",
    "CharDevice",
    "Directory",
    "DirectoryOrCreate",
    "File",
    "FileOrCreate",
    "Socket"
  };

  /** Rules of each source, in the order in which the first one counts. */
  private static final Map<String, Consumer<FieldValue>> SOURCES = new LinkedHashMap<>();

  static {
    Consumer<FieldValue> unlooked = source -> {};
    SOURCES.put("emptyDir", VolumeRules::emptyDir);
    SOURCES.put("hostPath", VolumeRules::hostPath);
    SOURCES.put("gitRepo", source -> source.at("repository").requireAny());
    SOURCES.put("gcePersistentDisk", unlooked);
    SOURCES.put("awsElasticBlockStore", unlooked);
    SOURCES.put("secret", source -> keyed(source, "secretName"));
    SOURCES.put("nfs", VolumeRules::nfs);
    SOURCES.put("iscsi", unlooked);
    SOURCES.put("glusterfs", unlooked);
    SOURCES.put("flocker", unlooked);
    SOURCES.put("persistentVolumeClaim", source -> source.at("claimName").requireAny());
    SOURCES.put("rbd", unlooked);
    SOURCES.put("cinder", unlooked);
    SOURCES.put("cephfs", unlooked);
    SOURCES.put("quobyte", unlooked);
    SOURCES.put("downwardAPI", VolumeRules::downward);
    SOURCES.put("fc", unlooked);
    SOURCES.put("flexVolume", source -> source.at("driver").requireAny());
    SOURCES.put("configMap", source -> keyed(source, "name"));
    SOURCES.put("azureFile", unlooked);
    SOURCES.put("vsphereVolume", unlooked);
    SOURCES.put("photonPersistentDisk", unlooked);
    SOURCES.put("portworxVolume", unlooked);
    SOURCES.put("azureDisk", unlooked);
    SOURCES.put("storageos", unlooked);
    SOURCES.put("projected", VolumeRules::projected);
    SOURCES.put("scaleIO", unlooked);
    SOURCES.put("csi", VolumeRules::csi);
    SOURCES.put("ephemeral", source -> requireObject(source.at("volumeClaimTemplate")));
    SOURCES.put("image", source -> source.at("reference").requireAny());
  }

  private VolumeRules() {}

  /**
   * Checks the volumes of a pod.
   *
   * @return the good ones by name
   */
  static Map<String, JsonNode> each(FieldValue volumes, Causes causes) {
    Map<String, JsonNode> good = new HashMap<>();
    for (FieldValue volume : volumes.items()) {
      int before = causes.size();
      source(volume);
      FieldValue name = volume.at("name");
      name.requireFormat(Format.DNS_LABEL);
      if (good.containsKey(name.text())) {
        name.duplicate();
      }
      if (causes.size() == before) {
        good.put(name.text(), volume.json());
      }
    }
    return good;
  }

  private static void source(FieldValue volume) {
    boolean found = false;
    for (Map.Entry<String, Consumer<FieldValue>> each : SOURCES.entrySet()) {
      FieldValue source = volume.at(each.getKey());
      if (!source.isPresent()) {
        continue;
      }
      if (found) {
        source.forbidden("may not specify more than 1 volume type");
      } else {
        found = true;
        each.getValue().accept(source);
      }
    }
    if (!found) {
      volume.required("must specify a volume type");
    }
  }

  private static void requireObject(FieldValue value) {
    if (!value.isPresent()) {
      value.required();
    }
  }

  private static void emptyDir(FieldValue source) {
    if (Quantities.exact(source.at("sizeLimit").json()).signum() < 0) {
      source.at("sizeLimit").forbidden("SizeLimit field must be a valid resource quantity");
    }
  }

  private static void hostPath(FieldValue source) {
    if (!source.at("path").requireAny()) {
      source.at("path").check(Format.STRAIGHT_PATH);
      source.at("type").anyOneOf(HOST_PATH_TYPES);
    }
  }

  private static void nfs(FieldValue source) {
    source.at("server").requireAny();
    source.at("path").requireAny();
    if (!source.at("path").text().startsWith("/")) {
      source
          .at("path")
          .invalid(GoText.quoted(source.at("path").text()), "must be an absolute path");
    }
  }

  private static void csi(FieldValue source) {
    FieldValue driver = source.at("driver");
    if (driver.requireAny()) {
      return;
    }
    if (driver.text().length() > Format.LABEL_LENGTH) {
      driver.tooLong(Format.LABEL_LENGTH);
    }
    driver.check(text -> Format.DNS_SUBDOMAIN.problems(text.toLowerCase(Locale.ROOT)));
  }

  /** A source whose files are keys of something. */
  private static void keyed(FieldValue source, String name) {
    source.at(name).requireAny();
    source.at("defaultMode").fileMode();
    source.at("items").items().forEach(VolumeRules::item);
  }

  private static void item(FieldValue item) {
    item.at("key").requireAny();
    item.at("path").requireFormat(Format.FILE_OF_VOLUME);
    item.at("mode").fileMode();
  }

  private static void downward(FieldValue source) {
    source.at("defaultMode").fileMode();
    source.at("items").items().forEach(file -> DownwardRules.file(file, source));
  }

  private static void projected(FieldValue projected) {
    projected.at("defaultMode").fileMode();
    Set<String> paths = new HashSet<>();
    for (FieldValue source : projected.at("sources").items()) {
      for (String keyed : List.of("secret", "configMap")) {
        FieldValue one = source.at(keyed);
        if (one.isPresent()) {
          one.at("name").requireAny();
          for (FieldValue item : one.at("items").items()) {
            item(item);
            claimPath(projected, item.at("path").text(), one.at("name").text(), paths);
          }
        }
      }
      FieldValue downward = source.at("downwardAPI");
      for (FieldValue file : downward.at("items").items()) {
        DownwardRules.file(file, downward);
        claimPath(projected, file.at("path").text(), file.at("path").text(), paths);
      }
      token(projected, source.at("serviceAccountToken"));
      if (source.keys().size() > 1) {
        source.forbidden("may not specify more than 1 volume type per source");
      }
    }
  }

  private static void claimPath(
      FieldValue projected, String path, String shown, Set<String> paths) {
    if (!path.isEmpty() && !paths.add(path)) {
      projected.invalid(GoText.quoted(shown), "conflicting duplicate paths");
    }
  }

  /** The real server reports the path of a token at the whole volume. */
  private static void token(FieldValue projected, FieldValue token) {
    if (!token.isPresent()) {
      return;
    }
    FieldValue seconds = token.at("expirationSeconds");
    if (seconds.isPresent() && seconds.number() < 600) {
      seconds.invalid("may not specify a duration less than 10 minutes");
    } else if (seconds.number() > 1L << 32) {
      seconds.invalid("may not specify a duration larger than 2^32 seconds");
    }
    projected.at("path").reporting(token.at("path")).requireFormat(Format.FILE_OF_VOLUME);
  }

  /** Without an account there is no token to project. */
  static void forbidTokens(FieldValue volumes) {
    for (FieldValue volume : volumes.items()) {
      for (FieldValue source : volume.at("projected", "sources").items()) {
        source
            .at("serviceAccountToken")
            .forbidAny("must not be specified when serviceAccountName is not set");
      }
    }
  }

  /** Mounts and devices of a container. */
  static void ofContainer(FieldValue container, Map<String, JsonNode> volumes) {
    FieldValue mounts = container.at("volumeMounts");
    FieldValue devices = container.at("volumeDevices");
    Map<String, String> mounted = paths(mounts, "mountPath");
    Map<String, String> attached = paths(devices, "devicePath");
    Set<String> points = new HashSet<>();
    for (FieldValue mount : mounts.items()) {
      mount(mount, volumes, points, attached);
      ways(mounts, mount, container);
    }
    Set<String> names = new HashSet<>();
    Set<String> places = new HashSet<>();
    for (FieldValue device : devices.items()) {
      device(device, volumes, names, places);
      overlap(device.at("name"), device.at("devicePath"), mounted, "volumeMounts");
    }
  }

  private static Map<String, String> paths(FieldValue list, String path) {
    Map<String, String> paths = new HashMap<>();
    list.json().forEach(each -> paths.put(each.path("name").asText(), each.path(path).asText()));
    return paths;
  }

  private static void mount(
      FieldValue mount,
      Map<String, JsonNode> volumes,
      Set<String> points,
      Map<String, String> attached) {
    FieldValue name = mount.at("name");
    FieldValue path = mount.at("mountPath");
    name.requireAny();
    if (!volumes.containsKey(name.text())) {
      name.causes().notFound(name.path(), GoText.quoted(name.text()), "");
    }
    path.requireAny();
    if (!points.add(path.text())) {
      path.invalid(GoText.quoted(path.text()), "must be unique");
    }
    overlap(name, path, attached, "volumeDevices");
  }

  private static void overlap(
      FieldValue name, FieldValue path, Map<String, String> others, String list) {
    if (others.containsKey(name.text())) {
      name.invalid("must not already exist in " + list);
    }
    if (others.containsValue(path.text())) {
      path.invalid("must not already exist as a path in " + list);
    }
  }

  /** How a volume is mounted; the real server leaves positions out of these paths. */
  private static void ways(FieldValue mounts, FieldValue mount, FieldValue container) {
    mounts.at("subPath").reporting(mount.at("subPath")).checkAny(Format.DESCENDING_PATH);
    FieldValue expression = mount.at("subPathExpr");
    if (!expression.isEmpty()) {
      if (!mount.at("subPath").isEmpty()) {
        expression.invalid("subPathExpr and subPath are mutually exclusive");
      }
      mounts.at("subPathExpr").reporting(expression).check(Format.DESCENDING_PATH);
    }
    FieldValue propagation = mounts.at("mountPropagation").reporting(mount.at("mountPropagation"));
    propagation.anyOneOf("Bidirectional", "HostToContainer", "None");
    if (propagation.is("Bidirectional")
        && !container.at("securityContext", "privileged").isTrue()) {
      propagation.forbidden(
          "Bidirectional mount propagation is available only to privileged containers");
    }
    readOnly(mounts.at("recursiveReadOnly").reporting(mount.at("recursiveReadOnly")), mount);
  }

  private static void readOnly(FieldValue recursive, FieldValue mount) {
    recursive.anyOneOf("Disabled", "Enabled", "IfPossible");
    if (recursive.is("Enabled") || recursive.is("IfPossible")) {
      if (!mount.at("readOnly").isTrue()) {
        recursive.forbidden("may only be specified when readOnly is true");
      }
      FieldValue propagation = mount.at("mountPropagation");
      if (propagation.isPresent() && !propagation.is("None")) {
        recursive.forbidden("may only be specified when mountPropagation is None or not specified");
      }
    }
  }

  private static void device(
      FieldValue device, Map<String, JsonNode> volumes, Set<String> names, Set<String> places) {
    FieldValue name = device.at("name");
    FieldValue path = device.at("devicePath");
    JsonNode volume = volumes.get(name.text());
    name.requireAny();
    if (!name.isEmpty() && !names.add(name.text())) {
      name.invalid("must be unique");
    }
    if (volume == null) {
      name.causes().notFound(name.path(), GoText.quoted(name.text()), "");
    } else if (!volume.has("persistentVolumeClaim") && !volume.has("ephemeral")) {
      name.invalid(
          "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode");
    }
    path.requireAny();
    if (places.contains(path.text())) {
      path.invalid(GoText.quoted(path.text()), "must be unique");
    }
    if (Format.STRAIGHT_PATH.fits(path.text())) {
      places.add(path.text());
    } else {
      path.invalid("can not contain backsteps ('..')");
    }
  }

  /** A variable that is read from a file needs the volume to be an empty directory. */
  static void filesOfVariables(FieldValue container, FieldValue volumes) {
    for (FieldValue variable : container.at("env").items()) {
      FieldValue file = variable.at("valueFrom", "fileKeyRef");
      if (file.isPresent()) {
        FieldValue name = file.at("volumeName");
        var found =
            volumes.items().stream().filter(each -> each.at("name").is(name.text())).findFirst();
        if (found.isEmpty()) {
          name.causes().notFound(name.path(), GoText.quoted(name.text()), "");
        } else if (!found.get().at("emptyDir").isPresent()) {
          name.invalid("referenced volume must be of type emptyDir");
        }
      }
    }
  }
}
