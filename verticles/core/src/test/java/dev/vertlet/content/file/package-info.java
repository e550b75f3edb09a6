@NullMarked
package dev.vertlet.content.file;

import org.jspecify.annotations.NullMarked;
