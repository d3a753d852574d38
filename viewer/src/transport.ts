// The bar below the scene: slider, play, speed, clock, and whether this step is certified.
import { clock, scientific } from "./format";
import { STATUS_NAMES } from "./panel";
import { SPEEDS, type Player } from "./player";
import type { Recording } from "./recording";

const byId = <T extends HTMLElement = HTMLElement>(id: string): T => document.getElementById(id) as T;
const CERTIFIED = 1; // statuses up to this one: solved, solved and reduced

export class Transport {
  private readonly slider = byId<HTMLInputElement>("slider");
  private readonly play = byId("play");
  private readonly speed = byId<HTMLSelectElement>("speed");
  private readonly live = byId("live");
  private recording: Recording | null = null;
  private player: Player | null = null;

  constructor() {
    this.slider.addEventListener("input", () => {
      this.player?.pause();
      this.player?.seek(this.slider.valueAsNumber);
    });
    this.play.addEventListener("click", () => this.player?.toggle());
    byId("back").addEventListener("click", () => this.move(-1));
    byId("forth").addEventListener("click", () => this.move(1));
    this.live.addEventListener("click", () => this.player?.follow());
    for (const speed of SPEEDS) this.speed.add(new Option(`${speed}×`, String(speed)));
    this.speed.addEventListener("change", () => {
      if (this.player) this.player.speed = Number(this.speed.value);
      this.speed.blur();
    });
  }

  attach(recording: Recording, player: Player): void {
    this.recording = recording;
    this.player = player;
    this.grew();
  }

  // By frames; playing stops.
  move(by: number): void {
    this.player?.pause();
    this.player?.seek(this.player.frame + by);
  }

  setLive(running: boolean): void {
    this.live.hidden = !running;
  }

  grew(): void {
    if (this.recording === null) return;
    this.slider.max = String(Math.max(0, this.recording.frames - 1));
    this.drawMarks();
  }

  update(): void {
    const { recording, player } = this;
    if (recording === null || player === null) return;
    const { frame, end } = player;
    const step = recording.header!.step;
    const text = clock(recording.time(frame), step);
    this.slider.value = String(frame);
    this.slider.style.setProperty("--fill", `${end > 0 ? (100 * frame) / end : 0}%`);
    this.slider.setAttribute("aria-valuetext", `${text}, frame ${frame} of ${end}`);
    byId("clock").textContent = text;
    byId("frame-of").textContent = `of ${clock(recording.time(end), step)} · frame ${frame} of ${end}`;
    byId<HTMLButtonElement>("back").disabled = frame === 0;
    byId<HTMLButtonElement>("forth").disabled = frame === end;
    this.play.setAttribute("aria-label", player.playing ? "Pause" : "Play");
    this.play.querySelector("use")!.setAttribute("href", player.playing ? "#i-pause" : "#i-play");
    this.live.setAttribute("aria-pressed", String(player.following));
    this.speed.value = String(player.speed);
    const chip = byId("certified");
    const status = recording.series.status.at(frame);
    chip.dataset.state = status <= CERTIFIED ? "good" : "bad";
    chip.textContent =
      status <= CERTIFIED
        ? `certified ${scientific(recording.series.worst.at(frame))}`
        : `not certified: ${STATUS_NAMES[status] ?? "unknown"}`;
  }

  // Steps that were not certified, as red ticks over the slider.
  drawMarks(): void {
    const { recording } = this;
    const canvas = byId<HTMLCanvasElement>("marks");
    if (recording === null) return;
    canvas.width = Math.max(1, canvas.clientWidth * Math.min(2, devicePixelRatio));
    canvas.height = 6;
    const context = canvas.getContext("2d")!;
    context.fillStyle = getComputedStyle(canvas).getPropertyValue("--bad");
    for (let i = 0; i < recording.frames; ++i) {
      if (recording.series.status.at(i) <= CERTIFIED) continue;
      context.fillRect((i / Math.max(1, recording.frames - 1)) * (canvas.width - 2), 0, 2, 6);
    }
  }
}
