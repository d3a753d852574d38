// Frames from bytes: poses and contacts as differences to the frame before (docs/file-formats.md, section 5).
import { ByteReader, fromShortFloat, isNotANumber, signed } from "./bytes";
import { BadRecording, type Header } from "./header";
import { JointRowDecoder, rowOfVersion3, type JointRow } from "./joint_rows";
import { NO_READINGS, ReadingDecoder, type Readings } from "./readings";

export const OPEN = 0;
export const SLIDE = 1;
export const STICK = 2;

// Numbers of a contact, in the order of the file.
export const POINT = 0;
export const NORMAL = 3;
export const GAP = 6;
export const IMPULSE = 7;
export const MU = 10;
export const VELOCITY = 11;
export const TURNING_MU = 14; // mu_spin, mu_roll
export const COUPLE = 16;
export const TURNING = 19;
export const NUMBERS = 22;

export const FIXED_BYTES = 72;

const SAME_PAIR = 4;
const SAME_CONTACT = 8;
const SAME_NORMAL = 16;
const NO_IMPULSE = 32;
const SAME_MU = 64;
const NO_VELOCITY = 128;
// Of the numbers of turning.
const NO_COUPLE = 1;
const SAME_TURNING_MU = 2;
const NO_TURNING = 4;

const POSE_UNIT = 2 ** -24;
const POINT_UNIT = 2 ** -20;
const GAP_UNIT = 2 ** -34;
const SPEED_UNIT = 2 ** -30;

export const VERSION = 5; // of the format that is written
export const READINGS_VERSION = 5; // the first with sensors and counts of collision
// In versions before, limits and dry friction are listed as contacts without geoms.
export const JOINT_ROWS_VERSION = 4;

// Contacts of one moment. Pair: geom a, geom b.
export interface Contacts {
  count: number;
  state: Uint8Array;
  pair: Int32Array;
  place: Int32Array; // among the contacts of the same pair that follow one another
  numbers: Float64Array;
}

export interface Frame {
  key: boolean;
  fallback: boolean;
  // Status, fallback, work, residual, overlap and time are the worst since the frame before.
  status: number;
  failedBefore: number; // how many steps before this one the status is of; 255: at least
  solver: number; // index into the header's solvers; −1: unknown
  pivots: number;
  sweeps: number;
  step: number;
  time: number;
  worst: number;
  overlap: number;
  loopError: number;
  energy: number;
  seconds: number;
  readings: Readings;
  poses: Float64Array; // per body: x, y, z, w, x, y, z
  contacts: Contacts;
  jointRows: JointRow[]; // limits and dry friction of joints
}

// The fixed part: what the plots need of every frame.
export function readFixed(content: Uint8Array): Omit<Frame, "readings" | "poses" | "contacts" | "jointRows"> & { contactCount: number } {
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  const flags = view.getUint8(0);
  return {
    key: (flags & 1) !== 0,
    fallback: (flags & 2) !== 0,
    status: view.getUint8(1),
    solver: view.getUint8(2) - 1,
    failedBefore: view.getUint8(3),
    contactCount: view.getUint32(4, true),
    pivots: view.getUint32(8, true),
    sweeps: view.getUint32(12, true),
    step: view.getUint32(16, true) + view.getInt32(20, true) * 2 ** 32,
    time: view.getFloat64(24, true),
    worst: view.getFloat64(32, true),
    overlap: view.getFloat64(40, true),
    loopError: view.getFloat64(48, true),
    energy: view.getFloat64(56, true),
    seconds: view.getFloat64(64, true),
  };
}

// Whole numbers of the contacts of one frame; grows and is used again.
class ContactPage {
  count = 0;
  state = new Uint8Array(0);
  flags = new Uint8Array(0);
  turning = new Uint8Array(0); // flags of those numbers
  pair = new Int32Array(0);
  place = new Int32Array(0);
  low = new Uint32Array(0);
  high = new Uint32Array(0);

  resize(count: number): void {
    this.count = count;
    if (count <= this.flags.length) return;
    const room = Math.max(16, 2 * count);
    this.state = new Uint8Array(room);
    this.flags = new Uint8Array(room);
    this.turning = new Uint8Array(room);
    this.pair = new Int32Array(3 * room);
    this.place = new Int32Array(room);
    this.low = new Uint32Array(NUMBERS * room);
    this.high = new Uint32Array(NUMBERS * room);
  }
}

// Remembers the frame before: frames must come one after the other, or begin with a key frame.
export class FrameDecoder {
  private readonly poseLow: Uint32Array;
  private readonly poseHigh: Uint32Array;
  private now = new ContactPage();
  private last = new ContactPage();
  private guess = new Int32Array(0); // index in `last`; −1: the contact before in this frame; −2: zeros
  private readonly firstOf = new Map<number, number>();
  private readonly jointRows: JointRowDecoder;
  private readonly readingDecoder: ReadingDecoder;
  private readings = NO_READINGS;

  constructor(
    private readonly header: Header,
    private readonly version = VERSION,
  ) {
    this.jointRows = new JointRowDecoder(header.joints.length);
    this.readingDecoder = new ReadingDecoder(header.sensors);
    this.poseLow = new Uint32Array(7 * header.bodies.length);
    this.poseHigh = new Uint32Array(7 * header.bodies.length);
  }

  decode(content: Uint8Array): Frame {
    const fixed = this.advance(content);
    const jointRows = this.version < JOINT_ROWS_VERSION ? this.makeOldJointRows() : this.jointRows.rows();
    return { ...fixed, readings: this.readings, poses: this.makePoses(), contacts: this.makeContacts(), jointRows };
  }

  // The whole numbers only: for frames on the way to another.
  advance(content: Uint8Array): ReturnType<typeof readFixed> {
    this.turnPage();
    const fixed = readFixed(content);
    if (fixed.status > 7) throw new BadRecording("there is no such status");
    if (fixed.solver >= this.header.solvers.length) throw new BadRecording("there is no such solver in the header");
    const input = new ByteReader(content);
    input.at = FIXED_BYTES;
    if (this.version >= READINGS_VERSION) {
      const readings = this.readingDecoder.decode(input, fixed.key);
      if (readings === null) throw new BadRecording("the numbers of sensors do not fit the header");
      this.readings = readings;
    }
    if (fixed.key) {
      this.forget();
      const state = 8 * (this.header.nq + this.header.nv + 13 * this.header.kinematic);
      if (state > input.left) throw new BadRecording("the state is longer than the frame");
      input.at += state;
    }
    if (!this.decodePoses(input)) throw new BadRecording("the poses do not fit the bodies of the header");
    if (!this.decodeContacts(input)) throw new BadRecording("the contacts do not fit the header");
    if (this.now.count !== fixed.contactCount) throw new BadRecording("holds another number of contacts than it says");
    if (this.version >= JOINT_ROWS_VERSION && !this.jointRows.decode(input))
      throw new BadRecording("the limits and dry friction do not fit the joints of the header");
    if (input.left !== 0) throw new BadRecording("is longer than what it says it holds");
    return fixed;
  }

  private forget(): void {
    this.poseLow.fill(0);
    this.poseHigh.fill(0);
    this.last.count = 0;
    this.firstOf.clear();
    this.jointRows.forget();
  }

  private decodePoses(input: ByteReader): boolean {
    const bodies = this.header.bodies.length;
    const count = input.varint();
    if (count > bodies) return false;
    for (let i = 0, next = 0; i < count; ++i) {
      const skip = input.varint();
      if (skip >= bodies - next) return false;
      const body = next + skip;
      next = body + 1;
      for (let k = 7 * body; k < 7 * next; ++k) {
        input.zigzag();
        const sum = this.poseLow[k]! + input.low;
        this.poseLow[k] = sum;
        this.poseHigh[k] = this.poseHigh[k]! + input.high + (sum >= 2 ** 32 ? 1 : 0);
      }
    }
    return input.ok;
  }

  private makePoses(): Float64Array {
    const poses = new Float64Array(this.poseLow.length);
    for (let k = 0; k < poses.length; ++k) {
      const low = this.poseLow[k]!;
      const high = this.poseHigh[k]!;
      poses[k] = isNotANumber(low, high) ? NaN : signed(low, high) * POSE_UNIT;
    }
    for (let k = 3; k < poses.length; k += 7) {
      const length = Math.hypot(poses[k]!, poses[k + 1]!, poses[k + 2]!, poses[k + 3]!);
      // Rounding leaves the length a little off; a body that was never written has none.
      for (let j = k; j < k + 4 && length > 0; ++j) poses[j] = poses[j]! / length;
    }
    return poses;
  }

  private decodeContacts(input: ByteReader): boolean {
    const count = input.varint();
    if (count > input.left) return false; // each takes a byte at least
    this.now.resize(count);
    if (this.guess.length < count) this.guess = new Int32Array(2 * count);
    for (let i = 0; i < count; ++i) if (!this.readFlags(input, i)) return false;
    for (let i = 0; i < count; ++i) if (!this.readPair(input, i)) return false;
    const { flags, turning } = this.now;
    for (const column of COLUMNS) for (let i = 0; i < count; ++i) this.readColumn(input, i, flags, column);
    if (!this.header.turning) return input.ok;
    for (let i = 0; i < count; ++i) if ((flags[i]! & SAME_CONTACT) === 0) turning[i] = input.u8();
    for (const column of TURNING_COLUMNS) for (let i = 0; i < count; ++i) this.readColumn(input, i, turning, column);
    return input.ok;
  }

  private readFlags(input: ByteReader, i: number): boolean {
    const flags = input.u8();
    this.now.flags[i] = flags;
    this.now.state[i] = flags & 3;
    return (flags & 3) <= STICK && !(i === 0 && (flags & (SAME_PAIR | SAME_NORMAL)) !== 0);
  }

  // The pair, and the old contact that the numbers are differences to.
  private readPair(input: ByteReader, i: number): boolean {
    const { pair, place, flags } = this.now;
    const at = 3 * i;
    if ((flags[i]! & SAME_PAIR) !== 0) {
      pair.copyWithin(at, at - 3, at);
    } else {
      const geoms = this.header.geoms.length;
      if (this.version >= JOINT_ROWS_VERSION) {
        for (let k = 0; k < 2; ++k) {
          const index = input.varint();
          if (index >= geoms) return false;
          pair[at + k] = index;
        }
        pair[at + 2] = -1;
      } else {
        const counts = [geoms, geoms, this.header.joints.length];
        for (let k = 0; k < 3; ++k) {
          const index = input.varint();
          if (index > counts[k]!) return false;
          pair[at + k] = index - 1;
        }
        const geomless = pair[at]! < 0 && pair[at + 1]! < 0;
        if (geomless ? pair[at + 2]! < 0 : pair[at]! < 0 || pair[at + 1]! < 0) return false;
      }
    }
    const again = i > 0 && samePair(pair, at, pair, at - 3);
    place[i] = again ? place[i - 1]! + 1 : 0;
    const first = this.firstOf.get(this.pairKey(pair, at));
    const old = first === undefined ? -1 : first + place[i]!;
    const known = old >= 0 && old < this.last.count && samePair(this.last.pair, 3 * old, pair, at);
    if (!known && (flags[i]! & SAME_CONTACT) !== 0) return false;
    this.guess[i] = known ? old : i > 0 ? -1 : -2;
    return input.ok;
  }

  private readColumn(input: ByteReader, i: number, which: Uint8Array, { first, count, leftOut, instead }: Column): void {
    const { flags, low, high } = this.now;
    const guess = this.guess[i]!;
    const same = (flags[i]! & SAME_CONTACT) !== 0;
    const written = !same && (which[i]! & leftOut) === 0;
    const source = same || written || instead === "old" ? guess : instead === "before" ? -1 : -2;
    const from = source >= 0 ? this.last : this.now;
    const base = NUMBERS * (source >= 0 ? source : i - 1);
    for (let k = first, at = NUMBERS * i + first; k < first + count; ++k, ++at) {
      low[at] = source === -2 ? 0 : from.low[base + k]!;
      high[at] = source === -2 ? 0 : from.high[base + k]!;
      if (!written) continue;
      input.zigzag();
      const sum = low[at]! + input.low;
      low[at] = sum;
      high[at] = high[at]! + input.high + (sum >= 2 ** 32 ? 1 : 0);
    }
  }

  private makeContacts(): Contacts {
    const all = this.makeRows();
    if (this.version >= JOINT_ROWS_VERSION) return all;
    const listed = Array.from({ length: all.count }, (_, i) => i).filter((i) => this.now.pair[3 * i]! >= 0);
    const numbers = new Float64Array(NUMBERS * listed.length);
    listed.forEach((i, k) => numbers.set(all.numbers.subarray(NUMBERS * i, NUMBERS * (i + 1)), NUMBERS * k));
    return {
      count: listed.length,
      state: Uint8Array.from(listed, (i) => all.state[i]!),
      pair: Int32Array.from(listed.flatMap((i) => [all.pair[2 * i]!, all.pair[2 * i + 1]!])),
      place: Int32Array.from(listed, (i) => all.place[i]!),
      numbers,
    };
  }

  private makeOldJointRows(): JointRow[] {
    const { state, numbers } = this.makeRows();
    const rows: JointRow[] = [];
    for (let i = 0; i < this.now.count; ++i) {
      if (this.now.pair[3 * i]! >= 0) continue;
      const at = NUMBERS * i;
      const three = (k: number): Float64Array => numbers.subarray(at + k, at + k + 3);
      const [mu, gap] = [numbers[at + MU]!, numbers[at + GAP]!];
      const joint = this.now.pair[3 * i + 2]!;
      rows.push(rowOfVersion3(joint, state[i]!, mu, gap, three(IMPULSE), three(VELOCITY), rows[rows.length - 1]));
    }
    return rows;
  }

  // Contacts between shapes of the frame that was read last.
  get contactCount(): number {
    let count = 0;
    for (let i = 0; i < this.now.count; ++i) if (this.now.pair[3 * i]! >= 0) ++count;
    return count;
  }

  private makeRows(): Contacts {
    const { count, state, pair, place, low, high } = this.now;
    const numbers = new Float64Array(NUMBERS * count);
    for (let i = 0, at = 0; i < count; ++i) {
      for (let k = 0; k < NUMBERS; ++k, ++at) {
        if (isNotANumber(low[at]!, high[at]!)) numbers[at] = NaN;
        else {
          const whole = signed(low[at]!, high[at]!);
          if (k < GAP) numbers[at] = whole * POINT_UNIT;
          else if (k === GAP) numbers[at] = whole * GAP_UNIT;
          else if (k < VELOCITY || (k >= TURNING_MU && k < TURNING)) numbers[at] = fromShortFloat(whole);
          else numbers[at] = whole * SPEED_UNIT;
        }
      }
    }
    const geoms = new Int32Array(2 * count);
    for (let i = 0; i < count; ++i) [geoms[2 * i], geoms[2 * i + 1]] = [pair[3 * i]!, pair[3 * i + 1]!];
    return { count, state: state.slice(0, count), pair: geoms, place: place.slice(0, count), numbers };
  }

  private turnPage(): void {
    [this.last, this.now] = [this.now, this.last];
    this.firstOf.clear();
    for (let i = 0; i < this.last.count; ++i) {
      if (i > 0 && this.last.place[i]! > 0) continue;
      const key = this.pairKey(this.last.pair, 3 * i);
      if (!this.firstOf.has(key)) this.firstOf.set(key, i);
    }
  }

  private pairKey(pair: Int32Array, at: number): number {
    const geoms = this.header.geoms.length + 1;
    return ((pair[at + 2]! + 1) * geoms + pair[at]! + 1) * geoms + pair[at + 1]! + 1;
  }
}

// Numbers that stand together, the flag that says that they are not written, and what they are then.
interface Column {
  first: number;
  count: number;
  leftOut: number;
  instead: "old" | "before" | "zero";
}

const COLUMNS: readonly Column[] = [
  { first: POINT, count: 3, leftOut: 0, instead: "zero" },
  { first: NORMAL, count: 3, leftOut: SAME_NORMAL, instead: "before" },
  { first: GAP, count: 1, leftOut: 0, instead: "zero" },
  { first: IMPULSE, count: 3, leftOut: NO_IMPULSE, instead: "zero" },
  { first: MU, count: 1, leftOut: SAME_MU, instead: "old" },
  { first: VELOCITY, count: 3, leftOut: NO_VELOCITY, instead: "zero" },
];

const TURNING_COLUMNS: readonly Column[] = [
  { first: TURNING_MU, count: 2, leftOut: SAME_TURNING_MU, instead: "old" },
  { first: COUPLE, count: 3, leftOut: NO_COUPLE, instead: "zero" },
  { first: TURNING, count: 3, leftOut: NO_TURNING, instead: "zero" },
];

function samePair(a: Int32Array, i: number, b: Int32Array, j: number): boolean {
  return a[i] === b[j] && a[i + 1] === b[j + 1] && a[i + 2] === b[j + 2];
}
