import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { keepScreenshot, launch, openPage } from "../support/browser";

const tribo = process.env.TRIBO ?? "";
const left = tribo === "" ? "left out: $TRIBO does not name the program tribo" : false;

// A report of studies on a phone: tables scroll by themselves, the page does not.
test("a study report fits a phone", { skip: left }, async () => {
  const scratch = mkdtempSync(join(tmpdir(), "tribo-report-"));
  const browser = await launch();
  try {
    const file = join(scratch, "report.html");
    execFileSync(tribo, ["study", "lloyd-2005", "--quick", "--report", file], { stdio: "ignore" });
    const phone = { viewport: { width: 390, height: 760 }, isMobile: true, hasTouch: true };
    const { page, requests } = await openPage(browser, pathToFileURL(file).href, phone);
    await page.evaluate(() => document.querySelectorAll("details").forEach((details) => (details.open = true)));
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
    const widths = await page.evaluate(() => Array.from(document.querySelectorAll("table"), (t) => [t.clientWidth, t.scrollWidth]));
    assert.ok(widths.length > 2 && widths.every(([shown]) => shown! <= 390), JSON.stringify(widths));
    assert.deepEqual(requests, [pathToFileURL(file).href]);
    await keepScreenshot(page, "report-phone");
    await page.close();
  } finally {
    await browser.close();
    rmSync(scratch, { recursive: true, force: true });
  }
});
