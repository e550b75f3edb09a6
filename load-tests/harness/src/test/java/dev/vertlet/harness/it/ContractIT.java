package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.apiserver.contract.AccessContractTest;
import dev.vertlet.apiserver.contract.Api;
import dev.vertlet.apiserver.contract.ConnectContractTest;
import dev.vertlet.apiserver.contract.ControllerContractTest;
import dev.vertlet.apiserver.contract.DeleteContractTest;
import dev.vertlet.apiserver.contract.DiscoveryContractTest;
import dev.vertlet.apiserver.contract.EndpointExtension;
import dev.vertlet.apiserver.contract.EvictionContractTest;
import dev.vertlet.apiserver.contract.FieldValidationContractTest;
import dev.vertlet.apiserver.contract.ImpersonationContractTest;
import dev.vertlet.apiserver.contract.ListContractTest;
import dev.vertlet.apiserver.contract.ObjectContractTest;
import dev.vertlet.apiserver.contract.PatchContractTest;
import dev.vertlet.apiserver.contract.ProtobufContractTest;
import dev.vertlet.apiserver.contract.ResizeContractTest;
import dev.vertlet.apiserver.contract.SchedulerContractTest;
import dev.vertlet.apiserver.contract.SigningRequestContractTest;
import dev.vertlet.apiserver.contract.TableContractTest;
import dev.vertlet.apiserver.contract.ValidationContractTest;
import dev.vertlet.apiserver.contract.WatchContractTest;
import io.fabric8.kubernetes.client.Config;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpVersion;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.platform.commons.support.ReflectionSupport;

/**
 * What the embedded API server promises, held against a real one and its controllers: the embedded
 * server passes the same tests in its own module, so a difference fails one of the two builds.
 *
 * <p>The control plane is its own, since the tests leave nodes and pods behind that other tests
 * would meet.
 */
@ClusterTest(own = true, controllers = true)
class ContractIT implements EndpointExtension.Source {
  private static Api api;

  @BeforeAll
  static void connect(TestCluster cluster) {
    Vertx vertx = Vertx.vertx();
    cluster.closeAfterTest(() -> get(vertx.close()));
    Config admin = Config.fromKubeconfig(cluster.kubeconfig().toFile());
    String url = admin.getMasterUrl().replaceFirst("/$", "");
    api = new Api(vertx, url, admin.getAutoOAuthToken(), HttpVersion.HTTP_2);
  }

  @Override
  public Api api() {
    return api;
  }

  @Test
  void noContractIsLeftOut() {
    Stream<Class<?>> held =
        Arrays.stream(ContractIT.class.getDeclaredClasses()).map(Class::getSuperclass);

    assertThat(held)
        .containsExactlyInAnyOrderElementsOf(
            ReflectionSupport.findAllClassesInPackage(
                Api.class.getPackageName(), found -> true, name -> name.endsWith("ContractTest")));
  }

  @Nested
  class Access extends AccessContractTest {}

  @Nested
  class Connections extends ConnectContractTest {}

  @Nested
  class Controllers extends ControllerContractTest {}

  @Nested
  class Deletion extends DeleteContractTest {}

  @Nested
  class Discovery extends DiscoveryContractTest {}

  @Nested
  class Eviction extends EvictionContractTest {}

  @Nested
  class FieldValidation extends FieldValidationContractTest {}

  @Nested
  class Impersonation extends ImpersonationContractTest {}

  @Nested
  class Lists extends ListContractTest {}

  @Nested
  class Objects extends ObjectContractTest {}

  @Nested
  class Patches extends PatchContractTest {}

  @Nested
  class Protobuf extends ProtobufContractTest {}

  @Nested
  class Resizes extends ResizeContractTest {}

  @Nested
  class Scheduler extends SchedulerContractTest {}

  @Nested
  class SigningRequests extends SigningRequestContractTest {}

  @Nested
  class Tables extends TableContractTest {}

  @Nested
  class Validation extends ValidationContractTest {}

  @Nested
  class Watches extends WatchContractTest {}
}
