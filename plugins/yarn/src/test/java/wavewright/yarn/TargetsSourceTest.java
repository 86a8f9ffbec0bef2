package wavewright.yarn;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.junit.Before;
import org.junit.Test;

public class TargetsSourceTest {
  private static final long HOUR_MS = 3_600_000;
  private final long wallMs = 1_790_000_000_000L;
  private long nanos = Long.MAX_VALUE - 5_000_000_000L;  // a monotonic clock may wrap
  private Documents documents;
  private TargetsSource source;

  @Before
  public void begin() throws Exception {
    documents = new Documents();
    source = source(documents.settings());
  }

  private TargetsSource source(Map<String, String> settings) {
    return new TargetsSource(Settings.of(settings), () -> nanos, () -> wallMs);
  }

  private void poll(long generation, long issuedMs, String... entries) throws Exception {
    documents.write(Documents.signed(Documents.json(generation, issuedMs, entries)));
    source.poll();
  }

  private void pass(long ms) {
    nanos += ms * 1_000_000;
  }

  @Test
  public void aDocumentIsInForceUntilTheDaemonIsSilent() throws Exception {
    assertNull(source.current());
    source.poll();
    assertNull(source.current());
    poll(5, wallMs);
    assertEquals(5, source.current().generation);
    for (int i = 0; i < 10; i++) {
      pass(1000);
      source.poll();  // the same document does not count as a word from the daemon
    }
    assertEquals(5, source.current().generation);
    pass(1);
    assertNull(source.current());
    assertTrue(source.describe().contains("silent"));
    poll(6, wallMs);
    assertEquals(6, source.current().generation);
    assertTrue(source.describe().contains("6"));
  }

  @Test
  public void anOldDocumentThatIsPutInAgainIsRefused() throws Exception {
    poll(5, wallMs, "{'tag':'t','map_target':9}");
    poll(6, wallMs, "{'tag':'t','map_target':1}");
    poll(5, wallMs, "{'tag':'t','map_target':9}");
    assertEquals(6, source.current().generation);
    assertEquals(1, source.refused(Refused.Reason.GENERATION));
    poll(6, wallMs, "{'tag':'t','map_target':9}");
    assertEquals(1, source.current().of(Collections.singleton("t")).most(Kind.MAP));
    pass(20000);
    poll(5, wallMs, "{'tag':'t','map_target':9}");
    assertNull("nor does it end the silence", source.current());
  }

  @Test
  public void theFirstMustBeOfTheseMinutes() throws Exception {
    poll(5, wallMs - 300_001);
    assertNull(source.current());
    poll(5, wallMs + 300_001);
    assertNull(source.current());
    assertEquals(2, source.refused(Refused.Reason.CLOCK));
    poll(5, wallMs - 300_000);
    assertNotNull(source.current());
    poll(6, wallMs - HOUR_MS);
    assertEquals("later ones are ordered by their generation", 6, source.current().generation);
  }

  @Test
  public void forgedGarbledAndOversizedOnesChangeNothing() throws Exception {
    poll(5, wallMs);
    byte[] forged = Documents.signed(Documents.json(6, wallMs), "not the secret, but as long".getBytes(StandardCharsets.UTF_8));
    documents.write(forged);
    source.poll();
    source.poll();
    documents.write(Documents.signed("{"));
    source.poll();
    documents.write(new byte[TargetsReader.MOST_BYTES]);
    source.poll();
    documents.write(new byte[0]);
    source.poll();
    Files.delete(documents.targets);
    source.poll();
    assertEquals(5, source.current().generation);
    assertEquals(3, source.refused(Refused.Reason.SIGNATURE));
    assertEquals(1, source.refused(Refused.Reason.GARBLED));
    assertEquals(1, source.refused(Refused.Reason.TOO_LARGE));
    assertEquals(1, source.refused(Refused.Reason.UNREACHABLE));
  }

  @Test
  public void aKeyThatOthersMayReadIsRefused() throws Exception {
    for (String rights : new String[] {"rw-r-----", "rw----r--", "rw---x---", "rw-----w-"}) {
      Files.setPosixFilePermissions(documents.key, PosixFilePermissions.fromString(rights));
      poll(5, wallMs);
      assertNull(rights, source.current());
    }
    assertEquals(4, source.refused(Refused.Reason.KEY));
    Files.setPosixFilePermissions(documents.key, PosixFilePermissions.fromString("r--------"));
    source.poll();
    assertNotNull(source.current());
  }

  @Test
  public void aShortOrMissingKeyIsRefused() throws Exception {
    Files.write(documents.key, "fifteen bytes..\n".getBytes(StandardCharsets.UTF_8));
    poll(5, wallMs);
    Files.delete(documents.key);
    source.poll();
    assertNull(source.current());
    assertEquals(2, source.refused(Refused.Reason.KEY));
  }

  @Test
  public void aLineBreakAfterTheKeyIsNotOfTheKey() throws Exception {
    Files.write(documents.key, (new String(Documents.KEY, StandardCharsets.UTF_8) + "\n").getBytes(StandardCharsets.UTF_8));
    poll(5, wallMs);
    assertNotNull(source.current());
  }

  @Test
  public void readsFromThisMachineByHttp() throws Exception {
    HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    byte[] bytes = Documents.signed(Documents.json(5, wallMs));
    server.createContext("/targets", exchange -> answer(exchange, bytes));
    server.createContext("/moved", exchange -> {
      exchange.getResponseHeaders().add("Location", "/targets");
      exchange.sendResponseHeaders(302, -1);
      exchange.close();
    });
    server.createContext("/endless", exchange -> {
      exchange.sendResponseHeaders(200, 0);
      try (OutputStream out = exchange.getResponseBody()) {
        for (int i = 0; i < 1000; i++) {
          out.write(new byte[1 << 20]);
        }
      }
    });
    server.start();
    try {
      String address = "http://127.0.0.1:" + server.getAddress().getPort();
      source = source(documents.settings("targets", address + "/moved"));
      source.poll();
      assertNull("a redirection is not followed", source.current());
      source = source(documents.settings("targets", address + "/endless"));
      source.poll();
      assertEquals(1, source.refused(Refused.Reason.TOO_LARGE));
      source = source(documents.settings("targets", address + "/targets"));
      source.poll();
      assertEquals(5, source.current().generation);
    } finally {
      server.stop(0);
    }
  }

  private static final char[] PASSWORD = "changeit".toCharArray();

  /** The key of a server and its certificate, which names `localhost` and no other. */
  private static KeyStore keysOfLocalhost() throws Exception {
    Path file = Files.createTempDirectory("keys").resolve("keys.p12");
    file.getParent().toFile().deleteOnExit();
    file.toFile().deleteOnExit();
    String tool = System.getProperty("java.home") + "/bin/keytool";
    Process made = new ProcessBuilder(tool, "-genkeypair", "-alias", "daemon", "-keyalg", "RSA", "-keysize", "2048", "-validity", "2",
        "-dname", "CN=localhost", "-ext", "SAN=dns:localhost", "-storetype", "PKCS12", "-keystore", file.toString(), "-storepass",
        new String(PASSWORD)).redirectErrorStream(true).redirectOutput(new File("/dev/null")).start();
    assertEquals("keytool", 0, made.waitFor());
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      keys.load(in, PASSWORD);
    }
    return keys;
  }

  private static void answer(HttpExchange exchange, byte[] bytes) throws IOException {
    exchange.sendResponseHeaders(200, bytes.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(bytes);
    }
  }

  /** As a ResourceManager on another machine reads the daemon's `/v1/targets`. */
  @Test
  public void readsByHttpsFromAServerWhoseCertificateIsTrusted() throws Exception {
    KeyStore keys = keysOfLocalhost();
    KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(keys, PASSWORD);
    SSLContext served = SSLContext.getInstance("TLS");
    served.init(own.getKeyManagers(), null, null);
    HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(served));
    long[] generation = {5};
    server.createContext("/v1/targets", exchange -> {
      boolean asExpected = exchange.getRequestMethod().equals("GET") && !exchange.getRequestHeaders().containsKey("Authorization");
      answer(exchange, asExpected ? Documents.signed(Documents.json(generation[0], wallMs)) : new byte[0]);
    });
    server.start();
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("daemon", keys.getCertificate("daemon"));
    TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext asking = SSLContext.getInstance("TLS");
    asking.init(null, trust.getTrustManagers(), null);
    SSLSocketFactory before = HttpsURLConnection.getDefaultSSLSocketFactory();
    try {
      String address = "https://localhost:" + server.getAddress().getPort() + "/v1/targets";
      source = source(documents.settings("targets", address));
      source.poll();
      assertNull("a certificate that nobody trusts", source.current());
      assertEquals(1, source.refused(Refused.Reason.UNREACHABLE));
      HttpsURLConnection.setDefaultSSLSocketFactory(asking.getSocketFactory());
      source.poll();
      assertEquals(5, source.current().generation);
      generation[0] = 6;
      source.poll();
      assertEquals(6, source.current().generation);
      source = source(documents.settings("targets", address.replace("localhost", "127.0.0.1")));
      source.poll();
      assertNull("the certificate of another name", source.current());
      assertEquals(1, source.refused(Refused.Reason.UNREACHABLE));
    } finally {
      HttpsURLConnection.setDefaultSSLSocketFactory(before);
      server.stop(0);
    }
  }

  @Test
  public void aProblemInsteadOfTheDocumentChangesNothing() throws Exception {
    HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    int[] status = {200};
    server.createContext("/v1/targets", exchange -> {
      if (status[0] == 200) {
        answer(exchange, Documents.signed(Documents.json(5, wallMs)));
        return;
      }
      byte[] problem = "{\"type\":\"about:blank\",\"status\":503}".getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status[0], problem.length);
      try (OutputStream out = exchange.getResponseBody()) {
        out.write(problem);
      }
    });
    server.start();
    try {
      source = source(documents.settings("targets", "http://127.0.0.1:" + server.getAddress().getPort() + "/v1/targets"));
      source.poll();
      for (int each : new int[] {404, 503}) {
        status[0] = each;
        source.poll();
      }
      assertEquals(2, source.refused(Refused.Reason.UNREACHABLE));
      assertEquals(5, source.current().generation);
    } finally {
      server.stop(0);
    }
  }

  @Test
  public void settingsThatCannotBeRightAreRefused() {
    wrong("http only to this machine", "targets", "http://namenode:8080/targets");
    wrong("http only to this machine", "targets", "http://127.0.0.1.example.org/targets");
    wrong("http only to this machine", "targets", "http://127.0.0.1@example.org/targets");
    wrong("another scheme", "targets", "ftp://127.0.0.1/targets");
    wrong("no scheme", "targets", "/tmp/targets");
    wrong("a host in a file's address", "targets", "file://tmp/targets");
    wrong("no key", "key-file", " ");
    wrong("no number", "poll-ms", "soon");
    wrong("too often", "poll-ms", "1");
    wrong("never", "silent-after-ms", "0");
    Settings.of(documents.settings("targets", "https://namenode/targets"));
    Settings.of(documents.settings("targets", "http://[::1]:80/targets"));
    Settings.of(documents.settings("targets", "http://localhost/targets"));
    assertEquals(500, Settings.of(documents.settings()).pollMs);
    assertEquals(10000, Settings.of(documents.settings()).silentAfterMs);
  }

  private void wrong(String what, String name, String value) {
    try {
      Settings.of(documents.settings(name, value));
    } catch (IllegalArgumentException e) {
      return;
    }
    fail(what + ": " + value);
  }

  @Test
  public void policiesOfQueuesThatAreReadAnewShareOneSource() throws Exception {
    TargetOrderingPolicy<?> first = new TargetOrderingPolicy<>(), second = new TargetOrderingPolicy<>();
    first.configure(documents.settings("poll-ms", "60000"));
    second.configure(documents.settings("poll-ms", "60000", "silent-after-ms", "5000"));
    assertSame(first.source(), second.source());
  }

  @Test
  public void aPolicyWithoutSettingsIsFirstInFirstOut() {
    TargetOrderingPolicy<?> policy = new TargetOrderingPolicy<>();
    policy.configure(new HashMap<>());
    assertNull(policy.source());
    assertEquals("FifoOrderingPolicy", policy.getInfo());
  }
}
