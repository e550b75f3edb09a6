package dev.vertlet.apiserver.validation;

import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Decisions on CertificateSigningRequests, and what is issued. */
public final class SigningRequestStatusRules {
  /** Conditions that decide on a request, of which there is one at most. */
  public static final List<String> DECISIONS = List.of("Approved", "Denied");

  /** Conditions that stay once they are there, and that are true. */
  private static final List<String> FINAL = List.of("Approved", "Denied", "Failed");

  private SigningRequestStatusRules() {}

  /**
   * Checks an update of a request.
   *
   * @param approval whether the update may decide on the request
   */
  public static void updated(FieldValue next, FieldValue current, boolean approval) {
    FieldValue conditions = next.at("status", "conditions");
    FieldValue old = current.at("status", "conditions");
    conditions(conditions);
    FieldValue certificate = next.at("status", "certificate");
    FieldValue issued = current.at("status", "certificate");
    boolean same = certificate.text().equals(issued.text());
    if (!same) {
      content(certificate);
    }
    for (String type : FINAL) {
      if (count(conditions, type) < count(old, type)) {
        conditions.forbidden("updates may not remove a condition of type \"" + type + "\"");
      }
    }
    for (String type : DECISIONS) {
      if (!approval && count(conditions, type) > count(old, type)) {
        conditions.forbidden("updates may not add a condition of type \"" + type + "\"");
      }
    }
    if (!same && !issued.isEmpty()) {
      certificate.forbidden("updates may not modify existing certificate content");
    }
  }

  private static void conditions(FieldValue conditions) {
    Set<String> seen = new HashSet<>();
    for (FieldValue condition : conditions.items()) {
      FieldValue type = condition.at("type");
      type.requireAny();
      FieldValue status = condition.at("status");
      if (!status.requireAny()) {
        if (FINAL.contains(type.text())) {
          status.oneOf("True");
        } else {
          status.oneOf("False", "True", "Unknown");
        }
      }
      boolean decided = DECISIONS.stream().anyMatch(each -> !type.is(each) && seen.contains(each));
      if (decided && DECISIONS.contains(type.text())) {
        conditions.invalid(
            GoText.quoted(type.text()), "Approved and Denied conditions are mutually exclusive");
      }
      if (!seen.add(type.text())) {
        type.duplicate();
      }
    }
  }

  private static void content(FieldValue certificate) {
    String problem = CertificatePem.problem(Base64.getMimeDecoder().decode(certificate.text()));
    if (!problem.isEmpty()) {
      certificate.invalid("\"<certificate data>\"", problem);
    }
  }

  private static int count(FieldValue conditions, String type) {
    return (int) conditions.items().stream().filter(each -> each.at("type").is(type)).count();
  }
}
