package dev.vertlet.apiserver.validation;

/** Namespaces. */
public final class NamespaceRules {
  private NamespaceRules() {}

  /** Checks a new namespace; the real server leaves positions out of these paths. */
  public static void created(FieldValue namespace) {
    FieldValue all = namespace.at("spec", "finalizers");
    all.items().forEach(finalizer -> MetadataRules.finalizer(all.reporting(finalizer)));
  }

  /** Checks an update of what holds a namespace that is being deleted. */
  public static void finalized(FieldValue namespace) {
    namespace.at("spec", "finalizers").items().forEach(MetadataRules::finalizer);
  }

  /** Checks an update of a status: the phase follows from the deletion. */
  public static void statusUpdated(FieldValue namespace) {
    FieldValue phase = namespace.at("status", "Phase").reporting(namespace.at("status", "phase"));
    boolean deleted = namespace.at("metadata", "deletionTimestamp").isPresent();
    if (!deleted && !phase.is("Active")) {
      phase.invalid(
          GoText.quoted(phase.text()), "may only be 'Active' if `deletionTimestamp` is empty");
    } else if (deleted && !phase.is("Terminating")) {
      phase.invalid(
          GoText.quoted(phase.text()),
          "may only be 'Terminating' if `deletionTimestamp` is not empty");
    }
  }
}
