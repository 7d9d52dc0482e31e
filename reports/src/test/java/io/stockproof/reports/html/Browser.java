package io.stockproof.reports.html;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;

/** A headless Chromium of this machine, that looks at one page after the other. */
public final class Browser implements AutoCloseable {

  /** It misses versions of a protocol that is not used here; kept, or the level is forgotten. */
  private static final Logger SELENIUM = Logger.getLogger("org.openqa.selenium");

  private static final ObjectMapper JSON = new ObjectMapper();

  private final ChromeDriver driver;

  private Browser(Path chromium, Path chromedriver) {
    SELENIUM.setLevel(Level.SEVERE);
    ChromeOptions options = new ChromeOptions();
    options.setBinary(chromium.toFile());
    options.addArguments("--headless", "--no-sandbox", "--disable-dev-shm-usage");
    options.setCapability("goog:loggingPrefs", Map.of("browser", "ALL", "performance", "ALL"));
    driver =
        new ChromeDriver(
            new ChromeDriverService.Builder()
                .usingDriverExecutable(chromedriver.toFile())
                .usingAnyFreePort()
                .build(),
            options);
  }

  /** Starts it; empty, after a line that says so, if this machine has none. */
  public static Optional<Browser> open() {
    Optional<Path> chromium = onPath("chromium", "chromium-browser", "google-chrome");
    Optional<Path> chromedriver = onPath("chromedriver");
    if (chromium.isEmpty() || chromedriver.isEmpty()) {
      System.out.println(
          "no page was looked at: chromium and chromedriver are not both on the PATH"
              + " (Debian: apt-get install chromium chromium-driver)");
      return Optional.empty();
    }
    return Optional.of(new Browser(chromium.get(), chromedriver.get()));
  }

  private static Optional<Path> onPath(String... names) {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Stream.of(names)
        .flatMap(name -> Stream.of(path.split(File.pathSeparator)).map(dir -> Path.of(dir, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Opens a page from a file. */
  public void look(Path page, int width, boolean dark) {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", 900, "deviceScaleFactor", 1, "mobile", width < 500));
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of(
            "features",
            List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
    driver.get(page.toAbsolutePath().toUri().toString());
  }

  /** Pixels by which the page is wider than its window. */
  public long overflow() {
    return number("return document.documentElement.scrollWidth - window.innerWidth");
  }

  /** Elements that a selector finds. */
  public long count(String selector) {
    return number("return document.querySelectorAll('" + selector + "').length");
  }

  /** What a script says, as a number. */
  public long number(String script) {
    return ((Number) answer(script)).longValue();
  }

  /** What a script says, as a text. */
  public String text(String script) {
    return answer(script).toString();
  }

  private Object answer(String script) {
    Object answer = driver.executeScript(script);
    if (answer == null) {
      throw new AssertionError("no answer to " + script);
    }
    return answer;
  }

  /** What was written to the console since the last call. */
  public List<String> console() {
    return log("browser", LogEntry::getMessage);
  }

  /** Addresses that were asked for since the last call, but those of files. */
  public List<String> requests() {
    return log("performance", entry -> parsed(entry.getMessage()).path("message")).stream()
        .filter(event -> event.path("method").asText().equals("Network.requestWillBeSent"))
        .map(event -> event.path("params").path("request").path("url").asText())
        .filter(url -> !url.startsWith("file:") && !url.startsWith("data:"))
        .toList();
  }

  private static JsonNode parsed(String json) {
    try {
      return JSON.readTree(json);
    } catch (JsonProcessingException noJson) {
      throw new AssertionError(noJson);
    }
  }

  private <T> List<T> log(String name, Function<LogEntry, T> part) {
    return driver.manage().logs().get(name).getAll().stream().map(part).toList();
  }

  @Override
  public void close() {
    driver.quit();
  }
}
