package dev.vertlet.process;

import static org.awaitility.Awaitility.await;

import dev.vertlet.host.files.Directories;
import dev.vertlet.host.logs.LogSegments;
import dev.vertlet.process.shim.Exit;
import dev.vertlet.process.shim.KeyValues;
import dev.vertlet.process.shim.Message;
import dev.vertlet.process.shim.MountMode;
import dev.vertlet.process.shim.Shim;
import dev.vertlet.process.shim.ShimClient;
import dev.vertlet.testsupport.Waits;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/** Starts containers by their shim alone. Used by the test's thread. */
public final class ShimLab implements AutoCloseable {
  /** Index of the text in a line of a log, as the shim writes it. */
  public static final int TEXT = "2026-01-02T03:04:05.123456789Z stdout F ".length();

  private final Path root;
  private final Vertx vertx = Vertx.vertx();
  private final ShimClient client = new ShimClient(vertx);
  private final Shim shim;
  private int count;

  public ShimLab(Path root) throws IOException {
    this(root, false);
  }

  /**
   * @param held as in {@link Shim}
   */
  public ShimLab(Path root, boolean held) throws IOException {
    this.root = root;
    Directories.create(root.resolve("s"));
    this.shim = Shim.install(root, Shim.content(), held);
  }

  /** A container in its directory. */
  public record Container(String id, Path directory, Path socket, Shim.Started started) {
    public KeyValues state() throws IOException {
      KeyValues state = KeyValues.read(directory.resolve("state"));
      if (state == null) {
        throw new AssertionError("the container was not started: " + started);
      }
      return state;
    }

    public @Nullable KeyValues exit() throws IOException {
      return KeyValues.read(directory.resolve(Exit.FILE));
    }

    /** Waits for the end on disk. */
    public KeyValues end() {
      await().until(() -> Files.exists(directory.resolve(Exit.FILE)));
      try {
        KeyValues exit = exit();
        if (exit == null) {
          throw new AssertionError("the end was removed");
        }
        return exit;
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** A client at a control socket. */
  public static final class Client {
    private final BlockingQueue<Message> messages = new LinkedBlockingQueue<>();
    private final StringBuilder output = new StringBuilder();
    private @Nullable NetSocket socket;

    public void send(Message message) {
      if (socket != null) {
        socket.write(message.encode());
      }
    }

    public void input(String text) {
      send(new Message(Message.INPUT, Buffer.buffer(text)));
    }

    public void leave() {
      if (socket != null) {
        socket.close();
      }
    }

    public Message next() throws InterruptedException {
      return Waits.take(messages);
    }

    /** Reads up to a message of this type; collects output. */
    public Message until(char type) throws InterruptedException {
      while (true) {
        Message message = next();
        if (message.type() == Message.OUTPUT || message.type() == Message.ERROR_OUTPUT) {
          output.append(message.text());
        }
        if (message.type() == type) {
          return message;
        }
      }
    }

    /** Reads output until all of it holds this text. */
    public void untilOutput(String text) throws InterruptedException {
      while (output.indexOf(text) < 0) {
        until(Message.OUTPUT);
      }
    }

    public String output() {
      return output.toString();
    }
  }

  public MountMode mounts() {
    return shim.mounts();
  }

  public Definition definition(String... command) {
    Definition definition = new Definition();
    for (String word : command) {
      definition.with("arg", word);
    }
    return definition.with("env", "PATH=" + System.getenv("PATH"));
  }

  public Container start(Definition definition) throws IOException {
    Path directory = root.resolve(Integer.toString(++count));
    Directories.create(directory);
    return start(definition, directory);
  }

  /** Starts a container whose log cannot be written for lack of space. */
  public Container startOnFullDisk(String... command) throws IOException {
    Path directory = root.resolve(Integer.toString(++count));
    Directories.create(directory);
    Files.createSymbolicLink(directory.resolve(LogSegments.CURRENT), Path.of("/dev/full"));
    return start(definition(command), directory);
  }

  private Container start(Definition definition, Path directory) throws IOException {
    String id = UUID.randomUUID().toString();
    Path socket = root.resolve("s").resolve(id.substring(0, 8));
    definition.with("id", id).with("env", MarkedProcesses.MARK + "=" + id);
    return new Container(id, directory, socket, shim.run(directory, socket, definition.bytes()));
  }

  public Container start(String... command) throws IOException {
    return start(definition(command));
  }

  public Client open(Container container, Message first) {
    Client connection = new Client();
    connection.socket =
        Waits.get(client.open(container.socket(), first, connection.messages::add, closed -> {}));
    return connection;
  }

  public Client attach(Container container) {
    return open(container, new Message(Message.ATTACH, Buffer.buffer(new byte[] {1})));
  }

  public Client execute(Container container, int flags, String... command) {
    Buffer body = Buffer.buffer(new byte[] {(byte) flags});
    for (String word : command) {
      body.appendBytes(word.getBytes(StandardCharsets.UTF_8)).appendByte((byte) 0);
    }
    return open(container, new Message(Message.EXECUTE, body));
  }

  /** Ends a container; returns its end. */
  public KeyValues stop(Container container, long graceMillis) {
    Client watcher = open(container, Message.of(Message.WATCH));
    watcher.send(ShimClient.stop(graceMillis));
    return container.end();
  }

  @Override
  public void close() throws IOException {
    ContainersOfTests.endAll(root.resolve("s"));
    Waits.get(vertx.close());
  }
}
