/**
 * Label and field selectors in the syntax of list and watch parameters.
 *
 * <p>Pure and immutable; no messages, any thread. A syntax error throws {@code 400 BadRequest}.
 */
@NullMarked
package dev.vertlet.apiserver.selector;

import org.jspecify.annotations.NullMarked;
