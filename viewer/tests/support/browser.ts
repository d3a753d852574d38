// Chromium for the tests: draws in software, so that a machine without a graphics card gives a picture too.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export function findChromium(): string {
  const path = process.env.CHROMIUM ?? PLACES.find(existsSync);
  if (path === undefined) throw new Error("Chromium is missing: install the package chromium, or name the program in $CHROMIUM");
  return path;
}

export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium(),
    args: [
      "--no-sandbox",
      "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader",
      "--ignore-gpu-blocklist",
      "--disable-dev-shm-usage",
    ],
  });
}

export const template = (): string => readFileSync("dist/replay.html", "utf8");

// The page as `tribo run --out` writes it.
export function fillTemplate(recording: Uint8Array): string {
  return template().replace("@TRIBO_RECORDING@", () => gzipSync(recording, { level: 9 }).toString("base64"));
}

export class Folder {
  private readonly path = mkdtempSync(join(tmpdir(), "tribo-viewer-"));
  write(name: string, content: string | Uint8Array): string {
    const path = join(this.path, name);
    writeFileSync(path, content);
    return path;
  }
  page(name: string, recording: Uint8Array): string {
    return pathToFileURL(this.write(name, fillTemplate(recording))).href;
  }
  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

export interface Watched {
  page: Page;
  troubles: string[]; // console errors and warnings, exceptions
  requests: string[];
}

export async function openPage(browser: Browser, address: string, options: BrowserContextOptions = {}): Promise<Watched> {
  const page = await browser.newPage({ viewport: { width: 900, height: 620 }, colorScheme: "light", ...options });
  const troubles: string[] = [];
  const requests: string[] = [];
  page.on("console", (message) => {
    // Software drawing is slow, and Chromium says so.
    if (["error", "warning"].includes(message.type()) && !/GPU stall|swiftshader/i.test(message.text()))
      troubles.push(message.text());
  });
  page.on("pageerror", (error) => troubles.push(error.message));
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(address);
  return { page, troubles, requests };
}

export async function untilReady(page: Page): Promise<void> {
  await page.waitForSelector("#app[data-state=ready]");
  await untilDrawn(page);
}

export async function untilDrawn(page: Page): Promise<void> {
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
}

// Into the folder that $TRIBO_SCREENSHOTS names, for people to look at.
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  const folder = process.env.TRIBO_SCREENSHOTS;
  if (folder === undefined || folder === "") return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}
