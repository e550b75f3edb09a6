package dev.vertlet.harness.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.vertlet.testsupport.Waits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;

/**
 * A port of a pod as {@code kubectl port-forward} shows it on this machine. A simulated pod answers
 * who begins with an HTTP request, and sends back what everybody else sends.
 */
record ForwardedPort(int port) {

  /** Bodies of the answers to HTTP requests, so many of them at once. */
  List<String> answers(int requests, int atOnce) throws InterruptedException {
    URI url = URI.create("http://127.0.0.1:" + port + "/");
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    Semaphore free = new Semaphore(atOnce);
    List<CompletableFuture<String>> answers = new ArrayList<>();
    for (int i = 0; i < requests; i++) {
      free.acquire();
      answers.add(
          client
              .sendAsync(
                  HttpRequest.newBuilder(url).timeout(Waits.LONG).build(),
                  HttpResponse.BodyHandlers.ofString())
              .thenApply(HttpResponse::body)
              .whenComplete((body, e) -> free.release()));
    }
    return answers.stream().map(CompletableFuture::join).toList();
  }

  /** A new connection to it. Close it. */
  Held open() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout((int) Waits.LONG.toMillis());
    return new Held(socket);
  }

  /** A connection that stays open. Reading waits for a minute at most. */
  record Held(Socket socket) implements AutoCloseable {
    void send(String text) throws IOException {
      socket.getOutputStream().write(text.getBytes(UTF_8));
    }

    /** What comes, up to this number of bytes. */
    String read(int bytes) throws IOException {
      return new String(socket.getInputStream().readNBytes(bytes), UTF_8);
    }

    /** Sends bytes while as many are read, which are returned. */
    byte[] exchange(byte[] bytes) throws IOException {
      CompletableFuture<Void> sent =
          CompletableFuture.runAsync(
              () -> {
                try {
                  socket.getOutputStream().write(bytes);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      byte[] back = socket.getInputStream().readNBytes(bytes.length);
      sent.join();
      return back;
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
