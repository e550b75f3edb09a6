package dev.vertlet.cli;

import dev.vertlet.manifest.ManifestException;
import dev.vertlet.manifest.ManifestText;
import dev.vertlet.model.DecodeException;
import dev.vertlet.stages.play.StageObject;
import dev.vertlet.stages.spec.ResourceRef;

/** An object in a file. */
final class ObjectFile {
  private ObjectFile() {}

  /**
   * Reads the object.
   *
   * @param name of the file, for messages
   * @throws FailedException when the text is not one object with apiVersion, kind and name
   */
  static StageObject read(String name, byte[] text) {
    try {
      StageObject object = StageObject.of(ManifestText.object(text));
      if (kind(object).apiGroup().isEmpty() || kind(object).kind().isEmpty()) {
        throw new FailedException(name + " must have apiVersion and kind");
      }
      return object;
    } catch (ManifestException | DecodeException e) {
      throw new FailedException(name + ": " + e.getMessage(), e);
    }
  }

  static ResourceRef kind(StageObject object) {
    return new ResourceRef(
        object.json().path("apiVersion").asText(""), object.json().path("kind").asText(""));
  }
}
