package dev.vertlet.http;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.DelegatingSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.vertx.core.net.SSLEngineOptions;
import io.vertx.core.spi.tls.SslContextFactory;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;

/** Tracks connections before their TLS handshake: a Vert.x server learns of them later. */
final class TrackedSslContext extends DelegatingSslContext {
  static {
    // renegotiation costs the server a signature each time and the client nothing; Go's servers
    // refuse it, too
    System.getProperties().putIfAbsent("jdk.tls.rejectClientInitiatedRenegotiation", "true");
  }

  private final Consumer<Channel> connected;

  private TrackedSslContext(SslContext context, Consumer<Channel> connected) {
    super(context);
    this.connected = connected;
  }

  /**
   * Wraps the options of an engine.
   *
   * @param connected receives each connection on its event loop
   */
  static SSLEngineOptions options(SSLEngineOptions engine, Consumer<Channel> connected) {
    return new Options(engine, connected);
  }

  @Override
  protected void initEngine(SSLEngine engine) {}

  @Override
  protected SslHandler newHandler(ByteBufAllocator alloc, boolean startTls, Executor executor) {
    return new Handler(newEngine(alloc), startTls, executor);
  }

  @Override
  protected SslHandler newHandler(
      ByteBufAllocator alloc, String host, int port, boolean startTls, Executor executor) {
    return new Handler(newEngine(alloc, host, port), startTls, executor);
  }

  private final class Handler extends SslHandler {
    Handler(SSLEngine engine, boolean startTls, Executor executor) {
      super(engine, startTls, executor);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) throws Exception {
      super.handlerAdded(context);
      connected.accept(context.channel());
    }
  }

  private static final class Options extends SSLEngineOptions {
    private final SSLEngineOptions engine;
    private final Consumer<Channel> connected;

    Options(SSLEngineOptions engine, Consumer<Channel> connected) {
      super(engine);
      this.engine = engine;
      this.connected = connected;
    }

    @Override
    public SSLEngineOptions copy() {
      return new Options(engine.copy(), connected);
    }

    @Override
    public SslContextFactory sslContextFactory() {
      return new Factory(engine.sslContextFactory(), connected);
    }
  }

  private record Factory(SslContextFactory made, Consumer<Channel> connected)
      implements SslContextFactory {
    @Override
    public SslContextFactory useAlpn(boolean useAlpn) {
      made.useAlpn(useAlpn);
      return this;
    }

    @Override
    public SslContextFactory clientAuth(io.netty.handler.ssl.ClientAuth clientAuth) {
      made.clientAuth(clientAuth);
      return this;
    }

    @Override
    public SslContextFactory forClient(boolean forClient) {
      made.forClient(forClient);
      return this;
    }

    @Override
    public SslContextFactory keyMananagerFactory(KeyManagerFactory factory) {
      made.keyMananagerFactory(factory);
      return this;
    }

    @Override
    public SslContextFactory trustManagerFactory(TrustManagerFactory factory) {
      made.trustManagerFactory(factory);
      return this;
    }

    @Override
    public SslContextFactory enabledCipherSuites(Set<String> suites) {
      made.enabledCipherSuites(suites);
      return this;
    }

    @Override
    public SslContextFactory applicationProtocols(List<String> protocols) {
      made.applicationProtocols(protocols);
      return this;
    }

    @Override
    public SslContextFactory serverName(String name) {
      made.serverName(name);
      return this;
    }

    @Override
    public SslContext create() throws SSLException {
      return new TrackedSslContext(made.create(), connected);
    }
  }
}
