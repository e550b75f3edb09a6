package dev.vertlet.stages.spec;

import dev.vertlet.kube.MediaType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One action of a stage. */
public sealed interface Step {
  /** Writes an Event about the object. */
  record Event(String type, String reason, String message) implements Step {}

  /** Changes the object's finalizers. */
  record Finalizers(List<String> add, List<String> remove, boolean empty) implements Step {
    public Finalizers {
      add = List.copyOf(add);
      remove = List.copyOf(remove);
    }
  }

  /** Deletes the object without grace. Of the steps that follow only events are taken. */
  record Delete() implements Step {}

  /**
   * Patches the object.
   *
   * @param subresource empty for none
   * @param root field around the template's output, empty for none
   * @param type null for the kind's default
   * @param user that the request impersonates; empty for none
   */
  record Patch(
      String subresource, String root, SourceText template, @Nullable PatchType type, String user)
      implements Step {}

  /**
   * Creates or patches another object.
   *
   * @param subresource empty for none; with one, the object must exist
   * @param user that the request impersonates; empty for none
   */
  record Apply(String subresource, SourceText template, PatchType type, String user)
      implements Step {}

  /** Form of a patch. */
  enum PatchType {
    JSON("json", MediaType.JSON_PATCH),
    MERGE("merge", MediaType.MERGE_PATCH),
    STRATEGIC("strategic", MediaType.STRATEGIC_MERGE_PATCH),
    APPLY("apply", MediaType.APPLY_PATCH);

    private final String text;
    private final String mediaType;

    PatchType(String text, String mediaType) {
      this.text = text;
      this.mediaType = mediaType;
    }

    /** Spelling in a document. */
    public String text() {
      return text;
    }

    /** Content type of the request. */
    public String mediaType() {
      return mediaType;
    }
  }
}
