import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import type { App } from "../../src/app";
import { Recording } from "../../src/recording";
import { launch, openPage, template, untilReady } from "../support/browser";
import { pulled } from "../support/scenes";

const tribo = process.env.TRIBO ?? "";
const left = tribo === "" ? "left out: $TRIBO does not name the program tribo" : false;

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

// The real program serves a run that goes on: the page grows with it and knows when it is over.
test("live: tribo view of a run that goes on", { skip: left }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "tribo-live-"));
  const file = join(folder, "x.tribo");
  const scene = join("..", "scenes", "box_stack.xml");
  const run = spawn(tribo, ["run", scene, "--duration", "600", "--every", "20", "--record", file], { stdio: "ignore" });
  const ended = new Promise((done) => run.once("exit", done));
  let view: ChildProcess | null = null;
  try {
    while (!existsSync(file) || statSync(file).size < 20000) await new Promise((done) => setTimeout(done, 50));
    view = spawn(tribo, ["view", file, "--seconds", "120"], { stdio: ["ignore", "pipe", "inherit"] });
    const address = await new Promise<string>((found) => {
      let text = "";
      view!.stdout!.on("data", (piece: Buffer) => {
        text += String(piece);
        const match = /http:\/\/127\.0\.0\.1:\d+\//.exec(text);
        if (match !== null) found(match[0]);
      });
    });
    const { page, troubles, requests } = await openPage(browser, address);
    await untilReady(page);
    assert.equal(await page.getAttribute("#live", "aria-pressed"), "true");
    const before = await page.evaluate(() => window.tribo.player!.end);
    await page.waitForFunction((end) => window.tribo.player!.frame > end, before);
    run.kill("SIGINT"); // the run writes its end mark
    await ended;
    await page.waitForSelector("#live", { state: "hidden" });
    const frames = Recording.parse(new Uint8Array(readFileSync(file))).frames;
    await page.waitForFunction((count) => window.tribo.player!.frame === count - 1, frames);
    assert.equal(await page.isVisible("#banner"), false);
    assert.deepEqual(troubles, []);
    assert.ok(requests.every((url) => url.startsWith(address) || url.startsWith("data:")));
    await page.close();
  } finally {
    run.kill("SIGKILL");
    view?.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
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
