/**
 * Go's text/template, as KWOK's stages use it: lexer, parser and executor.
 *
 * <p>{@link dev.vertlet.stages.template.Templates} parses, {@link
 * dev.vertlet.stages.template.Template} renders. Output, error sentences and positions are those of
 * Go 1.26; the values that templates work on are in {@code value}, the functions in {@code
 * function}. Nothing here blocks, reads files or holds state between two renderings.
 *
 * <p>Not promised: complex numbers, channels and Go's methods on values other than times and
 * versions.
 */
@NullMarked
package dev.vertlet.stages.template;

import org.jspecify.annotations.NullMarked;
