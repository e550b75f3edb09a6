package dev.vertlet.stages.play;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.stages.spec.Step;
import dev.vertlet.stages.spec.Step.PatchType;
import dev.vertlet.stages.template.Template;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** A step with its compiled template. */
final class CompiledStep {
  private final Step step;
  private final @Nullable Template template;
  private final PatchType defaultType;
  private final YamlOutputs outputs = new YamlOutputs();

  /**
   * @param template of a patch or an apply
   * @param defaultType of a patch that names none
   */
  CompiledStep(Step step, @Nullable Template template, PatchType defaultType) {
    this.step = step;
    this.template = template;
    this.defaultType = defaultType;
  }

  /**
   * Returns what the step writes for an object; empty if it changes nothing.
   *
   * @throws dev.vertlet.stages.template.TemplateException if the template cannot be rendered
   * @throws RenderException if its output is not what the step needs
   */
  Optional<Write> write(StageObject object) {
    if (step instanceof Step.Event event) {
      return Optional.of(new Write.Event(event.type(), event.reason(), event.message()));
    }
    if (step instanceof Step.Delete) {
      return Optional.of(new Write.Delete());
    }
    if (step instanceof Step.Finalizers finalizers) {
      ArrayNode operations = FinalizerPatch.of(object.json(), finalizers);
      return operations.isEmpty()
          ? Optional.empty()
          : Optional.of(new Write.Patch(PatchType.JSON, "", operations, ""));
    }
    JsonNode rendered = rendered(object);
    if (step instanceof Step.Apply apply) {
      if (!rendered.path("kind").isTextual() || !rendered.path("apiVersion").isTextual()) {
        throw new RenderException("the template of an apply must yield apiVersion and kind");
      }
      return Optional.of(
          new Write.Apply(apply.type(), apply.subresource(), rendered, apply.user()));
    }
    Step.Patch patch = (Step.Patch) step;
    PatchType type = patch.type() == null ? defaultType : patch.type();
    JsonNode body =
        type == PatchType.JSON ? below(patch.root(), rendered) : in(patch.root(), rendered);
    Write.Patch write = new Write.Patch(type, patch.subresource(), body, patch.user());
    return NoChange.of(object.json(), write) ? Optional.empty() : Optional.of(write);
  }

  /** Whether the step is an event, which is written even after a deletion. */
  boolean isEvent() {
    return step instanceof Step.Event;
  }

  boolean isDelete() {
    return step instanceof Step.Delete;
  }

  private JsonNode rendered(StageObject object) {
    if (template == null) {
      throw new IllegalStateException("a patch has a template");
    }
    String text = template.render(object.json());
    try {
      return outputs.read(text);
    } catch (YamlEngineException | IllegalArgumentException e) {
      String message = String.valueOf(e.getMessage()).strip().replaceAll("\\s+", " ");
      throw new RenderException("the output of the template is not YAML: " + message);
    }
  }

  private static JsonNode in(String root, JsonNode body) {
    if (!root.isEmpty()) {
      return JsonNodeFactory.instance.objectNode().set(root, body);
    }
    if (!body.isObject()) {
      throw new RenderException("the template of a patch without root must yield a mapping");
    }
    return body;
  }

  private static JsonNode below(String root, JsonNode operations) {
    if (!operations.isArray()) {
      throw new RenderException("the template of a JSON patch must yield a list");
    }
    if (!root.isEmpty()) {
      for (JsonNode operation : operations) {
        if (operation instanceof ObjectNode fields) {
          fields.put("path", "/" + root + fields.path("path").asText(""));
        }
      }
    }
    return operations;
  }
}
