@NullMarked
package dev.vertlet.manifest;

import org.jspecify.annotations.NullMarked;
