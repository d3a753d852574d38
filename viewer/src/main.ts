// Where the recording comes from: inside the page, from the program that serves it, or from a file the user gives.
import { App } from "./app";
import { acceptFiles } from "./drop";
import { BadRecording } from "./header";
import { fromBase64, unpack } from "./inflate";
import { LiveSource } from "./live";
import { Messages } from "./messages";
import { Recording } from "./recording";

let live: LiveSource | null = null;

const openFile = acceptFiles((file) => void openBytes(async () => new Uint8Array(await file.arrayBuffer()), file.name));
const messages = new Messages(() => openFile());

function describe(error: unknown): string {
  if (error instanceof BadRecording) return error.message;
  return `Something went wrong in this page: ${error instanceof Error ? error.message : String(error)}`;
}

function makeApp(): App | null {
  try {
    return new App(messages, () => openFile());
  } catch (error) {
    const hint = /webgl/i.test(String(error))
      ? "This browser cannot draw in three dimensions: WebGL 2 is off or missing."
      : describe(error);
    messages.fail("Nothing can be drawn", hint);
    return null;
  }
}

const app = makeApp();

async function openBytes(read: () => Promise<Uint8Array>, name: string): Promise<void> {
  if (app === null) return;
  try {
    const recording = Recording.parse(await unpack(await read()));
    if (recording.frames === 0) throw new BadRecording(`This recording holds no frame that can be played: ${recording.ending}.`);
    live?.stop();
    live = null;
    app.setLive(false);
    app.open(recording);
    noteEnding(recording);
  } catch (error) {
    const title = `${name || "This recording"} cannot be played`;
    // What plays already goes on.
    if (app.player !== null) messages.note(`${title}. ${describe(error)}`);
    else messages.fail(title, describe(error));
  }
}

// What is missing at the end is said once, and does not keep the rest from playing.
function noteEnding(recording: Recording): void {
  const text = recording.ending;
  messages.note(text ? `Not complete: plays up to the last good frame. ${text[0]!.toUpperCase()}${text.slice(1)}.` : "");
}

function follow(viewer: App): void {
  let recording = new Recording();
  let opened = false;
  const source = new LiveSource("recording", {
    bytes(more, done) {
      try {
        const fresh = recording.append(more);
        if (!opened && recording.frames > 0) {
          opened = true;
          viewer.open(recording);
          viewer.setLive(true);
          viewer.player!.follow();
        } else if (fresh > 0) viewer.grew();
        if (recording.damage || done) finish(done && recording.frames === 0);
      } catch (error) {
        source.stop();
        messages.fail("This recording cannot be played", describe(error));
      }
    },
    restart() {
      recording = new Recording();
      opened = false;
    },
    trouble(what) {
      if (opened) messages.note(what);
      else if (what) messages.fail("Nothing to show yet", what);
    },
  });
  const finish = (empty: boolean): void => {
    source.stop();
    viewer.setLive(false);
    if (viewer.player) viewer.player.following = false;
    if (empty) messages.fail("This recording cannot be played", "It ends before its first frame.");
    else noteEnding(recording);
  };
  live = source;
  source.start();
}

const inside = document.getElementById("recording")!.textContent!.trim();
const placeholder = inside.startsWith("@") || inside === "";
if (app !== null) {
  if (!placeholder) void openBytes(async () => fromBase64(inside), "");
  else if (location.protocol.startsWith("http")) follow(app);
  else messages.fail("Tribo replay", "Open a recording that was made with: tribo run SCENE --record FILE");
}

document.getElementById("cut")?.remove(); // of guard.js: this page is here as a whole

// For those who embed the page, and for its tests.
declare global {
  interface Window {
    tribo: App | null;
  }
}
window.tribo = app;
