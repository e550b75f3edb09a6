package dev.vertlet.stages.expression;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelIssue;
import dev.cel.common.CelOptions;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import java.util.List;
import java.util.Map;

/** A compiled CEL expression of the variable {@code self}. */
final class CelProgram {
  private static final CelOptions OPTIONS =
      CelOptions.current().enableHeterogeneousNumericComparisons(true).build();

  private final CelRuntime.Program program;
  private final boolean typed;

  private CelProgram(CelRuntime.Program program, boolean typed) {
    this.program = program;
    this.typed = typed;
  }

  /**
   * Compiles an expression.
   *
   * @param types that the result may have; one that is known only at run time is accepted, too
   * @param typed whether times and quantities of the object are such, as in KWOK for pods and nodes
   */
  static CelProgram compile(String text, List<CelType> types, boolean typed, CelFunctions functions)
      throws ExpressionException {
    try {
      CelAbstractSyntaxTree tree = compiler().compile(text).getAst();
      CelType result = tree.getResultType();
      if (!result.equals(SimpleType.DYN) && !types.contains(result)) {
        List<String> names = types.stream().map(CelType::name).toList();
        throw new ExpressionException(
            1,
            1,
            "CEL: the expression must yield %s, not %s"
                .formatted(String.join(" or ", names), result.name()));
      }
      CelRuntime runtime =
          CelRuntimeFactory.standardCelRuntimeBuilder()
              .setOptions(OPTIONS)
              .addFunctionBindings(functions.bindings())
              .build();
      return new CelProgram(runtime.createProgram(tree), typed);
    } catch (CelValidationException e) {
      CelIssue issue = e.getErrors().get(0);
      throw new ExpressionException(
          Math.max(1, issue.getSourceLocation().getLine()),
          Math.max(1, issue.getSourceLocation().getColumn() + 1),
          "CEL: " + issue.getMessage());
    } catch (CelEvaluationException e) {
      throw new ExpressionException(1, 1, "CEL: " + e.getMessage());
    }
  }

  private static CelCompiler compiler() {
    return Compiler.INSTANCE;
  }

  /** Made with the first expression: CEL's classes take megabytes. */
  private static final class Compiler {
    static final CelCompiler INSTANCE =
        CelCompilerFactory.standardCelCompilerBuilder()
            .setOptions(OPTIONS)
            .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
            .addVar("self", SimpleType.DYN)
            .addFunctionDeclarations(
                function("Now", SimpleType.TIMESTAMP),
                function("Rand", SimpleType.DOUBLE),
                function("SinceSecond", SimpleType.DOUBLE, SimpleType.DYN),
                function("UnixSecond", SimpleType.DOUBLE, SimpleType.TIMESTAMP),
                function("Quantity", SimpleType.DOUBLE, SimpleType.STRING))
            .build();
  }

  /** KWOK offers a function with a parameter as a method of it, too. */
  private static CelFunctionDecl function(String name, CelType result, CelType... parameters) {
    return parameters.length == 0
        ? CelFunctionDecl.newFunctionDeclaration(
            name, CelOverloadDecl.newGlobalOverload(name, result))
        : CelFunctionDecl.newFunctionDeclaration(
            name,
            CelOverloadDecl.newGlobalOverload(name, result, parameters),
            CelOverloadDecl.newMemberOverload(name + "_method", result, parameters));
  }

  /**
   * Evaluates the expression.
   *
   * @throws CelEvaluationException for an absent field or a value of another type than the
   *     expression needs
   */
  Object apply(JsonNode self) throws CelEvaluationException {
    return program.eval(Map.of("self", CelValues.of(self, typed)));
  }
}
