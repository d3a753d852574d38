import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import type { App } from "../../src/app";
import { fillTemplate, Folder, keepScreenshot, launch, openPage, template, untilDrawn, untilReady } from "../support/browser";
import { readPng, type Picture } from "../support/png";
import { crowd, falling, jointed, pulled, PULLED, pulledFrame, zoo, sensed } from "../support/scenes";

declare const window: { tribo: App };

const folder = new Folder();
let browser: Browser;
before(async () => {
  browser = await launch();
});
after(async () => {
  await browser.close();
  folder.remove();
});

const FRAMES = 60;
const replay = folder.page("pulled.html", pulled(FRAMES).finish());

const shown = (page: Page): Promise<number> => page.evaluate(() => window.tribo.player!.frame);
const seek = async (page: Page, frame: number): Promise<void> => {
  await page.evaluate((f) => window.tribo.player!.seek(f), frame);
  await untilDrawn(page);
};
const picture = async (page: Page): Promise<Picture> => readPng(await page.screenshot());
const seen = (page: Page, point: number[]): Promise<{ x: number; y: number }> =>
  page.evaluate((p) => window.tribo.stage.project(p), point);
const text = (page: Page, selector: string): Promise<string> =>
  page
    .locator(selector)
    .innerText()
    .then((found) => found.replaceAll("\u202f", " "));

// The scene is really drawn: each box has its colour where it must be, and not where it is not.
test("draws the bodies where they are, without a console error or a request", async () => {
  const { page, troubles, requests } = await openPage(browser, replay);
  await untilReady(page);
  await page.keyboard.press("c");
  await page.keyboard.press("f");
  const isRed = ([r, g, b]: number[]): boolean => r! > 1.6 * g! && r! > 1.6 * b!;
  const isBlue = ([r, g, b]: number[]): boolean => b! > 1.5 * r! && b! > 1.3 * g!;
  const top = (x: number, y: number): Promise<{ x: number; y: number }> => seen(page, [x, y, 0.2]);
  for (const frame of [0, 59]) {
    await seek(page, frame);
    const image = await picture(page);
    const red = await top(0.004 * frame, 0);
    const blue = await top(0.2, 0.5);
    assert.ok(isRed(image.at(red.x, red.y)), `frame ${frame}: ${image.at(red.x, red.y)} is red`);
    assert.ok(isBlue(image.at(blue.x, blue.y)), `frame ${frame}: ${image.at(blue.x, blue.y)} is blue`);
  }
  // Where the red box began, there is floor at the end.
  const image = await picture(page);
  const begin = await top(-0.085, 0);
  assert.ok(!isRed(image.at(begin.x, begin.y)), `${image.at(begin.x, begin.y)} is floor`);
  assert.deepEqual(troubles, []);
  assert.deepEqual(
    requests.filter((url) => !url.startsWith("data:")),
    [replay],
  );
  assert.equal(await page.title(), "test scene – Tribo");
  await page.close();
});

// Time by slider, buttons and keys; the clock, the slider and the picture follow.
test("slider, buttons and keys move time", async () => {
  const { page, troubles } = await openPage(browser, replay);
  await untilReady(page);
  const press = async (key: string, frame: number): Promise<void> => {
    await page.keyboard.press(key);
    assert.equal(await shown(page), frame, key);
    assert.equal(await page.inputValue("#slider"), String(frame), key);
  };
  await press("ArrowRight", 1);
  await press("Shift+ArrowRight", 11);
  await press("ArrowLeft", 10);
  await press("End", FRAMES - 1);
  await press("ArrowRight", FRAMES - 1);
  await press("Shift+ArrowLeft", FRAMES - 11);
  await press("Home", 0);
  await page.locator("#slider").fill("30");
  assert.equal(await shown(page), 30);
  assert.equal(await text(page, "#clock"), "0.30 s");
  await page.click("#forth");
  assert.equal(await shown(page), 31);
  const plot = (await page.locator('[data-series="energy"] .plot-area').boundingBox())!;
  await page.mouse.click(plot.x + 0.5 * plot.width, plot.y + 10);
  assert.ok(Math.abs((await shown(page)) - 0.5 * (FRAMES - 1)) <= 1);
  // Space plays to the end and stops there.
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press(" ");
  assert.equal(await page.getAttribute("#play", "aria-label"), "Pause");
  await page.waitForFunction((end) => window.tribo.player!.frame === end && !window.tribo.player!.playing, FRAMES - 1);
  assert.equal(await page.getAttribute("#play", "aria-label"), "Play");
  assert.deepEqual(troubles, []);
  await page.close();
});

// The numbers beside a contact are those that were written into the recording, and the sentence fits its state.
test("a click on a contact shows its force", async () => {
  const { page, troubles } = await openPage(browser, replay);
  await untilReady(page);
  await seek(page, 25);
  const click = async (i: number): Promise<void> => {
    const at = await seen(page, pulledFrame(25).contacts[i]!.point);
    await page.mouse.click(at.x, at.y);
    await untilDrawn(page);
  };
  const value = (key: string): Promise<string> => text(page, `#selection [data-key=${key}]`);
  await click(0);
  assert.equal(await value("force"), `${Math.hypot(PULLED.normal, PULLED.friction).toFixed(2)} N on red_box`);
  assert.equal(await value("normal"), "19.62 N");
  assert.equal(await value("friction"), "9.810 N");
  assert.equal(await value("mu"), "0.500");
  assert.equal(await value("slip"), "400 mm/s");
  assert.match(await text(page, ".why"), /^Slides at 400 mm\/s: .* 9\.81 N \(mu 0\.5 × 19\.6 N\)/);
  assert.match(await text(page, "#tag"), /^21\.9 N$/);
  await keepScreenshot(page, "contact");
  await click(1);
  assert.equal(await value("friction"), "3.250 N");
  assert.equal(await value("margin"), "67 %");
  assert.match(await text(page, ".why"), /^Sticks with 67 % margin: it needs 3\.25 N of friction, and the cone allows 9\.81 N/);
  // The selection stays with its contact in time; at frame 0 there are no contacts.
  await page.keyboard.press("Home");
  assert.match(await text(page, ".why"), /not listed at this time/);
  await page.keyboard.press("ArrowRight");
  assert.match(await text(page, ".why"), /^Sticks with 67 % margin/);
  await seek(page, 25);
  await click(2);
  assert.match(await text(page, ".why"), /^Is open by 1\.2 mm, closing at 200 mm\/s\./);
  await page.keyboard.press("Escape");
  assert.equal(await page.getAttribute("#selection", "data-kind"), "none");
  assert.deepEqual(troubles, []);
  await page.close();
});

// Bodies: mass from the header, velocity from the poses.
test("a click on a body shows its motion", async () => {
  const { page } = await openPage(browser, replay);
  await untilReady(page);
  await seek(page, 30);
  const at = await seen(page, [0.12 + 0.02, 0.02, 0.2]);
  await page.mouse.click(at.x, at.y);
  assert.match(await text(page, ".selection-title"), /^red_box/);
  assert.equal(await text(page, "[data-key=mass]"), "2.000 kg");
  assert.equal(await text(page, "[data-key=speed]"), "400 mm/s");
  assert.equal(await text(page, "[data-key=position]"), "0.1200, 0.0000, 0.1000 m");
  await page.close();
});

// Every shape of the format is drawn: something other than the floor is where it lies.
test("draws every kind of shape", async () => {
  const { page, troubles } = await openPage(browser, folder.page("zoo.html", zoo()));
  await untilReady(page);
  await keepScreenshot(page, "shapes");
  const image = await picture(page);
  const heights = [0.2, 0.2, 0.2, 0.2, 0.2, 0.25, 0.1];
  for (let i = 0; i < heights.length; ++i) {
    const at = await seen(page, [0.4 * i + (i === 5 ? 0.05 : 0), i === 5 ? 0.05 : 0, heights[i]!]);
    const [r, g, b] = image.at(at.x, at.y);
    assert.ok(Math.max(r, g, b) - Math.min(r, g, b) > 25, `shape ${i} has colour: ${[r, g, b]}`);
  }
  assert.deepEqual(troubles, []);
  await page.close();
});

// Dark and light change page and scene; the system decides first.
test("dark and light", async () => {
  const { page } = await openPage(browser, replay, { colorScheme: "dark" });
  await untilReady(page);
  await seek(page, 25);
  const brightness = async (): Promise<number[]> => {
    const image = await picture(page);
    return [image.at(300, 90), image.at(880, 600)].map(([r, g, b]) => (r + g + b) / 3);
  };
  for (const value of await brightness()) assert.ok(value < 60, `dark: ${value}`);
  await keepScreenshot(page, "dark");
  await page.keyboard.press("t");
  await untilDrawn(page);
  for (const value of await brightness()) assert.ok(value > 200, `light: ${value}`);
  await page.close();
});

// A phone: nothing is cut off, the panel comes as a sheet, fingers work.
test("a phone-sized window", async () => {
  const { page, troubles } = await openPage(browser, replay, {
    viewport: { width: 390, height: 760 },
    hasTouch: true,
    isMobile: true,
  });
  await untilReady(page);
  await seek(page, 25);
  assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 390);
  assert.equal(await page.isVisible("#plots"), false);
  const at = await seen(page, pulledFrame(25).contacts[0]!.point);
  await page.touchscreen.tap(at.x, at.y);
  await page.waitForSelector("#tag", { state: "visible" });
  assert.equal(await text(page, "#tag"), "21.9 N");
  // The sentence stands below the scene at once; the plots come with the button.
  await page.waitForSelector(".why", { state: "visible" });
  assert.match(await text(page, ".why"), /^Slides at 400 mm\/s/);
  assert.equal(await page.isVisible("#plots"), false);
  await page.waitForTimeout(300);
  const sheet = (await page.locator("#selection").boundingBox())!;
  assert.ok(sheet.y + 40 < 760 && sheet.height > 60, `the sheet is in the window: ${JSON.stringify(sheet)}`);
  await keepScreenshot(page, "phone-peek");
  await page.tap("#sheet");
  await page.waitForSelector("#plots canvas", { state: "visible" });
  assert.equal(await page.getAttribute("#sheet", "aria-expanded"), "true");
  assert.match(await text(page, ".why"), /^Slides/);
  await page.waitForTimeout(300);
  await keepScreenshot(page, "phone");
  assert.deepEqual(troubles, []);
  await page.close();
});

// A body that fell out of the picture: R shows it where it is now, and the camera can go along with it.
test("show all and follow at the time that is shown", async () => {
  const { page, troubles } = await openPage(browser, folder.page("falls.html", falling(40)));
  await untilReady(page);
  const inside = async (point: number[]): Promise<boolean> => {
    const { x, y } = await seen(page, point);
    return x > 0 && x < 900 && y > 0 && y < 620;
  };
  const last = [0, 0, -39];
  await seek(page, 39);
  assert.equal(await inside(last), false, "the body left the picture");
  await page.keyboard.press("r");
  await untilDrawn(page);
  assert.equal(await inside(last), true, "R shows all");
  // Back at the start, with the body selected, the camera follows.
  await seek(page, 0);
  await page.keyboard.press("r");
  await untilDrawn(page);
  const at = await seen(page, [0, 0, 0]);
  await page.mouse.click(at.x, at.y);
  assert.match(await text(page, ".selection-title"), /^faller/);
  await page.keyboard.press("b");
  assert.equal(await page.getAttribute("#follow", "aria-pressed"), "true");
  await seek(page, 39);
  const now = await seen(page, last);
  await untilDrawn(page);
  assert.ok(await inside(last), `the camera follows: ${JSON.stringify(now)}`);
  await page.keyboard.press("b");
  await seek(page, 20);
  assert.equal(await inside([0, 0, -20]), false, "it stays when it is told to");
  assert.deepEqual(troubles, []);
  await page.close();
});

// N never selects something that cannot be seen: the camera turns to it.
test("the next contact comes into view", async () => {
  const { page } = await openPage(browser, replay);
  await untilReady(page);
  await seek(page, 25);
  await page.evaluate(() => {
    const { orbit } = window.tribo.stage;
    orbit.controls.target.x += 50;
    orbit.camera.position.x += 50;
    orbit.controls.update();
  });
  await page.keyboard.press("n");
  await untilDrawn(page);
  await untilDrawn(page);
  const { x, y } = await seen(page, pulledFrame(25).contacts[0]!.point);
  assert.ok(x > 0 && x < 560 && y > 0 && y < 620, `${x}, ${y}`);
  assert.equal(await page.isVisible("#tag"), true);
  await page.close();
});

// Each number of a sensor has a strip with name, value and unit; what collision looked at has one too. Older recordings have neither.
test("sensors and collision are shown over time", async () => {
  const { page } = await openPage(browser, folder.page("sensors.html", sensed(8)));
  await untilReady(page);
  await seek(page, 2);
  assert.equal(await text(page, "#sensors summary"), "Sensors (4 numbers)");
  const strip = (k: number): Promise<string> => text(page, `[data-series="sensor ${k}"] figcaption`);
  assert.match(await strip(0), /^tip force\[0\].*500.0\s*mN$/s);
  assert.match(await strip(1), /^tip force\[1\].*−2.000\s*kN$/s);
  assert.match(await strip(3), /^biceps activation.*0.2500$/s);
  assert.equal(await text(page, '[data-series="pairs"] output'), "7 · 5 · 3");
  await seek(page, 3);
  assert.match(await strip(2), /not a number$/);
  const drawn = await page.evaluate(() => document.querySelector<HTMLCanvasElement>('[data-series="sensor 0"] canvas')!.width);
  assert.ok(drawn > 100);
  await page.close();
  const old = await openPage(browser, folder.page("no-sensors.html", jointed(4)));
  await untilReady(old.page);
  assert.equal(await old.page.locator("#sensors").count(), 0);
  assert.equal(await old.page.locator('[data-series="pairs"]').count(), 0);
  await old.page.close();
});

// Limits and dry friction of joints are no contacts: the legend, the plot and tribo why count them apart, the panel lists them
// with the names of their joints, and N goes to them after the contacts. Recordings of version 3 show the same.
for (const version of [3, 4, 5]) {
  test(`rows of joints are counted apart and listed, version ${version}`, async () => {
    const { page } = await openPage(browser, folder.page(`joints${version}.html`, jointed(version)));
    await untilReady(page);
    await seek(page, 1);
    assert.equal(await text(page, "#joints"), "joints 2");
    assert.equal(await text(page, '[data-series="contacts"] output'), "1 + 2 of joints");
    assert.match(await text(page, "#legend"), /sticks\s*1\s*slides\s*0\s*open\s*0/);
    const limit = `${version === 3 ? "" : "upper "}limit of hinge hinge_1`;
    const list = await text(page, "#selection");
    assert.match(list, new RegExp(`The ${limit} holds with 10 N·m\\.`));
    assert.match(list, /Dry friction of hinge hinge_1 is overcome: the joint moves at 300 mrad\/s, braked with 5 N·m of at most 5 N·m\./);
    await page.keyboard.press("n");
    assert.match(await text(page, "#selection .selection-title"), /↔/);
    await page.keyboard.press("n");
    assert.match(await text(page, "#selection .selection-title"), /Dry friction of hinge hinge_1\s+overcome/);
    assert.equal(await text(page, '#selection [data-key="allowed"]'), "5.000 N·m");
    await page.keyboard.press("n");
    assert.match(await text(page, "#selection .selection-title"), new RegExp(`${limit.slice(1)}\\s+holds`));
    await page.keyboard.press("n");
    assert.match(await text(page, "#selection .selection-title"), /↔/);
    await page.close();
  });
}

// Cut off anywhere, even within its own script, the page says so and is not empty.
test("a page that was cut off says so", async () => {
  const whole = fillTemplate(pulled(5).finish());
  const places = [whole.indexOf("</script>") + 9, whole.indexOf("</style>") - 50, whole.indexOf("<canvas"), whole.length - 5000];
  places.push(whole.indexOf('<script id="recording"') + 60, whole.lastIndexOf("<script>") + 300, whole.length - 40);
  for (const place of places) {
    const { page } = await openPage(browser, `file://${folder.write("short.html", whole.slice(0, place))}`);
    await page.waitForSelector("#cut", { state: "visible", timeout: 5000 });
    assert.match(await text(page, "#cut"), /not complete.*tribo run SCENE --out FILE/, `cut at byte ${place}`);
    await page.close();
  }
});

// Without JavaScript there is a sentence.
test("a page without JavaScript says what it needs", async () => {
  const { page } = await openPage(browser, replay, { javaScriptEnabled: false });
  assert.match(await page.locator("noscript").innerText(), /needs JavaScript/);
  await page.close();
});

// Truncated and damaged files: what is good plays, and a sentence says what is not.
test("a truncated recording plays and says so", async () => {
  const encoder = pulled(FRAMES);
  const bytes = encoder.finish().subarray(0, encoder.ends[40]! + 33);
  const { page, troubles } = await openPage(browser, folder.page("cut.html", bytes));
  await untilReady(page);
  assert.match(
    await text(page, "#banner"),
    /^Not complete: plays up to the last good frame\. Frame 41, at byte \d+: is cut off\./,
  );
  await page.keyboard.press("End");
  assert.equal(await shown(page), 40);
  await page.click("#banner button");
  assert.equal(await page.isVisible("#banner"), false);
  assert.deepEqual(troubles, []);
  await page.close();
});

test("a broken recording gives a message, and another can be opened", async () => {
  const bytes = pulled(3).finish();
  bytes[30]! ^= 1;
  const { page, troubles } = await openPage(browser, folder.page("broken.html", bytes));
  await page.waitForSelector("#card:not([hidden])");
  assert.match(await text(page, "#card"), /header of this recording is damaged: its checksum does not fit/);
  await keepScreenshot(page, "broken");
  const give = (path: string): Promise<void> => page.setInputFiles("#file", path);
  await give(folder.write("notes.txt", "no recording"));
  await page.waitForFunction(() => /notes\.txt cannot be played/.test(document.querySelector("#card h2")!.textContent!));
  await give(folder.write("good.tribo", pulled(9).finish()));
  await untilReady(page);
  assert.equal(await page.isVisible("#card"), false);
  assert.equal(await page.getAttribute("#slider", "max"), "8");
  // With a recording open, a bad file changes nothing but says so.
  await give(folder.write("worse.txt", "no recording either"));
  await page.waitForSelector("#banner:not([hidden])");
  assert.match(await text(page, "#banner"), /^worse\.txt cannot be played\. This is not a recording of Tribo/);
  assert.equal(await page.getAttribute("#slider", "max"), "8");
  // Dropped on the page.
  await page.evaluate(
    (list) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(list)], "dropped.tribo"));
      document.body.dispatchEvent(new DragEvent("dragenter", { dataTransfer: data, bubbles: true }));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    },
    Array.from(pulled(5).finish()),
  );
  await page.waitForFunction(() => document.querySelector<HTMLInputElement>("#slider")!.max === "4");
  assert.equal(await page.isVisible("#drop"), false);
  assert.equal(await page.isVisible("#banner"), false);
  assert.deepEqual(troubles, []);
  await page.close();
});

// Opened from disk without a recording: says what to do, asks nothing of the network; and could not if it wanted.
test("an empty page asks for a file, and the page can reach nothing", async () => {
  const { page } = await openPage(browser, `file://${folder.write("empty.html", template())}`);
  await page.waitForSelector("#card:not([hidden])");
  assert.match(await text(page, "#card"), /tribo run SCENE --record FILE/);
  let replies = 0;
  page.on("response", () => ++replies);
  const refused = await page.evaluate(async () => {
    const seenBy: string[] = [];
    document.addEventListener("securitypolicyviolation", (event) => seenBy.push(event.effectiveDirective));
    await fetch("https://example.invalid/").catch(() => undefined);
    const image = document.createElement("img");
    image.src = "https://example.invalid/x.png";
    document.body.append(image);
    await new Promise((done) => setTimeout(done, 200));
    return seenBy;
  });
  assert.deepEqual(refused.sort(), ["connect-src", "img-src"]);
  assert.equal(replies, 0);
  await page.close();
});

// 500 bodies: equal shapes are drawn at once, and a new frame costs the page a small part of 1/60 s.
test("500 bodies take few draw calls and little time", async (t) => {
  const { page, troubles } = await openPage(browser, folder.page("crowd.html", crowd(500, 40)));
  await untilReady(page);
  const { calls, milliseconds } = await page.evaluate(() => {
    const { player, stage } = window.tribo;
    const times: number[] = [];
    for (let k = 0; k < 36; ++k) {
      const start = performance.now();
      player!.seek(k + 1);
      times.push(performance.now() - start);
    }
    times.sort((a, b) => a - b);
    return { calls: stage.drawCalls, milliseconds: times[18]! };
  });
  // Playing, every picture a new frame. Software draws it in a second; what the page itself needs for it must leave room for 60
  // pictures per second where a graphics card draws.
  const { rate, busy } = await page.evaluate(async () => {
    const { player } = window.tribo;
    const original = globalThis.requestAnimationFrame.bind(globalThis);
    const costs: number[] = [];
    let spent = 0;
    globalThis.requestAnimationFrame = (callback) =>
      original((now) => {
        const start = performance.now();
        callback(now);
        spent += performance.now() - start;
      });
    player!.seek(1);
    player!.play();
    const times: number[] = [];
    await new Promise<void>((done) => {
      const tick = (now: number): void => {
        times.push(now);
        costs.push(spent);
        spent = 0;
        if (!player!.playing) player!.play();
        if (times.length < 12) original(tick);
        else done();
      };
      original(tick);
    });
    player!.pause();
    globalThis.requestAnimationFrame = original;
    costs.sort((a, b) => a - b);
    return { rate: (1000 * (times.length - 1)) / (times[times.length - 1]! - times[0]!), busy: costs[6]! };
  });
  t.diagnostic(`${calls} draw calls, ${milliseconds} ms per seek; playing ${busy} ms of the page per picture, ${rate} per second here`);
  assert.ok(busy < 1000 / 60, `the page needs ${busy} ms per picture while it plays`);
  assert.ok(calls < 30, `${calls} draw calls`);
  assert.ok(milliseconds < 8, `${milliseconds} ms per frame`);
  await untilDrawn(page);
  await keepScreenshot(page, "crowd");
  assert.deepEqual(troubles, []);
  await page.close();
});
