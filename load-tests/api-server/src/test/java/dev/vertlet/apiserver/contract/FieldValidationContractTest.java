package dev.vertlet.apiserver.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EndpointExtension.class)
public class FieldValidationContractTest {
  private static final String ODD =
      "{'metadata':{'name':'p','name':'p'},'spec':{'schedulerName':'nobody','containers':[{'name':'c','image':'i:1','imagee':'x'}]}}";

  @Test
  void strictRefusesUnknownAndRepeatedFields(Api api) {
    String pods = Api.pods(api.namespace());

    var refused = api.post(pods + "?fieldValidation=Strict", ODD).is(400);

    assertThat(refused.text("/message"))
        .isEqualTo(
            "Pod in version \"v1\" cannot be handled as a Pod: strict decoding error: duplicate field \"metadata.name\", unknown field \"spec.containers[0].imagee\"");
    api.get(pods + "/p").is(404);
  }

  @Test
  void otherwiseWarnsAndDropsThem(Api api) {
    String pods = Api.pods(api.namespace());

    var created = api.post(pods, ODD).is(201);

    assertThat(created.headers().getAll("warning"))
        .containsExactly(
            "299 - \"duplicate field \\\"metadata.name\\\"\"",
            "299 - \"unknown field \\\"spec.containers[0].imagee\\\"\"");
    assertThat(created.body().at("/spec/containers/0").has("imagee")).isFalse();
  }

  @Test
  void ignoreIsSilent(Api api) {
    String pods = Api.pods(api.namespace());

    var created = api.post(pods + "?fieldValidation=Ignore", ODD).is(201);

    assertThat(created.headers().getAll("warning")).isEmpty();
    assertThat(created.body().at("/spec/containers/0").has("imagee")).isFalse();
  }

  @Test
  void aPatchIsCheckedByItsResult(Api api) {
    String pods = Api.pods(api.namespace());
    api.post(pods, Api.bound("p")).is(201);
    String odd = "{'spec':{'foo':1}}";

    var refused = api.merge(pods + "/p?fieldValidation=Strict", odd).is(422);
    assertThat(refused.reason()).isEqualTo("Invalid");
    assertThat(refused.text("/message"))
        .endsWith("strict decoding error: unknown field \"spec.foo\"");
    assertThat(refused.text("/details/causes/0/field")).isEqualTo("patch");
    var warned = api.strategic(pods + "/p", odd).is(200);
    assertThat(warned.headers().getAll("warning"))
        .isEqualTo(List.of("299 - \"unknown field \\\"spec.foo\\\"\""));
    assertThat(warned.body().at("/spec").has("foo")).isFalse();
  }

  @Test
  void aValueOfTheWrongTypeIsRefusedInAnyCase(Api api) {
    String pods = Api.pods(api.namespace());

    var refused =
        api.post(
                pods + "?fieldValidation=Ignore",
                "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'i:1','env':[{'name':true}]}]}}")
            .is(400);

    assertThat(refused.text("/message"))
        .isEqualTo(
            "Pod in version \"v1\" cannot be handled as a Pod: json: cannot unmarshal bool into Go struct field EnvVar.spec.containers.env.name of type string");
    api.post(pods, Api.bound("p")).is(201);
    api.merge(pods + "/p", "{'spec':{'activeDeadlineSeconds':'x'}}").is(422);
  }

  @Test
  void theDirectiveItselfIsChecked(Api api) {
    var refused = api.post(Api.pods(api.namespace()) + "?fieldValidation=Foo", ODD).is(422);

    assertThat(refused.text("/message"))
        .isEqualTo(
            "CreateOptions.meta.k8s.io \"\" is invalid: fieldValidation: Unsupported value: \"Foo\": supported values: \"\", \"Ignore\", \"Strict\", \"Warn\"");
  }
}
