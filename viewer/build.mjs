// Bundles the page into one file, dist/replay.html; with --tests also the tests, into build/tests.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
process.chdir(here);

const bundle = async (entry, loader) => {
  const result = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: ["es2022", "chrome105", "firefox113", "safari16.4"],
    charset: "utf8",
    legalComments: "none",
    loader,
  });
  return result.outputFiles[0].text.trim();
};

const js = await bundle("src/main.ts", {});
const guard = await bundle("src/guard.js", {});
const css = await bundle("src/style.css", {});
// Only this script and this style run, and nothing comes from elsewhere; a served page may ask its own server for the recording.
const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const csp = [
  "default-src 'none'",
  `script-src ${hash(guard)} ${hash(js)}`,
  `style-src ${hash(css)}`,
  "img-src data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");
const notice = `<!--\nTribo replay page. Contains three.js:\n\n${readFileSync("node_modules/three/LICENSE", "utf8").trim()}\n-->\n`;
const page = readFileSync("src/page.html", "utf8")
  .replace("<title>", () => `${notice}<title>`)
  .replace("@CSP@", () => csp)
  .replace("@CSS@", () => css)
  .replace("@GUARD@", () => guard)
  .replace("@JS@", () => js);
if (page.split("@TRIBO_RECORDING@").length !== 2) throw new Error("the placeholder must be in the page exactly once");
mkdirSync("dist", { recursive: true });
writeFileSync("dist/replay.html", page);
console.log(`dist/replay.html: ${Math.round(page.length / 1000)} kB`);

if (process.argv.includes("--tests")) {
  rmSync("build/tests", { recursive: true, force: true });
  const tests = ["unit", "browser"].flatMap((kind) =>
    readdirSync(`tests/${kind}`)
      .filter((name) => name.endsWith(".test.ts"))
      .map((name) => `tests/${kind}/${name}`),
  );
  await build({
    entryPoints: tests,
    outbase: "tests",
    outdir: "build/tests",
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node18",
    packages: "external",
    sourcemap: "inline",
  });
}
