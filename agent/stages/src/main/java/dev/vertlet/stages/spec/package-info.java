/**
 * Stages as {@code kwok.x-k8s.io/v1alpha1} of KWOK 0.8 defines them, and the files they come from.
 *
 * <p>{@link dev.vertlet.stages.spec.StageFiles} reads files, directories and kustomizations; {@link
 * dev.vertlet.stages.spec.StageReader} turns one YAML document into a {@link
 * dev.vertlet.stages.spec.Stage}. The deprecated forms ({@code next}, {@code key}, {@code
 * expressionFrom}, {@code statusTemplate}) are converted into the current ones while reading. Reads
 * files: not for event loops.
 */
@NullMarked
package dev.vertlet.stages.spec;

import org.jspecify.annotations.NullMarked;
