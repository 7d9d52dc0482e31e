// What the consumers' tests must have said: the good issuer broke nothing, the broken one R101.
def report(File basedir, String type) {
  def file = new File(basedir, "target/surefire-reports/TEST-com.example.${type}.xml")
  assert file.isFile(): "no report of ${type}"
  def cases = new groovy.xml.XmlSlurper().parse(file).testcase
  def failed = cases.findAll { it.failure.size() + it.error.size() > 0 }.collect { it.@name.text() }
  def skipped = cases.findAll { it.skipped.size() > 0 }.collect { it.@name.text() }
  def passed = cases.collect { it.@name.text() } - failed - skipped
  println "${type}: passed ${passed.size()}, failed ${failed}, skipped ${skipped.size()}"
  [cases: cases, failed: failed, passed: passed]
}

def good = report(basedir, "GoodIssuerTest")
assert good.failed.isEmpty()
assert "required_R101_neverMoreRowsThanStock" in good.passed
assert "verdict_isConclusive" in good.passed
assert good.passed.any { it.contains("holdsForDrawnRuns") }

def broken = report(basedir, "BrokenIssuerTest")
assert "required_R101_neverMoreRowsThanStock" in broken.failed
assert !("verdict_isConclusive" in broken.failed)
def message = broken.cases.find { it.@name == "required_R101_neverMoreRowsThanStock" }.failure.text()
assert message.contains("rows > total 1")
assert message.contains("books part here")
assert message.contains("BrokenIssuerTest#replay")
return true
