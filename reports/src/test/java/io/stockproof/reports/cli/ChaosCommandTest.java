package io.stockproof.reports.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ChaosCommandTest extends RunsCommands {
  @Test
  void an_unknown_fault_is_named_with_the_one_probably_meant() {
    assertThat(execute("chaos", "stockproof", "--fault", "redis-freez")).isEqualTo(2);
    saysInOneLine("'redis-freez'", "did you mean 'redis-freeze'?");
  }

  @Test
  void a_campaign_without_a_fault_is_refused() {
    assertThat(execute("chaos", "stockproof")).isEqualTo(2);
    saysInOneLine("--fault");
  }

  @Test
  void too_little_time_is_refused_before_anything_starts() {
    assertThat(execute("chaos", "stockproof", "--fault", "redis-loss", "--duration", "5s"))
        .isEqualTo(2);
    saysInOneLine("--duration", "40 s or more for 10 faults", "was 5 s");
  }

  @Test
  void a_load_of_no_calls_is_refused() {
    assertThat(execute("chaos", "stockproof", "--fault", "redis-kill", "--rate", "0")).isEqualTo(2);
    saysInOneLine("--rate", "was 0");
  }

  @Test
  void a_gate_that_calls_a_lost_stock_sold_out_makes_the_run_red(@TempDir Path folder)
      throws Exception {
    Path json = folder.resolve("run.json");

    int code =
        execute(
            "chaos",
            "lua-gate",
            "--fault",
            "redis-kill",
            "--duration",
            "8s",
            "--rate",
            "50",
            "--environment",
            "embedded",
            "--report",
            folder.toString(),
            "--json",
            json.toString());

    assertThat(code).as("%s", out).isEqualTo(1);
    assertThat(out.toString()).contains("redis-kill", "R303", "verdict of the run: VIOLATED");
    assertThat(out.toString().lines().filter(line -> !line.startsWith("report:")))
        .filteredOn(line -> !line.startsWith("written:"))
        .allMatch(line -> line.length() <= 80);
    assertThat(folder.resolve("index.html"))
        .content()
        .contains("id=\"faults\"", "<td>redis-kill</td>");
    JsonNode fault = new ObjectMapper().readTree(json.toFile()).get("faults").get(0);
    assertThat(fault.get("family").asText()).isEqualTo("redis-loss");
    assertThat(fault.get("name").asText()).isEqualTo("redis-kill");
    assertThat(fault.get("subject").asText()).isEqualTo("lua-gate");
    assertThat(fault.get("windowMillis").asLong()).isPositive();
    assertThat(fault.get("hung").asInt()).isZero();
    assertThat(fault.get("verdict").asText()).isEqualTo("VIOLATED");
  }
}
