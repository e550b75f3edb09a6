package dev.vertlet.apiserver.validation;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Addresses of a Service, their families, and how they go together. */
public final class ServiceAddressRules {
  private ServiceAddressRules() {}

  /**
   * Checks the addresses of a Service; one with an external name has none.
   *
   * @param current what is updated, an empty object for a new Service
   */
  public static void related(FieldValue service, FieldValue current) {
    FieldValue spec = service.at("spec");
    if (spec.at("type").is("ExternalName")) {
      return;
    }
    pair(spec);
    families(spec);
    FieldValue all = spec.at("clusterIPs");
    Set<String> old = MetadataRules.texts(current.at("spec", "clusterIPs").json());
    if (areAddresses(all, old)) {
      together(all, spec.at("ipFamilies"));
    }
  }

  private static void pair(FieldValue spec) {
    FieldValue all = spec.at("clusterIPs");
    FieldValue first = spec.at("clusterIP");
    if (first.isEmpty()) {
      if (!all.isEmpty()) {
        all.invalid("must be empty when `clusterIP` is not specified");
      }
    } else if (!all.requireAny() && !all.item(0).json().equals(first.json())) {
      all.invalid("first value must match `clusterIP`");
    }
  }

  private static void families(FieldValue spec) {
    Set<String> families = new HashSet<>();
    for (FieldValue family : spec.at("ipFamilies").items()) {
      family.oneOf("IPv4", "IPv6");
      if (!families.add(family.text())) {
        family.duplicate();
      }
    }
    spec.at("ipFamilyPolicy").anyOneOf("PreferDualStack", "RequireDualStack", "SingleStack");
  }

  private static boolean areAddresses(FieldValue all, Set<String> old) {
    List<FieldValue> items = all.items();
    boolean good = true;
    for (int i = 0; i < items.size(); i++) {
      FieldValue address = items.get(i);
      if (i == 0 && address.is("None")) {
        if (items.size() > 1) {
          all.invalid("'None' must be the first and only value");
          good = false;
        }
      } else if (!old.contains(address.text()) && !Format.ADDRESS.fits(address.text())) {
        address.check(Format.ADDRESS);
        good = false;
      }
    }
    if (items.size() > 2) {
      all.invalid("may only hold up to 2 values");
    }
    return good;
  }

  private static void together(FieldValue all, FieldValue families) {
    List<FieldValue> items = all.items();
    long v6 = items.stream().filter(address -> IpText.isV6(address.text())).count();
    if (items.size() > 1 && (v6 == 0 || v6 == items.size())) {
      all.invalid("may specify no more than one IP for each IP family");
    }
    if (all.item(0).is("None")) {
      return;
    }
    for (int i = 0; i < Math.min(items.size(), families.items().size()); i++) {
      FieldValue address = items.get(i);
      String family = families.item(i).text();
      String expected = IpText.isV6(address.text()) ? "IPv6" : "IPv4";
      if (!family.equals(expected) && (family.equals("IPv4") || family.equals("IPv6"))) {
        address.invalid(
            "expected an %s value as indicated by `ipFamilies[%d]`".formatted(family, i));
      }
    }
  }
}
