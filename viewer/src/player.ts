// Time: which frame is shown, and how it moves on.
import type { Recording } from "./recording";

export const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10] as const;
const LONGEST = 0.1; // s; after a pause of the page playing goes on where it was

export class Player {
  frame = 0;
  playing = false;
  speed = 1;
  following = false; // a running simulation: the newest frame is shown
  onChange: () => void = () => {};
  private time = 0;
  private last = 0;

  constructor(private readonly recording: Recording) {}

  get end(): number {
    return this.recording.frames - 1;
  }

  // By hand; stops following unless it is to the end.
  seek(frame: number): void {
    this.following = false;
    this.show(Math.max(0, Math.min(this.end, Math.round(frame))));
  }

  seekTime(time: number): void {
    this.seek(this.frameAt(time));
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  play(): void {
    if (this.playing || this.end < 1) return;
    if (this.frame >= this.end) this.show(0);
    this.playing = true;
    this.following = false;
    this.time = this.recording.time(this.frame);
    this.last = performance.now();
    this.onChange();
    requestAnimationFrame((now) => this.tick(now));
  }

  pause(): void {
    if (!this.playing) return;
    this.playing = false;
    this.onChange();
  }

  follow(): void {
    this.playing = false;
    this.following = true;
    this.show(this.end);
  }

  // Faster or slower by one.
  changeSpeed(by: number): void {
    const at = SPEEDS.findIndex((speed) => speed >= this.speed);
    this.speed = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, (at < 0 ? SPEEDS.length : at) + by))]!;
    this.onChange();
  }

  // The last frame that is not later than `time`.
  frameAt(time: number): number {
    let low = 0;
    let high = this.end;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.recording.time(middle) <= time + 1e-12) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  private show(frame: number): void {
    this.frame = frame;
    this.time = this.recording.time(frame);
    this.onChange();
  }

  private tick(now: number): void {
    if (!this.playing) return;
    this.time += this.speed * Math.min(LONGEST, Math.max(0, (now - this.last) / 1000));
    this.last = now;
    const frame = this.frameAt(this.time);
    if (frame >= this.end && this.time >= this.recording.time(this.end)) this.playing = false;
    if (frame !== this.frame || !this.playing) {
      this.frame = frame;
      this.onChange();
    }
    if (this.playing) requestAnimationFrame((next) => this.tick(next));
  }
}
