package dev.vertlet.config.process;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/**
 * Version of this vertlet, as the build recorded it.
 *
 * @param version version of vertlet
 * @param commit Git commit of the build; empty when the build did not know it
 */
public record BuildInfo(String version, String commit) {
  /** Kubernetes version whose behaviour vertlet follows and whose API it is tested with. */
  public static final String KUBERNETES = "v1.36.3";

  private static final BuildInfo INSTANCE = read();

  /** Reads the version of the running code. */
  public static BuildInfo get() {
    return INSTANCE;
  }

  /** Returns the kubelet version that nodes report. */
  public String kubeletVersion() {
    return KUBERNETES + "-vertlet-" + version;
  }

  private static BuildInfo read() {
    Properties properties = new Properties();
    try (InputStream in = BuildInfo.class.getResourceAsStream("/vertlet-build.properties")) {
      if (in == null) {
        throw new IllegalStateException("the agent's jar lacks vertlet-build.properties");
      }
      properties.load(in);
    } catch (IOException e) {
      throw new IllegalStateException("cannot read vertlet-build.properties", e);
    }
    return new BuildInfo(
        properties.getProperty("version", ""), properties.getProperty("commit", ""));
  }
}
