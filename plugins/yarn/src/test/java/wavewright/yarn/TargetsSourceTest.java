package wavewright.yarn;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;

import com.sun.net.httpserver.HttpServer;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
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
    server.createContext("/targets", exchange -> {
      exchange.sendResponseHeaders(200, bytes.length);
      try (OutputStream out = exchange.getResponseBody()) {
        out.write(bytes);
      }
    });
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
