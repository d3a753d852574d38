// What the keys do.
import type { App, ShowButton } from "./app";
import { plainKey, type KeyAction } from "./keys";

const TEN = 10; // frames at once
const TURN = 0.12; // rad per key

const SHOW: Record<string, ShowButton> = { c: "show-points", f: "show-forces", v: "show-cones", x: "show-glass" };
const TURNS: Record<string, [around: number, up: number]> = { a: [-TURN, 0], d: [TURN, 0], w: [0, TURN], s: [0, -TURN] };

const oneOf =
  (...keys: string[]) =>
  (event: KeyboardEvent): boolean =>
    keys.includes(event.key);

export function makeActions(app: App, openFile: () => void): KeyAction[] {
  const seek = (frame: number): void => {
    app.player?.pause();
    app.player?.seek(frame);
  };
  return [
    { keys: "space", text: "play or pause", match: oneOf(" "), run: () => app.player?.toggle() },
    {
      keys: "← →",
      text: "one frame; with shift ten",
      match: oneOf("ArrowLeft", "ArrowRight"),
      run: (e) => app.transport.move((e.key === "ArrowLeft" ? -1 : 1) * (e.shiftKey ? TEN : 1)),
    },
    {
      keys: "home end",
      text: "first and last frame",
      match: oneOf("Home", "End"),
      run: (e) => seek(e.key === "Home" ? 0 : (app.player?.end ?? 0)),
    },
    {
      keys: "↑ ↓",
      text: "faster, slower",
      match: oneOf("ArrowUp", "ArrowDown"),
      run: (e) => app.player?.changeSpeed(e.key === "ArrowUp" ? 1 : -1),
    },
    {
      keys: "N",
      text: "next contact, strongest first; with shift the one before",
      match: plainKey("n"),
      run: (e) => app.nextContact(e.shiftKey ? -1 : 1),
    },
    { keys: "esc", text: "select nothing", match: plainKey("Escape"), run: () => app.select(null) },
    {
      keys: "C F V X",
      text: "contacts, forces, cones, see through",
      match: (e) => e.key.toLowerCase() in SHOW,
      run: (e) => app.toggle(SHOW[e.key.toLowerCase()]!),
    },
    {
      keys: "A D W S",
      text: "turn the camera",
      match: (e) => e.key.toLowerCase() in TURNS,
      run: (e) => app.stage.orbit.turn(...TURNS[e.key.toLowerCase()]!),
    },
    { keys: "R", text: "show all", match: plainKey("r"), run: () => app.showAll() },
    { keys: "B", text: "the camera follows the selected body", match: plainKey("b"), run: () => app.toggleFollow() },
    { keys: "T", text: "light or dark", match: plainKey("t"), run: () => app.themes.toggle() },
    { keys: "G", text: "shapes for collision only", match: plainKey("g"), run: () => app.toggle("show-hulls") },
    { keys: "O", text: "open a recording", match: plainKey("o"), run: openFile },
    { keys: "?", text: "these keys", match: plainKey("?"), run: () => app.showHelp() },
  ];
}
