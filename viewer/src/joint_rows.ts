// Limits and dry friction of joints and tendons: from the bytes of a frame, and in words. tribo why says the same words
// (cli/why_joint_row.cpp); data/why/sentences.json holds both to it.
import { fromShortFloat, isNotANumber, signed, type ByteReader } from "./bytes";
import { brief } from "./format";
import type { Header } from "./header";

const OPEN = 0;
const SLIDE = 1;
const STICK = 2;

export type JointRowKind = "limit" | "dry friction";

export interface JointRow {
  kind: JointRowKind;
  joint: number;
  place: number; // limit: −1 lower, 1 upper, 0 not known; dry friction: which degree of freedom of the joint
  state: number; // limit: open or stick; dry friction: stick or slide
  gap: number; // m or rad, limits: before the step
  bound: number; // N·s or N·m·s, dry friction: the largest impulse of the step
  impulse: number; // N·s or N·m·s
  velocity: number; // m/s or rad/s after the step
}

const DRY_FRICTION = 4;
const SAME_KEY = 8;
const SAME_NUMBERS = 16;
const NO_IMPULSE = 32;
const NO_VELOCITY = 64;
const ALL_FLAGS = 127;
const MOST_PLACE = 5; // a joint has six degrees of freedom at most

const NUMBERS = 4; // gap, bound, impulse, velocity
const GAP_UNIT = 2 ** -34;
const SPEED_UNIT = 2 ** -30;

interface WholeRow {
  flags: number;
  joint: number;
  place: number;
  low: number[];
  high: number[];
}

const keyOf = (row: WholeRow): string => `${row.flags & DRY_FRICTION}/${row.joint}/${row.place}`;

// Whether a number of a row with these flags is in the file.
function isWritten(number: number, flags: number): boolean {
  if ((flags & SAME_NUMBERS) !== 0) return false;
  if (number === 0) return (flags & DRY_FRICTION) === 0;
  if (number === 1) return (flags & DRY_FRICTION) !== 0;
  return (flags & (number === 2 ? NO_IMPULSE : NO_VELOCITY)) === 0;
}

// Remembers the rows of the frame before.
export class JointRowDecoder {
  private last: WholeRow[] = [];
  private lastOf = new Map<string, WholeRow>();

  constructor(private readonly joints: number) {}

  forget(): void {
    this.last = [];
    this.lastOf.clear();
  }

  decode(input: ByteReader): boolean {
    const count = input.varint();
    if (!input.ok || count > input.left) return false; // each takes a byte at least
    const rows: WholeRow[] = [];
    for (let i = 0; i < count; ++i) {
      const flags = input.u8();
      if ((flags & 3) > STICK || flags > ALL_FLAGS || ((flags & SAME_KEY) !== 0 && i >= this.last.length)) return false;
      rows.push({ flags, joint: 0, place: 0, low: [0, 0, 0, 0], high: [0, 0, 0, 0] });
    }
    for (let i = 0; i < count; ++i) if (!this.readKey(input, rows[i]!, i)) return false;
    const olds = rows.map((row) => this.lastOf.get(keyOf(row)));
    if (rows.some((row, i) => (row.flags & SAME_NUMBERS) !== 0 && olds[i] === undefined)) return false;
    for (let k = 0; k < NUMBERS; ++k) rows.forEach((row, i) => this.readNumber(input, row, olds[i], k));
    this.last = rows;
    this.lastOf.clear();
    for (const row of rows) if (!this.lastOf.has(keyOf(row))) this.lastOf.set(keyOf(row), row);
    return input.ok;
  }

  private readKey(input: ByteReader, row: WholeRow, i: number): boolean {
    if ((row.flags & SAME_KEY) !== 0) {
      const before = this.last[i]!;
      [row.joint, row.place] = [before.joint, before.place];
      return (before.flags & DRY_FRICTION) === (row.flags & DRY_FRICTION);
    }
    row.joint = input.varint();
    input.zigzag();
    row.place = signed(input.low, input.high);
    const [least, most] = (row.flags & DRY_FRICTION) !== 0 ? [0, MOST_PLACE] : [-1, 1];
    return input.ok && row.joint < this.joints && row.place >= least && row.place <= most;
  }

  private readNumber(input: ByteReader, row: WholeRow, old: WholeRow | undefined, k: number): void {
    const [low, high] = [old?.low[k] ?? 0, old?.high[k] ?? 0];
    if (isWritten(k, row.flags)) {
      input.zigzag();
      const sum = low + input.low;
      row.low[k] = sum >>> 0;
      row.high[k] = (high + input.high + (sum >= 2 ** 32 ? 1 : 0)) >>> 0;
    } else if ((row.flags & SAME_NUMBERS) !== 0) {
      [row.low[k], row.high[k]] = [low, high];
    }
  }

  rows(): JointRow[] {
    return this.last.map((row) => {
      const number = (k: number, unit: number): number => {
        if (isNotANumber(row.low[k]!, row.high[k]!)) return NaN;
        const whole = signed(row.low[k]!, row.high[k]!);
        return unit === 0 ? fromShortFloat(whole) : whole * unit;
      };
      return {
        kind: (row.flags & DRY_FRICTION) !== 0 ? "dry friction" : "limit",
        joint: row.joint,
        place: row.place,
        state: row.flags & 3,
        gap: number(0, GAP_UNIT),
        bound: number(1, 0),
        impulse: number(2, 0),
        velocity: number(3, SPEED_UNIT),
      };
    });
  }
}

// A row that version 3 lists as a contact without geoms. A limit has mu 0, and its impulse and speed are the last numbers. Dry
// friction has mu 1: the first numbers are its impulse and speed, the last impulse is the bound.
export function rowOfVersion3(
  joint: number,
  state: number,
  mu: number,
  gap: number,
  impulse: ArrayLike<number>,
  velocity: ArrayLike<number>,
  before: JointRow | undefined,
): JointRow {
  if (!(mu > 0))
    return { kind: "limit", joint, place: 0, state, gap, bound: 0, impulse: impulse[2]!, velocity: velocity[2]! };
  // The degrees of freedom of a joint follow one another.
  const place = before !== undefined && before.kind === "dry friction" && before.joint === joint ? before.place + 1 : 0;
  return { kind: "dry friction", joint, place, state, gap: 0, bound: impulse[2]!, impulse: impulse[0]!, velocity: velocity[0]! };
}

const DOFS: Record<string, number> = { free: 6, ball: 3, planar: 3 };
const FIRST_TURNING: Record<string, number> = { hinge: 0, ball: 0, free: 3, planar: 2 };

// N, m, m/s; N·m, rad, rad/s where the degree of freedom of the row turns.
export function unitsOf(header: Header, row: JointRow): { force: string; impulse: string; length: string; speed: string } {
  const dof = row.kind === "dry friction" ? row.place : 0;
  return dof >= (FIRST_TURNING[header.jointKinds[row.joint]!] ?? 1)
    ? { force: "N·m", impulse: "N·m·s", length: "rad", speed: "rad/s" }
    : { force: "N", impulse: "N·s", length: "m", speed: "m/s" };
}

// "lower limit of hinge elbow", "dry friction of ball hip (degree of freedom 2 of 3)"
export function jointRowName(header: Header, row: JointRow): string {
  const kind = header.jointKinds[row.joint]!;
  const joint = `${kind} ${header.joints[row.joint] || row.joint}`;
  if (row.kind === "limit") return `${row.place < 0 ? "lower limit" : row.place > 0 ? "upper limit" : "limit"} of ${joint}`;
  const dofs = DOFS[kind] ?? 1;
  return `dry friction of ${joint}${dofs > 1 ? ` (degree of freedom ${row.place + 1} of ${dofs})` : ""}`;
}

export function jointRowSentence(header: Header, row: JointRow): string {
  const units = unitsOf(header, row);
  const force = (impulse: number): string => brief(Math.abs(impulse / header.step), units.force);
  const name = jointRowName(header, row);
  if (row.kind === "limit") {
    const limit = `The ${name}`;
    if (row.state !== OPEN) return `${limit} holds with ${force(row.impulse)}.`;
    if (row.gap > 0) return `${limit} is ${brief(row.gap, units.length)} away and carries nothing.`;
    if (row.gap < 0) return `${limit} is exceeded by ${brief(-row.gap, units.length)} and carries nothing.`;
    return `${limit} is reached and carries nothing.`;
  }
  const friction = `Dry${name.slice(3)}`;
  const ofMost = `${force(row.impulse)} of at most ${force(row.bound)}`;
  if (row.state !== SLIDE) return `${friction} holds with ${ofMost}.`;
  return `${friction} is overcome: the joint moves at ${brief(Math.abs(row.velocity), units.speed)}, braked with ${ofMost}.`;
}

// A limit that holds, dry friction that is overcome.
export const isTelling = (row: JointRow): boolean => row.state === (row.kind === "limit" ? STICK : SLIDE);

// The same row in another frame: the nth of its kind, joint and place.
export interface JointRowKey {
  rowKind: JointRowKind;
  joint: number;
  place: number;
  nth: number;
}

const isOf = (row: JointRow, key: JointRowKey): boolean =>
  row.kind === key.rowKind && row.joint === key.joint && row.place === key.place;

export function keyOfRow(rows: readonly JointRow[], i: number): JointRowKey {
  const row = rows[i]!;
  const key = { rowKind: row.kind, joint: row.joint, place: row.place, nth: 0 };
  return { ...key, nth: rows.slice(0, i).filter((other) => isOf(other, key)).length };
}

// −1: it is not there.
export function findJointRow(rows: readonly JointRow[], key: JointRowKey): number {
  let left = key.nth;
  return rows.findIndex((row) => isOf(row, key) && left-- === 0);
}
