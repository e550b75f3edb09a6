package dev.vertlet.apiserver.registry;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.api.ResourceType;
import dev.vertlet.apiserver.validation.Causes;
import dev.vertlet.apiserver.validation.DataRules;
import dev.vertlet.apiserver.validation.FieldValue;
import java.util.Base64;
import java.util.Set;

/** Secrets: {@code stringData} is written, {@code data} is read. */
final class SecretStrategy implements Strategy {
  @Override
  public void applyDefaults(ObjectNode secret) {
    Json.objectAt(secret, "stringData")
        .ifPresent(
            plain -> {
              ObjectNode data = Json.child(secret, "data");
              plain
                  .properties()
                  .forEach(
                      entry -> {
                        byte[] bytes = entry.getValue().asText().getBytes(UTF_8);
                        data.put(entry.getKey(), Base64.getEncoder().encodeToString(bytes));
                      });
            });
    secret.remove("stringData");
    if (!secret.has("type")) {
      secret.put("type", "Opaque");
    }
  }

  @Override
  public void validate(ObjectNode secret, Causes causes) {
    DataRules.secret(FieldValue.of(secret, causes));
  }

  @Override
  public void validateUpdate(Part part, ObjectNode next, ObjectNode current, Causes causes) {
    FieldValue after = FieldValue.of(next, causes);
    FieldValue before = FieldValue.of(current, causes);
    DataRules.sameType(after, before);
    DataRules.frozen(after, before, "data");
    DataRules.secret(after);
  }

  @Override
  public Set<String> fieldLabels() {
    return Set.of("type");
  }

  @Override
  public ApiException unknownFieldLabel(ResourceType type, String label) {
    return ApiException.badRequest("field label not supported: " + label);
  }
}
