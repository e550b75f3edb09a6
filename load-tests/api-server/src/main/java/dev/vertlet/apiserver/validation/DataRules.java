package dev.vertlet.apiserver.validation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.apiserver.api.Json;
import java.util.Base64;
import java.util.List;

/** ConfigMaps and Secrets. */
public final class DataRules {
  private static final int MOST_BYTES = 1024 * 1024;
  private static final String IMMUTABLE = "field is immutable when `immutable` is set";

  private DataRules() {}

  /** Checks the data of a ConfigMap. */
  public static void configMap(FieldValue map) {
    FieldValue data = map.at("data");
    FieldValue binary = map.at("binaryData");
    long size = 0;
    for (String key : data.keys()) {
      MetadataRules.keys(data, Format.DATA_KEY, List.of(key));
      if (binary.json().has(key)) {
        data.key(key).invalid(GoText.quoted(key), "duplicate of key present in binaryData");
      }
      size += MetadataRules.bytes(data.json().path(key).asText());
    }
    MetadataRules.keys(binary, Format.DATA_KEY, binary.keys());
    size += decodedSize(binary.json());
    if (size > MOST_BYTES) {
      map.causes().tooLong("[]", MOST_BYTES);
    }
  }

  /** Checks the data of a Secret, with what its type needs. */
  public static void secret(FieldValue secret) {
    FieldValue data = secret.at("data");
    MetadataRules.keys(data, Format.DATA_KEY, data.keys());
    if (decodedSize(data.json()) > MOST_BYTES) {
      data.tooLong(MOST_BYTES);
    }
    switch (secret.at("type").text()) {
      case "kubernetes.io/service-account-token" ->
          secret
              .at("metadata", "annotations")
              .key("kubernetes.io/service-account.name")
              .requireAny();
      case "kubernetes.io/dockercfg" -> docker(data.key(".dockercfg"));
      case "kubernetes.io/dockerconfigjson" -> docker(data.key(".dockerconfigjson"));
      case "kubernetes.io/basic-auth" -> {
        if (!data.json().has("username") && !data.json().has("password")) {
          data.key("username").required();
          data.key("password").required();
        }
      }
      case "kubernetes.io/ssh-auth" -> data.key("ssh-privatekey").requireAny();
      case "kubernetes.io/tls" -> {
        for (String key : List.of("tls.crt", "tls.key")) {
          if (!data.json().has(key)) {
            data.key(key).required();
          }
        }
      }
      default -> {} // types of one's own have no rules
    }
  }

  private static void docker(FieldValue config) {
    if (!config.isPresent()) {
      config.required();
      return;
    }
    try {
      byte[] bytes = Base64.getDecoder().decode(config.text());
      if (!Json.read(bytes).isObject()) {
        config.invalid(
            "\"<secret contents redacted>\"",
            "json: cannot unmarshal value into Go value of type map[string]interface {}");
      }
    } catch (JsonProcessingException | IllegalArgumentException e) {
      byte[] bytes = Base64.getDecoder().decode(config.text());
      config.invalid(
          "\"<secret contents redacted>\"",
          bytes.length == 0
              ? "unexpected end of JSON input"
              : "invalid character '%c' looking for beginning of value".formatted(bytes[0]));
    }
  }

  private static long decodedSize(JsonNode base64) {
    long size = 0;
    for (JsonNode value : base64) {
      String text = value.asText();
      int padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
      size += text.length() / 4 * 3L - padding;
    }
    return size;
  }

  /** What is immutable stays, and stays immutable; labels and annotations change. */
  public static void frozen(FieldValue next, FieldValue current, String... fields) {
    if (!current.at("immutable").isTrue()) {
      return;
    }
    if (!next.at("immutable").isTrue()) {
      next.at("immutable").forbidden(IMMUTABLE);
    }
    for (String field : fields) {
      if (!next.at(field).json().equals(current.at(field).json())
          && !(next.at(field).isEmpty() && current.at(field).isEmpty())) {
        next.at(field).forbidden(IMMUTABLE);
      }
    }
  }

  /** A Secret keeps its type. */
  public static void sameType(FieldValue next, FieldValue current) {
    if (!next.at("type").json().equals(current.at("type").json())) {
      next.at("type").invalid("field is immutable");
    }
  }
}
