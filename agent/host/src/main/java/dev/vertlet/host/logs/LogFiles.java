package dev.vertlet.host.logs;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The files of a container's log. Every method blocks. */
public interface LogFiles {
  /** Opens the oldest file that is left; null if there is none. */
  @Nullable LogFile first() throws IOException;

  /** Opens the file that grows; null if there is none. */
  @Nullable LogFile last() throws IOException;
}
