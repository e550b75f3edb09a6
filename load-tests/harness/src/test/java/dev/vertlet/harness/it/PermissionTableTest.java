package dev.vertlet.harness.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The tables of permissions in the documents against the roles that are shipped. */
class PermissionTableTest {
  private static final Path DOCUMENTS = Path.of("..", "..", "docs");

  /** Resources, maybe with a namespace, and verbs; the first is empty where it is as above. */
  private static final Pattern ROW = Pattern.compile("^\\|([^|]*)\\|((?:[ ,]*`[a-z]+`)+) \\|");

  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  private static List<String> codes(String cell) {
    return CODE.matcher(cell).results().map(found -> found.group(1)).toList();
  }

  private static Set<Permission> documented(String document) throws IOException {
    Set<Permission> all = new HashSet<>();
    String section =
        Files.readString(DOCUMENTS.resolve(document))
            .split("\n## What each permission is for\n", 2)[1]
            .split("\n## ", 2)[0];
    List<String> resources = List.of();
    String namespace = "";
    for (String line : section.lines().toList()) {
      Matcher row = ROW.matcher(line);
      if (!row.find()) {
        continue;
      }
      if (!row.group(1).isBlank()) {
        String[] where = row.group(1).split(" in ", 2);
        resources = codes(where[0]);
        namespace = where.length > 1 ? codes(where[1]).get(0) : "";
      }
      for (String resource : resources) {
        for (String verb : codes(row.group(2))) {
          all.add(new Permission(verb, resource, namespace));
        }
      }
    }
    return all;
  }

  private static List<HasMetadata> shipped(Path... folders) throws IOException {
    List<HasMetadata> all = new ArrayList<>();
    for (Path folder : folders) {
      for (String document : Files.readString(folder.resolve("rbac.yaml")).split("(?m)^---$")) {
        all.add(Serialization.unmarshal(document));
      }
    }
    return all;
  }

  /** Puts objects that name no namespace into the one of their kustomization. */
  private static List<HasMetadata> inNamespaceOf(Path folder, List<HasMetadata> objects)
      throws IOException {
    Map<?, ?> kustomization =
        Serialization.unmarshal(Files.readString(folder.resolve("kustomization.yaml")), Map.class);
    String namespace = String.valueOf(kustomization.get("namespace"));
    for (Role role : Manifests.of(Role.class, objects)) {
      role.getMetadata().setNamespace(namespace);
    }
    return objects;
  }

  @Test
  void permissionsOfAgentsAreTheOnesThatAreTold() throws IOException {
    List<HasMetadata> shipped =
        shipped(
            Manifests.ACCESS,
            Manifests.STATIC_PODS,
            Manifests.SECRETS,
            Manifests.CONTENT,
            Manifests.SERVING_CERTIFICATES,
            Manifests.REPLICAS);

    assertThat(documented("deploy.md")).isNotEmpty().isEqualTo(Permission.granted(shipped));
  }

  @Test
  void permissionsOfSandboxesAreTheOnesThatAreTold() throws IOException {
    List<HasMetadata> shipped = inNamespaceOf(Manifests.SANDBOX, shipped(Manifests.SANDBOX));

    assertThat(documented("sandbox.md")).isNotEmpty().isEqualTo(Permission.granted(shipped));
  }
}
