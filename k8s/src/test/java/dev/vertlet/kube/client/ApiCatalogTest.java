package dev.vertlet.kube.client;

import static dev.vertlet.kube.client.ApiLab.failure;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.kube.KubeException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ApiCatalogTest {
  @AutoClose private final ApiLab lab = ApiLab.start();
  private ApiCatalog catalog;

  @BeforeEach
  void create() throws Exception {
    catalog = new ApiCatalog(lab.client());
  }

  @Test
  void findsTheResourcesOfKinds() {
    assertThat(get(catalog.find("v1", "Pod"))).contains(new ApiResource("v1", "Pod", "pods", true));
    assertThat(get(catalog.find("v1", "Node")))
        .contains(new ApiResource("v1", "Node", "nodes", false));
    assertThat(get(catalog.find("coordination.k8s.io/v1", "Lease")))
        .contains(new ApiResource("coordination.k8s.io/v1", "Lease", "leases", true));
  }

  @Test
  void aKindOrVersionThatTheServerLacksIsNotFound() {
    assertThat(get(catalog.find("v1", "Unicorn"))).isEmpty();
    assertThat(get(catalog.find("unicorns.example.com/v1", "Unicorn"))).isEmpty();
  }

  @Test
  void asksOnceForAKindThatItHasFound() {
    get(catalog.find("v1", "Pod"));
    get(lab.server.stop());
    assertThat(get(catalog.find("v1", "Pod"))).isPresent();
  }

  @Test
  void pathsLeadToTheObjects() {
    ApiResource leases = new ApiResource("coordination.k8s.io/v1", "Lease", "leases", true);
    assertThat(leases.in("team").path())
        .isEqualTo("/apis/coordination.k8s.io/v1/namespaces/team/leases");
    assertThat(leases.in("").path()).isEqualTo("/apis/coordination.k8s.io/v1/leases");
    ApiResource nodes = new ApiResource("v1", "Node", "nodes", false);
    assertThat(nodes.object("", "n", "status").path()).isEqualTo("/api/v1/nodes/n/status");
  }

  @Test
  void failsIfTheServerCannotBeReached() throws Exception {
    get(lab.server.stop());
    assertThat(failure(catalog.find("v1", "Pod")).kind()).isEqualTo(KubeException.Kind.TRANSPORT);
  }
}
