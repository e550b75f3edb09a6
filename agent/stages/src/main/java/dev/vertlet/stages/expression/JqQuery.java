package dev.vertlet.stages.expression;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import net.thisptr.jackson.jq.BuiltinFunctionLoader;
import net.thisptr.jackson.jq.JsonQuery;
import net.thisptr.jackson.jq.Scope;
import net.thisptr.jackson.jq.Version;
import net.thisptr.jackson.jq.Versions;
import net.thisptr.jackson.jq.exception.JsonQueryException;
import org.jspecify.annotations.Nullable;

/** A compiled jq query. */
final class JqQuery {
  private static final Version VERSION = Versions.JQ_1_7;

  /** Loaded with the first query: it reads some hundred definitions. */
  private static final class Library {
    static final Scope FUNCTIONS = functions();
    static final Set<String> NAMES =
        FUNCTIONS.getLocalFunctions().keySet().stream()
            .map(name -> name.substring(0, name.indexOf('/')))
            .collect(Collectors.toSet());

    private static Scope functions() {
      Scope scope = Scope.newEmptyScope();
      BuiltinFunctionLoader.getInstance().loadFunctions(VERSION, scope);
      return scope;
    }
  }

  private final @Nullable JsonPath path;
  private final @Nullable JsonQuery query;

  private JqQuery(@Nullable JsonPath path, @Nullable JsonQuery query) {
    this.path = path;
    this.query = query;
  }

  static JqQuery compile(String text) throws ExpressionException {
    JsonPath path = JsonPath.of(text);
    if (path != null) {
      return new JqQuery(path, null);
    }
    String normalized = JqSyntax.normalized(text);
    try {
      JsonQuery query = JsonQuery.compile(normalized, VERSION);
      JqSyntax.checkFunctions(normalized, Library.NAMES);
      return new JqQuery(null, query);
    } catch (JsonQueryException e) {
      throw JqErrors.of(e);
    }
  }

  /**
   * Evaluates the query.
   *
   * @return results other than null; null itself after an error, which counts as absent
   */
  @Nullable List<JsonNode> apply(JsonNode input) {
    if (path != null) {
      return path.apply(input);
    }
    List<JsonNode> results = new ArrayList<>(1);
    try {
      if (query != null) {
        query.apply(
            Scope.newChildScope(Library.FUNCTIONS),
            input,
            value -> {
              if (!value.isNull()) {
                results.add(value);
              }
            });
      }
      return results;
    } catch (JsonQueryException e) {
      return null;
    }
  }
}
