/**
 * The rules of the API: which objects and which changes of objects a real server refuses, with its
 * words and field paths. One class for each kind, or part of a kind, on top of a few checks in
 * {@link dev.vertlet.apiserver.validation.FieldValue} and {@link
 * dev.vertlet.apiserver.validation.Format}.
 *
 * <p>The rules are those of {@code pkg/apis/.../validation} of Kubernetes 1.36.3 with its default
 * feature gates. The contract tests hold them against a real server, case by case.
 */
@NullMarked
package dev.vertlet.apiserver.validation;

import org.jspecify.annotations.NullMarked;
