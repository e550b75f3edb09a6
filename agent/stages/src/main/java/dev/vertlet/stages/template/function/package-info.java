/**
 * Functions of templates: Go's own, those of sprig, and those that KWOK adds.
 *
 * <p>{@link dev.vertlet.stages.template.function.KwokFunctions} is the whole set that KWOK's stages
 * may use, less the functions of nodes and pods, which the caller adds.
 */
@NullMarked
package dev.vertlet.stages.template.function;

import org.jspecify.annotations.NullMarked;
