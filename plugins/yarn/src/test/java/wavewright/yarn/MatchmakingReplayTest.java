package wavewright.yarn;

import static org.junit.Assert.assertTrue;

import org.junit.Test;

/** Matchmaking in Hadoop's own scheduler decides as Wavewright's simulator does. */
public class MatchmakingReplayTest extends DecisionsReplay {
  public MatchmakingReplayTest() {
    super("'placement':'matchmaking'");
  }

  @Test
  public void itDecidesAsTheSimulatorDoes() throws Exception {
    assertTrue(play("matchmaking-decisions.txt") > 300);
  }
}
