package io.stockproof.reports.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.stockproof.verification.rules.Rule;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The page as a real browser shows it; skipped, with a line that says so, where there is none. */
final class PageInBrowserTest {

  @TempDir static Path folder;
  private static Optional<Browser> opened = Optional.empty();

  private static Browser browser() {
    return opened.orElseThrow();
  }

  @BeforeAll
  static void openTheBrowser() throws Exception {
    opened = Browser.open();
    if (opened.isEmpty()) {
      System.out.println("skipped: pages in a browser: no browser on the PATH");
      abort("no browser on the PATH");
    }
    HtmlReport.write(SampleRun.of(11, "plain"), folder.resolve("index.html"));
    HtmlReport.write(SampleRun.of(11, SampleRun.HOSTILE), folder.resolve("hostile.html"));
  }

  @AfterAll
  static void closeTheBrowser() {
    opened.ifPresent(Browser::close);
  }

  @ParameterizedTest
  @CsvSource({
    "index.html,400,false",
    "index.html,1280,false",
    "index.html,2000,true",
    "hostile.html,400,true",
    "hostile.html,1280,false"
  })
  void fitsItsWindowAsksForNothingAndComplainsOfNothing(String page, int width, boolean dark) {
    browser().look(folder.resolve(page), width, dark);

    assertThat(browser().overflow()).isLessThanOrEqualTo(0);
    assertThat(browser().console()).isEmpty();
    assertThat(browser().requests()).isEmpty();
    assertThat(browser().count("table.matrix tr[data-rule]")).isEqualTo(Rule.values().length);
    assertThat(browser().count("figure svg.lanes")).isPositive();
    assertThat(browser().count("img, iframe, object, link[href^=http], script[src]")).isZero();
    assertThat(browser().count("script")).isEqualTo(1);
  }

  @Test
  void aPageThatAsksForSomethingWouldBeSeen() throws Exception {
    String picture;
    try (ServerSocket nobody = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      picture = "http://127.0.0.1:" + nobody.getLocalPort() + "/picture.png";
    }
    Path page = Files.writeString(folder.resolve("asks.html"), "<img src='" + picture + "'>");

    browser().look(page, 400, false);

    assertThat(browser().requests()).containsExactly(picture);
    assertThat(browser().console()).singleElement().asString().contains(picture);
  }

  @Test
  void isReadInLightAndInDark() {
    String paper = "return getComputedStyle(document.body).backgroundColor";

    browser().look(folder.resolve("index.html"), 1280, false);
    String light = browser().text(paper);
    browser().look(folder.resolve("index.html"), 1280, true);

    assertThat(browser().text(paper)).isNotEqualTo(light);
  }

  @Test
  void isBuiltForThoseWhoCannotSeeIt() {
    browser().look(folder.resolve("index.html"), 1280, false);

    assertThat(browser().count("main")).isEqualTo(1);
    assertThat(browser().count("h1")).isEqualTo(1);
    assertThat(browser().count("nav[aria-label]")).isEqualTo(1);
    assertThat(browser().count("svg:not([aria-hidden]):not([role=img][aria-label])")).isZero();
    assertThat(browser().count("th:not([scope])")).isZero();
    assertThat(browser().count(".scroll:not([tabindex])")).isZero();
    assertThat(browser().text(duplicateIds())).isEmpty();
  }

  private static String duplicateIds() {
    return "const ids = [...document.querySelectorAll('[id]')].map(e => e.id);"
        + "return ids.filter((id, i) => ids.indexOf(id) !== i).join(' ')";
  }

  @Test
  void aBrokenCellLeadsToItsPicture() {
    browser().look(folder.resolve("index.html"), 1280, false);

    String dead =
        "return [...document.querySelectorAll('a[href^=\"#\"]')].map(a => a.getAttribute('href'))"
            + ".filter(to => !document.getElementById(to.slice(1))).join(' ')";

    assertThat(browser().text(dead)).isEmpty();
    assertThat(browser().count("table.matrix td a")).isEqualTo(11);
  }
}
