package dev.vertlet.apiserver.contract;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EndpointExtension.class)
public class SigningRequestContractTest {
  private static final String ALL = "/apis/certificates.k8s.io/v1/certificatesigningrequests";

  /** Of subject O=system:nodes, CN=system:node:contract, in PEM and base64. */
  static final String REQUEST =
      "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlJQkV6Q0J1Z0lCQURBMk1SVXdFd1lEVlFR"
          + "S0RBeHplWE4wWlcwNmJtOWtaWE14SFRBYkJnTlZCQU1NRkhONQpjM1JsYlRwdWIyUmxPbU52Ym5SeVlXTjBN"
          + "Rmt3RXdZSEtvWkl6ajBDQVFZSUtvWkl6ajBEQVFjRFFnQUVGcnh1Cnlla211U0dGYkwwYVdxaFhQWVI2TUxW"
          + "aUgrV082Y0FGS1lsWFppajNsTWZ4RFRPbUtpUThGUFcvQkxCemkzbWwKZERwbDE4aitsL2pNc3Q4SVZLQWlN"
          + "Q0FHQ1NxR1NJYjNEUUVKRGpFVE1CRXdEd1lEVlIwUkJBZ3dCb2NFd0FBQwpCekFLQmdncWhrak9QUVFEQWdO"
          + "SUFEQkZBaUVBcjdMUStPcks1eUlLV2NuOWdpbmJQWWpiODVtSURDRGNMRHNvCmdVZVpYOHdDSUN0emlUSVZh"
          + "eEZJZGxkdkM4R2tMcE1pL2RTN2srcE45UGdvaVZ5cW9lbksKLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVT"
          + "VC0tLS0tCg==";

  private static String create(Api api, String signer) {
    return api.post(
            ALL,
            ("{'metadata':{'generateName':'csr-'},'spec':{'signerName':'%s','request':'%s',"
                    + "'usages':['digital signature','server auth'],'username':'somebody'},"
                    + "'status':{'conditions':[{'type':'Approved','status':'True'}]}}")
                .formatted(signer, REQUEST))
        .is(201)
        .text("/metadata/name");
  }

  private static String decided(Api api, String name, String... types) {
    var request = api.get(ALL + "/" + name).is(200);
    StringBuilder conditions = new StringBuilder();
    for (String type : types) {
      conditions.append(conditions.isEmpty() ? "" : ",");
      conditions.append(
          "{'type':'%s','status':'True','reason':'Test','message':'as asked'}".formatted(type));
    }
    return ("{'apiVersion':'certificates.k8s.io/v1','kind':'CertificateSigningRequest',"
            + "'metadata':{'name':'%s','resourceVersion':'%s'},'spec':{'signerName':'%s',"
            + "'request':'%s','usages':['digital signature','server auth']},"
            + "'status':{'conditions':[%s]}}")
        .formatted(
            name,
            request.text("/metadata/resourceVersion"),
            request.text("/spec/signerName"),
            REQUEST,
            conditions);
  }

  @Test
  void nobodyApprovesOrNamesHimselfOnCreation(Api api) {
    String name = create(api, "example.com/nobody");

    var created = api.get(ALL + "/" + name).is(200);

    assertThat(name).startsWith("csr-");
    assertThat(created.body().at("/status/conditions").isEmpty()).isTrue();
    assertThat(created.text("/spec/username")).isNotEmpty().isNotEqualTo("somebody");
    assertThat(created.text("/spec/request")).isEqualTo(REQUEST);
    api.delete(ALL + "/" + name, "").is(200);
    api.get(ALL + "/" + name).is(404);
  }

  @Test
  void approvalDecidesAndStatusDoesNot(Api api) {
    String name = create(api, "example.com/nobody");

    assertThat(
            api.put(ALL + "/" + name + "/status", decided(api, name, "Approved"))
                .is(422)
                .text("/message"))
        .endsWith("Forbidden: updates may not add a condition of type \"Approved\"");
    assertThat(api.get(ALL + "/" + name).body().at("/status/conditions").isEmpty()).isTrue();

    api.put(ALL + "/" + name + "/approval", decided(api, name, "Approved")).is(200);
    var approved = api.get(ALL + "/" + name).is(200);
    assertThat(approved.text("/status/conditions/0/type")).isEqualTo("Approved");
    assertThat(approved.text("/status/conditions/0/reason")).isEqualTo("Test");

    api.put(ALL + "/" + name + "/approval", decided(api, name, "Approved", "Denied")).is(422);
    assertThat(api.put(ALL + "/" + name + "/approval", decided(api, name)).is(422).text("/message"))
        .endsWith("Forbidden: updates may not remove a condition of type \"Approved\"");
    assertThat(api.put(ALL + "/" + name + "/status", decided(api, name)).is(422).text("/message"))
        .endsWith("Forbidden: updates may not remove a condition of type \"Approved\"");
    var reworded = decided(api, name, "Approved").replace("as asked", "otherwise");
    assertThat(
            api.put(ALL + "/" + name + "/status", reworded)
                .is(200)
                .text("/status/conditions/0/message"))
        .isEqualTo("as asked");
    var unversioned = reworded.replaceAll(",'resourceVersion':'[0-9]+'", "");
    assertThat(
            api.put(ALL + "/" + name + "/approval", unversioned)
                .is(200)
                .text("/status/conditions/0/message"))
        .isEqualTo("otherwise");
    api.delete(ALL + "/" + name, "").is(200);
  }

  @Test
  void aRequestMustBeOne(Api api) {
    var answer =
        api.post(
                ALL,
                "{'metadata':{'generateName':'csr-'},'spec':{'signerName':'','request':'eA=='}}")
            .is(422);

    assertThat(answer.text("/message"))
        .contains("spec.request", "PEM block type must be CERTIFICATE REQUEST")
        .contains("spec.usages: Required value", "spec.signerName: Required value");
  }
}
