package dev.vertlet.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.http.Form.Encoding;
import dev.vertlet.apiserver.http.Form.Shape;
import dev.vertlet.apiserver.http.Form.View;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FormTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | FULL | JSON",
        "*/* | FULL | JSON",
        "application/json, */* | FULL | JSON",
        "application/vnd.kubernetes.protobuf,application/json | FULL | PROTOBUF",
        "application/json;q=0.5,application/vnd.kubernetes.protobuf;q=0.9 | FULL | PROTOBUF",
        "application/vnd.kubernetes.protobuf;stream=watch,application/json;stream=watch | FULL | PROTOBUF",
        "application/json;as=Table;v=v1;g=meta.k8s.io,application/json | TABLE | JSON",
        "application/json;as=Table;v=v9;g=meta.k8s.io,application/json | FULL | JSON",
        "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1 | PARTIAL | PROTOBUF",
        "text/html,application/json | FULL | JSON"
      })
  void takesTheBestClauseThatCanBeServed(String accept, View view, Encoding encoding) {
    assertThat(Form.negotiate(accept, Shape.OBJECT, true)).isEqualTo(new Form(view, encoding));
  }

  @Test
  void fallsBackToJsonForATypeWithoutProtobuf() {
    String accept = "application/vnd.kubernetes.protobuf,application/json";

    assertThat(Form.negotiate(accept, Shape.LIST, false))
        .isEqualTo(new Form(View.FULL, Encoding.JSON));
    assertThatThrownBy(
            () -> Form.negotiate("application/vnd.kubernetes.protobuf", Shape.LIST, false))
        .isInstanceOfSatisfying(ApiException.class, e -> assertThat(e.code()).isEqualTo(406));
  }
}
