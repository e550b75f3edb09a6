package dev.vertlet.config;

/**
 * Health and metrics over HTTP.
 *
 * @param address to listen on
 * @param port 1 to 65535, or 0 for any free one
 */
public record ServerConfig(String address, int port) {
  public ServerConfig {
    new Check("/server").range("port", port, 0, 65_535).done();
  }
}
