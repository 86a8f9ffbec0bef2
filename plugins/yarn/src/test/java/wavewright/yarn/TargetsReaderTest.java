package wavewright.yarn;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.fail;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import org.junit.Test;

public class TargetsReaderTest {
  private static Targets read(String... entries) throws Refused {
    return TargetsReader.read(Documents.signed(Documents.json(17, 1000, entries)), Documents.KEY);
  }

  private static Target one(String entry) throws Refused {
    return read(entry).of(Collections.singleton("t"));
  }

  private static void refused(Refused.Reason reason, byte[] bytes) {
    try {
      TargetsReader.read(bytes, Documents.KEY);
    } catch (Refused e) {
      assertEquals(reason, e.reason);
      return;
    }
    fail("taken: " + new String(bytes, 0, Math.min(bytes.length, 300), StandardCharsets.UTF_8));
  }

  private static void garbled(String json) {
    refused(Refused.Reason.GARBLED, Documents.signed(json));
  }

  @Test
  public void readsWhatTheDaemonWrites() throws Refused {
    Targets targets = read("{'tag':'t','map_rank':1,'reduce_rank':3,'map_target':4,'reduce_target':2,"
        + "'placement':'delay','node_wait_ms':3000,'rack_wait_ms':2000}");
    assertEquals(17, targets.generation);
    assertEquals(1000, targets.issuedMs);
    Target target = targets.of(Collections.singleton("t"));
    assertEquals(1, target.rank(Kind.MAP));
    assertEquals(3, target.rank(Kind.REDUCE));
    assertEquals(1, target.rank(Kind.OTHER));
    assertEquals(4, target.most(Kind.MAP));
    assertEquals(2, target.most(Kind.REDUCE));
    assertEquals(Target.UNLIMITED, target.most(Kind.OTHER));
    assertEquals("delay", target.placement);
    assertEquals(3000, target.nodeWaitMs);
    assertEquals(2000, target.rackWaitMs);
  }

  @Test
  public void anAbsentTargetIsNoLimitAndZeroIsOne() throws Refused {
    assertEquals(Target.UNLIMITED, one("{'tag':'t'}").most(Kind.MAP));
    assertEquals(Target.UNLIMITED, one("{'tag':'t','map_target':null}").most(Kind.MAP));
    assertEquals(0, one("{'tag':'t','map_target':0}").most(Kind.MAP));
    assertEquals(Target.UNRANKED, one("{'tag':'t'}").rank(Kind.REDUCE));
  }

  @Test
  public void whatANewerDaemonSaysBesidesIsPassedOver() throws Refused {
    assertEquals(2, one("{'tag':'t','map_target':2,'colour':'red'}").most(Kind.MAP));
  }

  @Test
  public void anApplicationWithTwoTagsFollowsTheLowest() throws Refused {
    Targets targets = read("{'tag':'b','map_rank':1}", "{'tag':'a','map_rank':2}");
    assertEquals("a", targets.of(Arrays.asList("c", "b", "a")).tag);
    assertNull(targets.of(Collections.singleton("c")));
  }

  @Test
  public void oneThatIsNotSignedIsRefused() {
    byte[] good = Documents.signed(Documents.json(1, 1000));
    for (int i = 0; i < good.length; i++) {
      byte[] forged = good.clone();
      forged[i] ^= 1;
      refused(Refused.Reason.SIGNATURE, forged);
    }
    refused(Refused.Reason.SIGNATURE, Documents.signed(Documents.json(1, 1000), "another secret, also long".getBytes(StandardCharsets.UTF_8)));
    refused(Refused.Reason.SIGNATURE, Documents.json(1, 1000).getBytes(StandardCharsets.UTF_8));
    refused(Refused.Reason.SIGNATURE, new byte[0]);
    refused(Refused.Reason.SIGNATURE, Arrays.copyOf(good, good.length - 1));
    byte[] upper = new String(good, StandardCharsets.UTF_8).substring(0, 64).toUpperCase(java.util.Locale.ROOT)
        .getBytes(StandardCharsets.UTF_8);
    byte[] shouted = good.clone();
    System.arraycopy(upper, 0, shouted, 0, 64);
    refused(Refused.Reason.SIGNATURE, shouted);
  }

  @Test
  public void oneOf8MiBIsRefused() throws Refused {
    char[] blanks = new char[TargetsReader.MOST_BYTES];
    Arrays.fill(blanks, ' ');
    refused(Refused.Reason.TOO_LARGE, Documents.signed(Documents.json(1, 1000) + new String(blanks)));
    String json = Documents.json(1, 1000);
    String most = json + new String(blanks, 0, TargetsReader.MOST_BYTES - 66 - json.length());
    assertEquals(1, TargetsReader.read(Documents.signed(most), Documents.KEY).generation);
  }

  @Test
  public void signedNonsenseIsRefused() {
    garbled("");
    garbled("{");
    garbled("[]");
    garbled("null");
    garbled("{}");
    garbled("\u0000");
    garbled(Documents.json(1, 1000) + "{}");
    garbled(Documents.json(1, 1000).replace("targets/1", "targets/2"));
    garbled(Documents.json(1, 1000).replace("\"generation\":1,", ""));
    garbled(Documents.json(1, 1000).replace("\"generation\":1,", "\"generation\":1,\"generation\":2,"));
    garbled(Documents.json(-1, 1000));
    garbled(Documents.json(1, 1000).replace("\"generation\":1,", "\"generation\":1.5,"));
    garbled(Documents.json(1, 1000).replace("\"generation\":1,", "\"generation\":99999999999999999999,"));
    garbled(Documents.json(1, 1000, "7"));
    garbled(Documents.json(1, 1000, "{'map_rank':1}"));
    garbled(Documents.json(1, 1000, "{'tag':''}"));
    garbled(Documents.json(1, 1000, "{'tag':'t'}", "{'tag':'t'}"));
    garbled(Documents.json(1, 1000, "{'tag':'t','map_target':-1}"));
    garbled(Documents.json(1, 1000, "{'tag':'t','map_target':'4'}"));
    garbled(Documents.json(1, 1000, "{'tag':'t','map_target':4294967297}"));
    garbled(Documents.json(1, 1000, "{'tag':'t','map_rank':true}"));
    garbled(Documents.json(1, 1000, "{'tag':'t','placement':1}"));
    char[] deep = new char[1_000_000];
    Arrays.fill(deep, '[');
    garbled(new String(deep));
  }
}
