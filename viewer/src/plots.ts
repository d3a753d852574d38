// Plots over time, one strip per number, drawn on canvas; a line marks the moment that is shown. Click or drag to go there.
import { digits, quantity, scientific } from "./format";
import { READINGS_VERSION } from "./frame";
import type { Recording, SeriesName } from "./recording";

interface PlotSpec {
  series: string; // its name in the page
  at?: (recording: Recording, frame: number) => number; // where it is not a series of the recording
  title: string;
  hint: string;
  log: boolean;
  zero: boolean; // the axis begins at zero
  show: (value: number) => string;
  tell?: (recording: Recording, frame: number) => string; // instead of show, of the moment
}

const count = (value: number): string => digits(value, Math.max(1, String(Math.round(value)).length));

const SPECS: readonly PlotSpec[] = [
  {
    series: "contacts",
    title: "Contacts",
    hint: "Contacts between shapes listed in a step, open ones too",
    log: false,
    zero: true,
    show: count,
  },
  {
    series: "effort",
    at: ({ series }, frame) => series.pivots.at(frame) + series.sweeps.at(frame),
    title: "Pivots and sweeps",
    hint: "Work of the solver in a step",
    log: false,
    zero: true,
    show: count,
    tell: ({ series }, frame) => `${series.pivots.at(frame)} + ${series.sweeps.at(frame)}`,
  },
  {
    series: "worst",
    title: "Certificate",
    hint: "Largest residual of a step, checked without the solver",
    log: true,
    zero: false,
    show: scientific,
  },
  { series: "energy", title: "Energy", hint: "Kinetic and potential", log: false, zero: false, show: (x) => quantity(x, "J", 4) },
  {
    series: "overlap",
    title: "Overlap",
    hint: "Deepest overlap of two bodies before a step",
    log: false,
    zero: true,
    show: (x) => quantity(x, "m"),
  },
  {
    series: "seconds",
    title: "Time per step",
    hint: "Wall time of a step",
    log: true,
    zero: false,
    show: (x) => quantity(x, "s"),
  },
];

const COLLISION: PlotSpec = {
  series: "pairs",
  title: "Collision",
  hint: "Pairs of geoms whose boxes meet, of these: distances computed, pairs with contacts",
  log: false,
  zero: true,
  show: count,
  tell: ({ series }, frame) => `${series.pairs.at(frame)} · ${series.distances.at(frame)} · ${series.manifolds.at(frame)}`,
};

// One strip per number of a sensor.
function specsOfSensors(recording: Recording): PlotSpec[] {
  const specs: PlotSpec[] = [];
  for (const { name, unit, size } of recording.header!.sensors) {
    for (let k = 0; k < size; ++k) {
      const series = recording.sensors[specs.length]!;
      specs.push({
        series: `sensor ${specs.length}`,
        at: (_, frame) => series.at(frame),
        title: size === 1 ? name : `${name}[${k}]`,
        hint: unit === "" ? "Sensor" : `Sensor, in ${unit}`,
        log: false,
        zero: false,
        show: (x) => quantity(x, unit, 4),
      });
    }
  }
  return specs;
}

const HEIGHT = 46;
const PAD = 3;
const MANY_SENSORS = 12; // numbers; with more of them they are folded at first

class Plot {
  readonly root: HTMLElement;
  private readonly canvas = document.createElement("canvas");
  private readonly cursor = document.createElement("div");
  private readonly value: HTMLElement;
  private readonly range: HTMLElement;

  constructor(
    private readonly spec: PlotSpec,
    private readonly recording: Recording,
    seek: (time: number) => void,
    private readonly tolerance: number,
  ) {
    this.root = document.createElement("figure");
    this.root.className = "plot";
    this.root.dataset.series = spec.series;
    const caption = document.createElement("figcaption");
    const title = document.createElement("span");
    title.textContent = spec.title;
    title.title = spec.hint;
    this.value = document.createElement("output");
    this.range = document.createElement("small");
    caption.append(title, this.range, this.value);
    const area = document.createElement("div");
    area.className = "plot-area";
    this.cursor.className = "plot-cursor";
    this.canvas.setAttribute("role", "img");
    area.append(this.canvas, this.cursor);
    this.root.append(caption, area);
    const go = (event: PointerEvent): void => {
      const box = area.getBoundingClientRect();
      const share = Math.max(0, Math.min(1, (event.clientX - box.left) / box.width));
      seek(this.start + share * (this.end - this.start));
    };
    area.addEventListener("pointerdown", (event) => {
      area.setPointerCapture(event.pointerId);
      go(event);
    });
    area.addEventListener("pointermove", (event) => {
      if (event.buttons !== 0) go(event);
    });
  }

  private get start(): number {
    return this.recording.time(0);
  }
  private get end(): number {
    return this.recording.time(this.recording.frames - 1);
  }

  private at(frame: number): number {
    if (this.spec.at !== undefined) return this.spec.at(this.recording, frame);
    return this.recording.series[this.spec.series as SeriesName].at(frame);
  }

  setFrame(frame: number): void {
    const span = this.end - this.start;
    this.cursor.style.left = `${span > 0 ? (100 * (this.recording.time(frame) - this.start)) / span : 0}%`;
    this.value.textContent = this.spec.tell?.(this.recording, frame) ?? this.spec.show(this.at(frame));
  }

  // Limits and dry friction of joints are no contacts; their number stands beside.
  setJoints(frame: number, joints: number): void {
    if (joints > 0) this.value.textContent = `${this.spec.show(this.at(frame))} + ${joints} of joints`;
  }

  // Each column of pixels shows the least and the largest value of its frames: no peak is lost.
  draw(): void {
    const width = this.canvas.parentElement!.clientWidth;
    if (width === 0) return;
    const ratio = Math.min(2, devicePixelRatio);
    const w = Math.round(width * ratio);
    const h = Math.round(HEIGHT * ratio);
    this.canvas.width = w;
    this.canvas.height = h;
    const low = new Float64Array(w).fill(Infinity);
    const high = new Float64Array(w).fill(-Infinity);
    const span = Math.max(this.end - this.start, 1e-300);
    const { frames } = this.recording;
    const scale = (value: number): number => (this.spec.log ? (value > 0 ? Math.log10(value) : NaN) : value);
    for (let i = frames > 1 ? 1 : 0; i < frames; ++i) {
      // frame 0 has no step
      const y = scale(this.at(i));
      if (!Number.isFinite(y)) continue;
      const x = Math.min(w - 1, Math.floor(((this.recording.time(i) - this.start) / span) * w));
      low[x] = Math.min(low[x]!, y);
      high[x] = Math.max(high[x]!, y);
    }
    this.paint(low, high, w, h, ratio);
  }

  private paint(low: Float64Array, high: Float64Array, w: number, h: number, ratio: number): void {
    let least = Infinity;
    let most = -Infinity;
    for (let x = 0; x < w; ++x) {
      least = Math.min(least, low[x]!);
      most = Math.max(most, high[x]!);
    }
    const style = getComputedStyle(this.root);
    const context = this.canvas.getContext("2d")!;
    context.clearRect(0, 0, w, h);
    if (!(least <= most)) {
      this.range.textContent = this.spec.log ? "0 throughout" : "";
      this.canvas.setAttribute("aria-label", `${this.spec.title}: nothing to plot`);
      return;
    }
    const [from, to] = [least, most];
    const limit = this.spec.series === "worst" && this.tolerance > 0 ? Math.log10(this.tolerance) : NaN;
    if (limit > most) most = limit;
    if (this.spec.zero) least = Math.min(0, least);
    if (most - least < 1e-9 * Math.max(1e-300, Math.abs(most))) {
      const room = this.spec.log ? 1 : Math.max(Math.abs(most), 1e-12);
      [least, most] = this.spec.zero ? [least, least + Math.max(1, room)] : [least - 0.5 * room, most + 0.5 * room];
    }
    const pad = PAD * ratio;
    const y = (value: number): number => h - pad - ((value - least) / (most - least)) * (h - 2 * pad);
    context.lineWidth = 1.25 * ratio;
    context.lineJoin = "round";
    context.strokeStyle = style.getPropertyValue("--plot");
    context.fillStyle = style.getPropertyValue("--plot-fill");
    context.beginPath();
    let first = -1;
    let last = -1;
    for (let x = 0; x < w; ++x) {
      if (low[x]! > high[x]!) continue;
      if (first < 0) context.moveTo(x + 0.5, y(high[x]!));
      else context.lineTo(x + 0.5, y(high[x]!));
      if (high[x]! > low[x]!) context.lineTo(x + 0.5, y(low[x]!));
      if (first < 0) first = x;
      last = x;
    }
    context.stroke();
    context.lineTo(last + 0.5, h);
    context.lineTo(first + 0.5, h);
    context.fill();
    if (!Number.isNaN(limit)) {
      context.strokeStyle = style.getPropertyValue("--limit");
      context.setLineDash([4 * ratio, 3 * ratio]);
      context.beginPath();
      context.moveTo(0, y(limit));
      context.lineTo(w, y(limit));
      context.stroke();
      context.setLineDash([]);
    }
    const show = (value: number): string => this.spec.show(this.spec.log ? 10 ** value : value);
    this.range.textContent = from === to ? show(from) : `${show(from)} … ${show(to)}`;
    this.canvas.setAttribute("aria-label", `${this.spec.title} over time, ${this.range.textContent}`);
  }
}

export class Plots {
  private readonly plots: Plot[];
  private readonly sensors: Plot[];
  private frame = 0;

  constructor(
    private readonly root: HTMLElement,
    recording: Recording,
    seek: (time: number) => void,
  ) {
    const make = (spec: PlotSpec): Plot => new Plot(spec, recording, seek, recording.header!.tolerance);
    const steps = (recording.version >= READINGS_VERSION ? [...SPECS, COLLISION] : SPECS).map(make);
    this.sensors = specsOfSensors(recording).map(make);
    this.plots = [...steps, ...this.sensors];
    root.replaceChildren(...steps.map((plot) => plot.root), ...this.makeSensorPanel());
  }

  // Sensors can be many: they fold away, and are drawn when they are seen.
  private makeSensorPanel(): HTMLElement[] {
    if (this.sensors.length === 0) return [];
    const details = document.createElement("details");
    details.id = "sensors";
    details.open = this.sensors.length <= MANY_SENSORS;
    const summary = document.createElement("summary");
    summary.textContent = this.sensors.length === 1 ? "Sensor" : `Sensors (${this.sensors.length} numbers)`;
    details.append(summary, ...this.sensors.map((plot) => plot.root));
    details.addEventListener("toggle", () => this.draw());
    return [details];
  }

  setFrame(frame: number): void {
    this.frame = frame;
    for (const plot of this.plots) plot.setFrame(frame);
  }

  setJoints(joints: number): void {
    this.plots.find((plot) => plot.root.dataset.series === "contacts")?.setJoints(this.frame, joints);
  }

  draw(): void {
    if (this.root.clientWidth === 0) return; // the sheet is closed
    for (const plot of this.plots) plot.draw();
  }
}
