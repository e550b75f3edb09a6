@NullMarked
package dev.vertlet.configsync;

import org.jspecify.annotations.NullMarked;
