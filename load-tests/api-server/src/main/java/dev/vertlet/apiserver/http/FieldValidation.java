package dev.vertlet.apiserver.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.ResourceType;
import dev.vertlet.apiserver.fault.ApiRequest;
import dev.vertlet.apiserver.http.Form.Encoding;
import dev.vertlet.apiserver.patch.Patch;
import dev.vertlet.apiserver.schema.DuplicateFields;
import dev.vertlet.apiserver.schema.FieldCheck;
import dev.vertlet.apiserver.schema.FieldCheck.MismatchException;
import dev.vertlet.apiserver.schema.Schemas;
import dev.vertlet.apiserver.validation.Causes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The {@code fieldValidation} parameter: what becomes of fields a type does not have and of fields
 * that occur twice. In any case they are not stored.
 */
final class FieldValidation {
  private static final String STRICT = "Strict";
  private static final String WARN = "Warn";
  private static final String IGNORE = "Ignore";

  private final Exchange exchange;
  private final ResourceType type;
  private final String directive;

  FieldValidation(Exchange exchange, ResourceType type) {
    this.exchange = exchange;
    this.type = type;
    String asked = exchange.request().parameter("fieldValidation");
    this.directive = asked.isEmpty() ? WARN : asked;
    if (!List.of(STRICT, WARN, IGNORE).contains(directive)) {
      Causes causes = new Causes();
      causes.unsupported("fieldValidation", asked, "", IGNORE, STRICT, WARN);
      causes.throwIfAny("meta.k8s.io", options(exchange.request()), "");
    }
  }

  /** The kind of options that the query of a write makes up. */
  static String options(ApiRequest request) {
    return switch (request.verb()) {
      case "create" -> "CreateOptions";
      case "update" -> "UpdateOptions";
      default -> "PatchOptions";
    };
  }

  /** The object a client sent, without unknown fields. */
  ObjectNode body() {
    ObjectNode body = Bodies.typed(exchange.request(), type);
    List<String> findings = new ArrayList<>(duplicates());
    try {
      findings.addAll(prune(body));
    } catch (MismatchException e) {
      throw cannotBeHandled(String.valueOf(e.getMessage()));
    }
    if (directive.equals(STRICT) && !findings.isEmpty()) {
      throw cannotBeHandled(strict(findings));
    }
    warn(findings);
    return body;
  }

  /** A patch whose result has no unknown fields. */
  Patch checked(Patch patch) {
    return current -> {
      JsonNode patched = patch.apply(current);
      if (patched instanceof ObjectNode object) {
        check(object);
      }
      return patched;
    };
  }

  private void check(ObjectNode patched) {
    boolean isObject = exchange.request().contentType().endsWith("merge-patch+json");
    List<String> findings = new ArrayList<>(isObject ? duplicates() : List.of());
    try {
      findings.addAll(prune(patched));
    } catch (MismatchException e) {
      throw invalidPatch(String.valueOf(e.getMessage()));
    }
    if (directive.equals(STRICT) && !findings.isEmpty()) {
      throw invalidPatch(strict(findings));
    }
    warn(findings);
  }

  private static String strict(List<String> findings) {
    return "strict decoding error: " + String.join(", ", findings);
  }

  private ApiException invalidPatch(String why) {
    Causes causes = new Causes();
    causes.invalid("patch", '"' + exchange.request().body().toString() + '"', why);
    return causes.failure("", "", "");
  }

  private List<String> prune(ObjectNode object) {
    List<String> findings = new ArrayList<>();
    Schemas.standard()
        .find(type.apiVersion(), type.kind())
        .ifPresent(
            shape ->
                FieldCheck.prune(shape, object)
                    .forEach(path -> findings.add("unknown field \"" + path + "\"")));
    return findings;
  }

  private List<String> duplicates() {
    boolean json = !exchange.request().contentType().equals(Encoding.PROTOBUF.mediaType());
    if (directive.equals(IGNORE) || !json) {
      return List.of();
    }
    try {
      return DuplicateFields.find(exchange.request().body().getBytes()).stream()
          .map(path -> "duplicate field \"" + path + "\"")
          .toList();
    } catch (IOException e) { // the body has been read as JSON before
      throw new UncheckedIOException(e);
    }
  }

  private ApiException cannotBeHandled(String why) {
    return ApiException.badRequest(
        "%s in version \"%s\" cannot be handled as a %s: %s"
            .formatted(type.kind(), type.version(), type.kind(), why));
  }

  private void warn(List<String> findings) {
    if (directive.equals(WARN)) {
      findings.forEach(exchange::warn);
    }
  }
}
