package dev.vertlet.apiserver.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Which objects and which changes are refused, with what words about which fields: the cases in the
 * folder {@code validation} beside this class.
 */
@ExtendWith(EndpointExtension.class)
public class ValidationContractTest {
  @TestFactory
  Stream<DynamicTest> pods(Api api) {
    return ValidationCases.of("pods", api);
  }

  @TestFactory
  Stream<DynamicTest> podUpdates(Api api) {
    return ValidationCases.of("pod-updates", api);
  }

  @TestFactory
  Stream<DynamicTest> podStatus(Api api) {
    return ValidationCases.of("pod-status", api);
  }

  @TestFactory
  Stream<DynamicTest> nodes(Api api) {
    return ValidationCases.of("nodes", api);
  }

  @TestFactory
  Stream<DynamicTest> services(Api api) {
    return ValidationCases.of("services", api);
  }

  @TestFactory
  Stream<DynamicTest> configs(Api api) {
    return ValidationCases.of("configs", api);
  }

  @TestFactory
  Stream<DynamicTest> metadata(Api api) {
    return ValidationCases.of("metadata", api);
  }

  @TestFactory
  Stream<DynamicTest> others(Api api) {
    return ValidationCases.of("others", api);
  }

  @Test
  void aPatchToAQuantityThatIsNoneIsRefused(Api api) {
    String node = Api.unique("node");
    api.post(Api.NODES, "{'metadata':{'name':'%s'}}".formatted(node)).is(201);
    String status = Api.NODES + "/" + node + "/status";
    String patch = "{'status':{'capacity':{'cpu':'foo'}}}";
    String why =
        "quantities must match the regular expression"
            + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

    assertThat(api.merge(status, patch).is(422).text("/message")).endsWith(why);
    assertThat(api.strategic(status, patch).is(422).text("/message")).endsWith(why);
    assertThat(
            api.jsonPatch(status, "[{'op':'add','path':'/status/capacity','value':{'cpu':'foo'}}]")
                .is(422)
                .text("/message"))
        .endsWith(why);
  }

  @Test
  void anObjectOfAnotherKindIsRefused(Api api) {
    String pod = "{'kind':'Pod','apiVersion':'v1','metadata':{'name':'n'}}";

    assertThat(api.post(Api.NODES, pod).is(400).text("/message"))
        .startsWith("Pod in version \"v1\" cannot be handled as a Node");
    assertThat(api.post(Api.leases("default"), pod).is(400).text("/message"))
        .startsWith("Pod in version \"v1\" cannot be handled as a Lease");
  }
}
