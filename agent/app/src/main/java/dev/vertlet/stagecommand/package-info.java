/** The command {@code vertlet stages}: checks stages and explains what they do to an object. */
@NullMarked
package dev.vertlet.stagecommand;

import org.jspecify.annotations.NullMarked;
