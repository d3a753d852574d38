// The side panel: what is selected, in numbers and a sentence.
import { actsOnB, stateName, type Contact } from "./contact";
import { digits, percent, plain, quantity, scientific, vector } from "./format";
import { STICK, type Frame } from "./frame";
import type { Header } from "./header";
import { isTelling, jointRowName, jointRowSentence, unitsOf, type JointRow } from "./joint_rows";
import { explain } from "./why";

export const STATUS_NAMES = [
  "solved",
  "solved, reduced",
  "iteration limit",
  "ray",
  "infeasible",
  "inconsistent equalities",
  "breakdown",
  "interrupted",
] as const;

const MOST_ROWS = 12; // of joints in the list

type Row = readonly [label: string, value: string, key?: string];

export function nameOfBody(header: Header, body: number): string {
  return header.bodies[body]!.name || (body === 0 ? "world" : `body ${body}`);
}

export function nameOfGeom(header: Header, geom: number): string {
  const { name, body } = header.geoms[geom]!;
  const owner = nameOfBody(header, body);
  if (!name || name === owner) return owner;
  return body === 0 ? name : `${owner}, ${name}`;
}

export interface Twist {
  velocity: number[]; // m/s, of the body's origin
  angular: number[]; // rad/s
}

// Mean velocities between two frames, from the poses.
export function twistBetween(before: Float64Array, now: Float64Array, body: number, seconds: number): Twist {
  const at = 7 * body;
  const velocity = [0, 1, 2].map((k) => (now[at + k]! - before[at + k]!) / seconds);
  const [w0, x0, y0, z0] = before.subarray(at + 3, at + 7) as unknown as [number, number, number, number];
  const [w1, x1, y1, z1] = now.subarray(at + 3, at + 7) as unknown as [number, number, number, number];
  // q1 · conj(q0): the turn in world axes.
  const w = w1 * w0 + x1 * x0 + y1 * y0 + z1 * z0;
  const v = [
    -w1 * x0 + x1 * w0 - y1 * z0 + z1 * y0,
    -w1 * y0 + x1 * z0 + y1 * w0 - z1 * x0,
    -w1 * z0 - x1 * y0 + y1 * x0 + z1 * w0,
  ];
  const length = Math.hypot(...v);
  const angle = 2 * Math.atan2(length, Math.abs(w)) * (w < 0 ? -1 : 1);
  return { velocity, angular: v.map((x) => (length > 0 ? ((x / length) * angle) / seconds : 0)) };
}

export class Panel {
  constructor(
    private readonly root: HTMLElement,
    private readonly header: Header,
  ) {}

  // Below the text the limits and dry friction of joints: those that hold or are overcome first.
  showNothing(text: string, jointRows: readonly JointRow[] = []): void {
    const rows = [...jointRows].sort((a, b) => Number(isTelling(b)) - Number(isTelling(a)));
    const sentences = rows.slice(0, MOST_ROWS).map((row) => jointRowSentence(this.header, row));
    if (rows.length > MOST_ROWS) sentences.push(`And ${rows.length - MOST_ROWS} more limits and dry frictions; N goes to them.`);
    this.fill("", "", [text, ...sentences], []);
    this.root.dataset.kind = "none";
  }

  showJointRow(row: JointRow, frame: Frame): void {
    const units = unitsOf(this.header, row);
    const name = jointRowName(this.header, row);
    const force = (impulse: number): string => quantity(impulse / this.header.step, units.force, 4);
    const rows: Row[] = [
      [units.force === "N" ? "Force" : "Couple", force(row.impulse), "force"],
      ["Impulse", quantity(row.impulse, units.impulse, 4), "impulse"],
      row.kind === "limit"
        ? ["To the limit", quantity(row.gap, units.length), "gap"]
        : ["Dry friction allows", force(row.bound), "allowed"],
      ["Speed", quantity(row.velocity, units.speed), "slip"],
    ];
    const title = name[0]!.toUpperCase() + name.slice(1);
    const badge = row.state === STICK ? "holds" : row.kind === "limit" ? "open" : "overcome";
    const all = [...rows, ...this.stepRows(frame)];
    this.fill(title, badge, [jointRowSentence(this.header, row)], all, stateName(row.state));
    this.root.dataset.kind = "joint";
  }

  showContact(contact: Contact, frame: Frame): void {
    const { header } = this;
    const sentences = explain(header, frame.contacts, contact.index);
    const title = `${nameOfGeom(header, contact.geomA)} ↔ ${nameOfGeom(header, contact.geomB)}`;
    this.fill(title, stateName(contact.state), sentences, [...this.contactRows(contact), ...this.stepRows(frame)]);
    this.root.dataset.kind = "contact";
  }

  private contactRows(contact: Contact): Row[] {
    const { header } = this;
    const sign = actsOnB(contact, header) ? -1 : 1;
    const onto = nameOfBody(header, header.geoms[sign < 0 ? contact.geomB : contact.geomA]!.body);
    const size = Math.hypot(...contact.force);
    return [
      ["Force", `${quantity(size, "N", 4)} on ${onto}`, "force"],
      ["along the normal", quantity(contact.normalForce, "N", 4), "normal"],
      ["across (friction)", quantity(contact.friction, "N", 4), "friction"],
      ["Cone allows", quantity(contact.allowed, "N", 4), "allowed"],
      ["Margin", marginText(contact), "margin"],
      ["Friction μ", digits(contact.mu, 3), "mu"],
      ...this.turningRows(contact),
      ["Impulse", quantity(Math.hypot(...contact.impulse), "N·s", 4), "impulse"],
      ["Gap", quantity(contact.gap, "m"), "gap"],
      ["Slip", quantity(contact.slip, "m/s"), "slip"],
      ["Point", vector(contact.point, "m", 4), "point"],
      [
        "Normal",
        vector(
          contact.normal.map((x) => sign * x),
          "",
          3,
        ),
      ],
      [
        "Force vector",
        vector(
          contact.force.map((x) => sign * x),
          "N",
          2,
        ),
        "vector",
      ],
    ];
  }

  private turningRows(contact: Contact): Row[] {
    if (!contact.turning) return [];
    const couple = (x: number): string => (Number.isNaN(x) ? "not recorded" : quantity(x, "N·m", 4));
    const rows: Row[] = [];
    if (contact.muSpin > 0)
      rows.push(["Against spinning", couple(contact.spinCouple), "spin-couple"], ["Spin", quantity(contact.spin, "rad/s"), "spin"]);
    if (contact.muRoll > 0)
      rows.push(["Against rolling", couple(contact.rollCouple), "roll-couple"], ["Roll", quantity(contact.roll, "rad/s"), "roll"]);
    return rows;
  }

  private stepRows(frame: Frame): Row[] {
    const solver = frame.solver >= 0 ? this.header.solvers[frame.solver] : undefined;
    return [
      ["Solver", `${solver === "nothing to do" ? "none was needed" : (solver ?? this.header.solver)}${frame.fallback ? ", after a fallback" : ""}`],
      ["Status of the step", `${STATUS_NAMES[frame.status]!}${frame.failedBefore > 0 ? `, in step ${frame.step - frame.failedBefore}` : ""}`],
      ["Residual", scientific(frame.worst), "residual"],
    ];
  }

  showBody(body: number, frame: Frame, twist: Twist | null, touching: number): void {
    const { header } = this;
    const data = header.bodies[body]!;
    const at = 7 * body;
    const rows: Row[] = [
      ["Mass", quantity(data.mass, "kg", 4), "mass"],
      ["Position", vector(frame.poses.subarray(at, at + 3), "m", 4), "position"],
      ["Quaternion w x y z", vector(frame.poses.subarray(at + 3, at + 7), "", 4)],
    ];
    if (twist !== null) {
      rows.push(
        ["Speed", quantity(roundedSpeed(Math.hypot(...twist.velocity)), "m/s"), "speed"],
        [header.every > 1 ? `Velocity over ${header.every} steps` : "Velocity", vector(twist.velocity, "m/s", 4), "velocity"],
        ["Angular velocity", vector(twist.angular, "rad/s", 4), "angular"],
      );
    }
    const shapes = header.geoms.filter((geom) => geom.body === body).map((geom) => geom.shape);
    rows.push(["Shape", shapes.length === 0 ? "none" : [...new Set(shapes)].join(", ")]);
    if (data.parent > 0) rows.push(["Hangs on", nameOfBody(header, data.parent)]);
    const sentence = data.moves
      ? `Touched at ${plain(touching)} ${touching === 1 ? "point" : "points"} that press.`
      : "Does not move.";
    this.fill(nameOfBody(header, body), "body", [sentence], rows);
    this.root.dataset.kind = "body";
  }

  // `state`: whose colour the badge has.
  private fill(title: string, badge: string, sentences: readonly string[], rows: readonly Row[], state = badge): void {
    const parts: HTMLElement[] = [];
    const make = (tag: string, className: string, text: string): HTMLElement => {
      const element = document.createElement(tag);
      if (className) element.className = className;
      element.textContent = text;
      return element;
    };
    if (title) {
      const head = make("h2", "selection-title", title);
      const chip = make("span", "chip", badge);
      chip.dataset.state = state;
      head.append(" ", chip);
      parts.push(head);
    }
    sentences.forEach((sentence, k) => parts.push(make("p", k === 0 ? "why" : "share", sentence)));
    if (rows.length > 0) {
      const table = make("dl", "numbers", "");
      for (const [label, value, key] of rows) {
        const cell = make("dd", "", value);
        if (key !== undefined) cell.dataset.key = key;
        table.append(make("dt", "", label), cell);
      }
      parts.push(table);
    }
    this.root.replaceChildren(...parts);
  }
}

function marginText(contact: Contact): string {
  if (Number.isNaN(contact.margin)) return "–";
  return `${contact.partial ? "at most " : ""}${percent(Math.max(0, contact.margin))}`;
}

// Poses are rounded to 6e-8: slower than that over a step of a millisecond is rest.
const roundedSpeed = (speed: number): number => (speed < 1e-4 ? 0 : speed);
