import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import type { App } from "../../src/app";
import { launch, openPage, template, untilReady } from "../support/browser";
import { pulled } from "../support/scenes";

declare const window: { tribo: App };

// What `tribo view` answers, over a recording that grows on demand.
class LiveServer {
  bytes: Uint8Array = new Uint8Array(0);
  done = false;
  readonly asked: string[] = [];
  private readonly server: Server = createServer((request, reply) => {
    const url = new URL(request.url!, "http://localhost");
    this.asked.push(request.url!);
    if (url.pathname === "/") return reply.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(template());
    if (url.pathname !== "/recording") return reply.writeHead(404).end();
    const from = Number(url.searchParams.get("from"));
    if (from > this.bytes.length) return reply.writeHead(416).end();
    reply.writeHead(200, { "content-type": "application/octet-stream", "X-Tribo-Done": this.done ? "1" : "0" });
    return reply.end(this.bytes.subarray(from, from + 3000)); // in small pieces
  });
  async start(): Promise<string> {
    await new Promise<void>((ready) => this.server.listen(0, "127.0.0.1", ready));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }
  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

let browser: Browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

// The page follows a simulation that runs, lets the user look back, and ends when the recording ends.
test("live: follows a growing recording to its end", async () => {
  const encoder = pulled(90);
  const whole = encoder.finish();
  const server = new LiveServer();
  const address = await server.start();
  try {
    server.bytes = whole.subarray(0, 200); // not even the header
    const { page, troubles, requests } = await openPage(browser, address);
    await page.waitForFunction(() => performance.getEntriesByType("resource").length > 1);
    server.bytes = whole.subarray(0, encoder.ends[9]! + 11);
    await untilReady(page);
    await page.waitForFunction(() => window.tribo.player!.frame === 9);
    assert.equal(await page.getAttribute("#live", "aria-pressed"), "true");
    server.bytes = whole.subarray(0, encoder.ends[49]!);
    await page.waitForFunction(() => window.tribo.player!.frame === 49);
    // Looking back stops following; more frames come all the same.
    await page.keyboard.press("Home");
    server.bytes = whole.subarray(0, encoder.ends[69]!);
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>("#slider")!.max === "69");
    assert.equal(await page.evaluate(() => window.tribo.player!.frame), 0);
    assert.equal(await page.getAttribute("#live", "aria-pressed"), "false");
    await page.click("#live");
    await page.waitForFunction(() => window.tribo.player!.frame === 69);
    server.bytes = whole;
    server.done = true;
    await page.waitForFunction(() => window.tribo.player!.frame === 89);
    await page.waitForSelector("#live", { state: "hidden" });
    assert.equal(await page.isVisible("#banner"), false);
    const count = server.asked.length;
    await page.waitForTimeout(700);
    assert.equal(server.asked.length, count, "a finished recording is not asked for again");
    assert.deepEqual(troubles, []);
    assert.ok(
      requests.every((url) => url.startsWith(address) || url.startsWith("data:")),
      requests.join(),
    );
    await page.close();
  } finally {
    server.stop();
  }
});

// The simulation was killed: what was written plays; then another run begins in the same file.
test("live: a stopped writer and a new file", async () => {
  const encoder = pulled(20);
  const whole = encoder.finish();
  const server = new LiveServer();
  const address = await server.start();
  try {
    server.bytes = whole.subarray(0, encoder.ends[14]! + 40);
    const { page } = await openPage(browser, address);
    await untilReady(page);
    await page.waitForFunction(() => window.tribo.player!.frame === 14);
    server.bytes = pulled(5).out.bytes;
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>("#slider")!.max === "4");
    server.done = true;
    await page.waitForSelector("#banner:not([hidden])");
    assert.match(await page.locator("#banner").innerText(), /without its end mark/);
    await page.close();
  } finally {
    server.stop();
  }
});
