import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { App } from "../../src/app";
import { fillTemplate, Folder, keepScreenshot, launch, openPage, untilReady } from "../support/browser";
import { pulled } from "../support/scenes";

declare const window: { tribo: App };

const tribo = process.env.TRIBO ?? "";
const left = tribo === "" ? "left out: $TRIBO does not name the program tribo" : false;

const LARGEST = 3e6; // bytes
const LONGEST = 2000; // ms
const SLOWER = 2.5; // than a page with two bodies, on machines where that one takes long already

// 105 bricks, 1,000 steps: one can send the file and one need not wait for it.
test("a wall of 1,000 steps is a small page that opens quickly", { skip: left }, async (t) => {
  const scratch = mkdtempSync(join(tmpdir(), "tribo-wall-"));
  const folder = new Folder();
  const browser = await launch();
  try {
    const file = join(scratch, "wall.tribo");
    execFileSync(tribo, ["run", join("..", "scenes", "brick_wall.xml"), "--duration", "2", "--record", file, "--json"]);
    const recording = new Uint8Array(readFileSync(file));
    const bytes = Buffer.byteLength(fillTemplate(recording));
    t.diagnostic(`${bytes} bytes`);
    // The first page of a browser pays for its start; the second tells how fast this machine opens any page.
    const small = folder.page("first.html", pulled(3).finish());
    await untilReady((await openPage(browser, small)).page);
    const before = Date.now();
    await untilReady((await openPage(browser, small, { viewport: { width: 1280, height: 800 } })).page);
    const longest = Math.max(LONGEST, SLOWER * (Date.now() - before));
    const address = folder.page("wall.html", recording);
    let milliseconds = Infinity;
    // Others may be busy on this machine: the best of three counts.
    for (let k = 0; k < 3 && milliseconds >= longest; ++k) {
      const start = Date.now();
      const { page, troubles } = await openPage(browser, address, { viewport: { width: 1280, height: 800 } });
      await untilReady(page);
      milliseconds = Math.min(milliseconds, Date.now() - start);
      assert.equal(await page.getAttribute("#slider", "max"), "1000");
      await page.evaluate(() => window.tribo.player!.seek(700));
      await keepScreenshot(page, "wall");
      assert.deepEqual(troubles, []);
      await page.close();
    }
    t.diagnostic(`drawn after ${milliseconds} ms, allowed ${longest} ms`);
    assert.ok(bytes < LARGEST, `${bytes} bytes`);
    assert.ok(milliseconds < longest, `${milliseconds} ms, allowed ${longest} ms`);
  } finally {
    await browser.close();
    folder.remove();
    rmSync(scratch, { recursive: true, force: true });
  }
});
