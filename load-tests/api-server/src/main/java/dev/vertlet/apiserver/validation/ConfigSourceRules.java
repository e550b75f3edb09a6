package dev.vertlet.apiserver.validation;

/** The dynamic configuration of a node: which ConfigMap it is told to use, and which it uses. */
final class ConfigSourceRules {
  private ConfigSourceRules() {}

  /** {@code spec.configSource}. */
  static void assigned(FieldValue source) {
    FieldValue map = source.at("configMap");
    if (!map.isPresent()) {
      needsOne(source);
      return;
    }
    for (String field : new String[] {"uid", "resourceVersion"}) {
      if (!map.at(field).isEmpty()) {
        map.at(field).forbidden(field + " must not be set in spec");
      }
    }
    reference(map);
  }

  /** One of the sources in {@code status.config}. */
  static void reported(FieldValue source) {
    FieldValue map = source.at("configMap");
    if (!map.isPresent()) {
      needsOne(source);
      return;
    }
    map.at("uid").requireAny();
    map.at("resourceVersion").requireAny();
    reference(map);
  }

  private static void needsOne(FieldValue source) {
    source.invalid("{\"ConfigMap\":null}", "exactly one reference subfield must be non-nil");
  }

  private static void reference(FieldValue map) {
    map.at("namespace").requireFormat(Format.DNS_LABEL);
    map.at("name").requireFormat(Format.DNS_SUBDOMAIN);
    map.at("kubeletConfigKey").requireFormat(Format.DATA_KEY);
  }
}
