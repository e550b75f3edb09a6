package dev.vertlet.stages.play;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.stages.spec.Step.PatchType;

/** What one step writes. */
public sealed interface Write {
  /** An Event about the object. */
  record Event(String type, String reason, String message) implements Write {}

  /** Deletion of the object without grace. */
  record Delete() implements Write {}

  /**
   * Patch of the object.
   *
   * @param subresource empty for none
   * @param body must not be changed
   * @param user that the request impersonates; empty for none
   */
  record Patch(PatchType type, String subresource, JsonNode body, String user) implements Write {}

  /**
   * Creation of another object, or its patch if it exists.
   *
   * @param subresource empty for none; with one, the object must exist
   * @param body whole object
   * @param user that the request impersonates; empty for none
   */
  record Apply(PatchType type, String subresource, JsonNode body, String user) implements Write {}
}
