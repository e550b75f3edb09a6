/**
 * Expressions of stages: jq by jackson-jq, CEL by dev.cel, with the functions that KWOK 0.8 adds.
 *
 * <p>Everything is compiled once, and a mistake is found then: syntax, unknown functions and
 * variables, types as far as CEL knows them. Compiled expressions are immutable, except that the
 * results of {@code Now} and {@code Rand} vary; they may be used by one thread at a time. Nothing
 * here blocks.
 *
 * <p>Not promised: KWOK's typed view of pods and nodes in CEL. An absent field is an error of the
 * evaluation there as for any other kind ({@code has(self.a.b)} tests it), and quantities are
 * doubles.
 */
@NullMarked
package dev.vertlet.stages.expression;

import org.jspecify.annotations.NullMarked;
