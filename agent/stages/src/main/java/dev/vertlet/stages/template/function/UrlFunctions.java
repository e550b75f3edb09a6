package dev.vertlet.stages.template.function;

import dev.vertlet.stages.template.value.Arguments;
import dev.vertlet.stages.template.value.Function;
import dev.vertlet.stages.template.value.FunctionException;
import dev.vertlet.stages.template.value.GoQuote;
import dev.vertlet.stages.template.value.GoTypes;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code urlParse} and {@code urlJoin}. */
final class UrlFunctions {
  private UrlFunctions() {}

  static Map<String, Function> all() {
    return Map.of(
        "urlParse", Function.of("string", UrlFunctions::parse),
        "urlJoin", Function.of("map", UrlFunctions::join));
  }

  private static Object parse(Arguments a) {
    URI uri;
    try {
      uri = new URI(a.string(0));
    } catch (URISyntaxException e) {
      throw new FunctionException(
          "unable to parse url: parse " + GoQuote.quote(a.string(0)) + ": " + e.getReason());
    }
    String authority = orEmpty(uri.getRawAuthority());
    int at = authority.lastIndexOf('@');
    String host = authority.substring(at + 1);
    Map<String, Object> parts = new LinkedHashMap<>();
    parts.put("scheme", orEmpty(uri.getScheme()));
    parts.put("host", host);
    parts.put("hostname", host.replaceFirst(":[0-9]*$", "").replaceAll("^\\[|\\]$", ""));
    parts.put("path", orEmpty(uri.getPath()));
    parts.put("query", orEmpty(uri.getRawQuery()));
    parts.put("opaque", uri.isOpaque() ? orEmpty(uri.getRawSchemeSpecificPart()) : "");
    parts.put("fragment", orEmpty(uri.getFragment()));
    parts.put("userinfo", at < 0 ? "" : authority.substring(0, at));
    return parts;
  }

  private static String orEmpty(@Nullable String part) {
    return part == null ? "" : part;
  }

  private static String part(Arguments a, String key) {
    if (!a.map(0).containsKey(key)) {
      return "";
    }
    Object value = a.map(0).get(key);
    if (GoTypes.kind(value) != GoTypes.Kind.STRING) {
      throw new FunctionException(
          "unable to parse "
              + key
              + " key, must be of type string, but "
              + GoTypes.kindName(value)
              + " found");
    }
    return String.valueOf(value);
  }

  private static String join(Arguments a) {
    StringBuilder out = new StringBuilder();
    String scheme = part(a, "scheme");
    String opaque = part(a, "opaque");
    if (!scheme.isEmpty()) {
      out.append(scheme).append(':');
    }
    if (!opaque.isEmpty()) {
      out.append(opaque);
    } else {
      String user = part(a, "userinfo");
      String host = part(a, "host");
      if (!host.isEmpty() || !user.isEmpty()) {
        out.append("//").append(user).append(user.isEmpty() ? "" : "@").append(host);
      }
      String path = part(a, "path");
      out.append(!path.isEmpty() && !path.startsWith("/") && !host.isEmpty() ? "/" : "");
      out.append(escape(path));
    }
    String query = part(a, "query");
    String fragment = part(a, "fragment");
    return out.append(query.isEmpty() ? "" : "?" + query)
        .append(fragment.isEmpty() ? "" : "#" + escape(fragment))
        .toString();
  }

  private static String escape(String part) {
    try {
      return new URI(null, null, part, null).getRawPath();
    } catch (URISyntaxException e) {
      throw new FunctionException("invalid part of a URL: " + GoQuote.quote(part));
    }
  }
}
