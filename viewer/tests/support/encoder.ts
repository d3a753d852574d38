// Writes recordings as docs/file-formats.md says, slowly and plainly, sharing no code with the page: what it wrote is known.

export interface PlainContact {
  pair: [geomA: number, geomB: number];
  state: number;
  point: number[];
  normal: number[];
  gap: number;
  impulse: number[];
  mu: number;
  velocity: number[];
  // Where the header says that there is friction against turning.
  muSpin?: number;
  muRoll?: number;
  couple?: number[];
  turning?: number[];
}

export interface PlainJointRow {
  kind: "limit" | "dry friction";
  joint: number;
  place: number;
  state: number;
  gap: number; // limits
  bound: number; // dry friction
  impulse: number;
  velocity: number;
}

export interface PlainFrame {
  time: number;
  poses: number[][]; // per body: x y z w x y z
  contacts: PlainContact[];
  jointRows?: PlainJointRow[];
  collision?: [pairs: number, distances: number, manifolds: number];
  sensors?: number[]; // all numbers of the sensors of the header
  status?: number;
  pivots?: number;
  sweeps?: number;
  worst?: number;
  overlap?: number;
  energy?: number;
  seconds?: number;
  solver?: number;
}

const CRC_TABLE = Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let k = 0; k < 8; ++k) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc >>> 0;
});

export function crcOf(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ CRC_TABLE[(crc ^ byte) & 0xff]!;
  return (crc ^ 0xffffffff) >>> 0;
}

class Bytes {
  list: number[] = [];
  u8(x: number): void {
    this.list.push(x & 0xff);
  }
  whole(x: bigint, count: number): void {
    for (let k = 0; k < count; ++k) this.u8(Number((x >> BigInt(8 * k)) & 0xffn));
  }
  f64(x: number): void {
    this.list.push(...new Uint8Array(new Float64Array([x]).buffer));
  }
  varint(x: bigint): void {
    for (; x >= 0x80n; x >>= 7n) this.u8(Number(x & 0x7fn) | 0x80);
    this.u8(Number(x));
  }
  difference(now: bigint, old: bigint): void {
    const d = BigInt.asIntN(64, now - old);
    this.varint(d < 0n ? -2n * d - 1n : 2n * d);
  }
  get bytes(): Uint8Array {
    return Uint8Array.from(this.list);
  }
}

const NOT_A_NUMBER = -(2n ** 63n);

export function quanta(x: number, bits: number): bigint {
  if (Number.isNaN(x)) return NOT_A_NUMBER;
  const most = 2 ** 62;
  return BigInt(Math.max(-most, Math.min(most, Math.round(x * 2 ** bits))));
}

export function shortFloat(x: number): bigint {
  if (Number.isNaN(x)) return NOT_A_NUMBER;
  const bits = new Uint32Array(new Float32Array([Math.abs(x)]).buffer)[0]!;
  const magnitude = (BigInt(bits) + 0x80n) >> 8n;
  return x < 0 ? -magnitude : magnitude;
}

export function floatCode(x: number): bigint {
  if (Number.isNaN(x)) return NOT_A_NUMBER;
  const bits = BigInt(new Uint32Array(new Float32Array([Math.abs(x)]).buffer)[0]!);
  return x < 0 ? -bits : bits;
}

// A row of a joint as versions before 4 list it.
function asContact(row: PlainJointRow): OldContact {
  const dry = row.kind === "dry friction";
  return {
    pair: [-1, -1, row.joint],
    state: row.state,
    point: [0, 0, 0],
    normal: [0, 0, 0],
    gap: dry ? 0 : row.gap,
    impulse: dry ? [row.impulse, 0, row.bound] : [0, 0, row.impulse],
    mu: dry ? 1 : 0,
    velocity: dry ? [row.velocity, 0, 0] : [0, 0, row.velocity],
  };
}

type OldContact = Omit<PlainContact, "pair"> & { pair: number[] };

interface WholeRow {
  key: string;
  numbers: bigint[];
}

interface Whole {
  pair: string;
  numbers: bigint[];
}

export class Encoder {
  readonly out = new Bytes();
  readonly ends: number[] = []; // byte after each frame
  private poses: bigint[][] = [];
  private last: Whole[] = [];
  private sensors: bigint[] = [];
  private lastRows: WholeRow[] = [];

  constructor(
    private readonly header: Record<string, unknown>,
    private readonly keyEvery = 32,
    private readonly version = 5,
  ) {
    const text = new TextEncoder().encode(JSON.stringify(header));
    const checked = new Bytes();
    checked.whole(BigInt(version), 4);
    checked.whole(BigInt(text.length), 8);
    this.out.list.push(...new TextEncoder().encode("TRIBOREC"));
    this.out.whole(BigInt(version), 4);
    this.out.whole(BigInt(crcOf(Uint8Array.from([...checked.list, ...text]))), 4);
    this.out.whole(BigInt(text.length), 8);
    for (const byte of text) this.out.u8(byte);
  }

  frame(frame: PlainFrame): void {
    const key = this.ends.length % this.keyEvery === 0;
    const content = new Bytes();
    content.u8(key ? 1 : 0);
    content.u8(frame.status ?? 0);
    content.u8((frame.solver ?? -1) + 1);
    content.u8(0);
    const old = this.version < 4;
    const rows = frame.jointRows ?? [];
    const contacts: OldContact[] = old
      ? [...rows.map(asContact), ...frame.contacts.map((contact) => ({ ...contact, pair: [...contact.pair, -1] }))]
      : frame.contacts;
    content.whole(BigInt(contacts.length), 4);
    content.whole(BigInt(frame.pivots ?? 0), 4);
    content.whole(BigInt(frame.sweeps ?? 0), 4);
    content.whole(BigInt(this.ends.length), 8);
    for (const x of [frame.time, frame.worst ?? 0, frame.overlap ?? 0, 0, frame.energy ?? 0, frame.seconds ?? 0]) content.f64(x);
    if (this.version >= 5) this.encodeReadings(frame, key, content);
    if (key) {
      const { nq, nv, kinematic } = this.header as { nq: number; nv: number; kinematic: number };
      for (let k = 0; k < nq + nv + 13 * kinematic; ++k) content.f64(0.1 * k);
      this.poses = frame.poses.map(() => new Array<bigint>(7).fill(0n));
      this.last = [];
      this.lastRows = [];
    }
    this.encodePoses(frame.poses, key, content);
    this.encodeContacts(contacts, content);
    if (!old) this.encodeJointRows(rows, content);
    this.block(0x4d415246n, content.bytes);
    this.ends.push(this.out.list.length);
  }

  finish(): Uint8Array {
    const count = new Bytes();
    count.whole(BigInt(this.ends.length), 8);
    this.block(0x454e4f44n, count.bytes);
    return this.out.bytes;
  }

  private block(tag: bigint, content: Uint8Array): void {
    const head = new Bytes();
    head.whole(tag, 4);
    head.whole(BigInt(content.length), 4);
    const crc = crcOf(Uint8Array.from([...head.list, ...content]));
    head.whole(BigInt(crc), 4);
    for (const byte of head.list) this.out.list.push(byte);
    for (const byte of content) this.out.list.push(byte);
  }

  private encodeReadings(frame: PlainFrame, key: boolean, out: Bytes): void {
    for (const count of frame.collision ?? [0, 0, 0]) out.varint(BigInt(count));
    const now = (frame.sensors ?? []).map(floatCode);
    now.forEach((x, k) => out.difference(x, key ? 0n : this.sensors[k]!));
    this.sensors = now;
  }

  private encodePoses(poses: number[][], key: boolean, out: Bytes): void {
    const whole = poses.map((pose) => pose.map((x) => quanta(x, 24)));
    const moved = whole.flatMap((pose, b) => (key || pose.some((x, k) => x !== this.poses[b]![k]) ? [b] : []));
    out.varint(BigInt(moved.length));
    let next = 0;
    for (const b of moved) {
      out.varint(BigInt(b - next));
      next = b + 1;
      whole[b]!.forEach((x, k) => out.difference(x, this.poses[b]![k]!));
    }
    this.poses = whole;
  }

  private encodeJointRows(rows: PlainJointRow[], out: Bytes): void {
    const now = rows.map((row): WholeRow => {
      const dry = row.kind === "dry friction";
      return {
        key: `${dry ? 1 : 0},${row.joint},${row.place}`,
        numbers: [
          dry ? 0n : quanta(row.gap, 34),
          dry ? shortFloat(row.bound) : 0n,
          shortFloat(row.impulse),
          quanta(row.velocity, 30),
        ],
      };
    });
    out.varint(BigInt(rows.length));
    const flags = now.map((row, i) => {
      const old = this.lastRows.find((other) => other.key === row.key);
      return (
        rows[i]!.state |
        (rows[i]!.kind === "dry friction" ? 4 : 0) |
        (this.lastRows[i]?.key === row.key ? 8 : 0) |
        (old !== undefined && old.numbers.every((x, k) => x === row.numbers[k]) ? 16 : 0) |
        (row.numbers[2] === 0n ? 32 : 0) |
        (row.numbers[3] === 0n ? 64 : 0)
      );
    });
    for (const byte of flags) out.u8(byte);
    rows.forEach((row, i) => {
      if (flags[i]! & 8) return;
      out.varint(BigInt(row.joint));
      out.difference(BigInt(row.place), 0n);
    });
    const leftOut = [16 | 4, 16, 16 | 32, 16 | 64];
    for (let k = 0; k < 4; ++k) {
      now.forEach((row, i) => {
        if (flags[i]! & leftOut[k]! || (k === 1 && rows[i]!.kind === "limit")) return;
        const old = this.lastRows.find((other) => other.key === row.key);
        out.difference(row.numbers[k]!, old?.numbers[k] ?? 0n);
      });
    }
    this.lastRows = now;
  }

  private wholeOf(contact: OldContact): Whole {
    const numbers = [
      ...contact.point.map((x) => quanta(x, 20)),
      ...contact.normal.map((x) => quanta(x, 20)),
      quanta(contact.gap, 34),
      ...contact.impulse.map(shortFloat),
      shortFloat(contact.mu),
      ...contact.velocity.map((x) => quanta(x, 30)),
    ];
    if (this.header.turning === true) {
      numbers.push(shortFloat(contact.muSpin ?? 0), shortFloat(contact.muRoll ?? 0));
      numbers.push(...(contact.couple ?? [0, 0, 0]).map(shortFloat));
      numbers.push(...(contact.turning ?? [0, 0, 0]).map((x) => quanta(x, 30)));
    }
    return { pair: contact.pair.join(), numbers };
  }

  private encodeContacts(contacts: OldContact[], out: Bytes): void {
    const now = contacts.map((contact) => this.wholeOf(contact));
    const turns = this.header.turning === true;
    const size = turns ? 22 : 14;
    const columns = Array.from({ length: 12 }, () => new Bytes());
    const column = (k: number): Bytes => columns[k]!;
    const [flagBytes, pairs, points, normals] = [column(0), column(1), column(2), column(3)];
    const [gaps, impulses, mus, velocities] = [column(4), column(5), column(6), column(7)];
    const [turnFlags, turnMus, couples, turnings] = [column(8), column(9), column(10), column(11)];
    out.varint(BigInt(contacts.length));
    let place = 0;
    now.forEach((contact, i) => {
      const before = now[i - 1];
      place = before?.pair === contact.pair ? place + 1 : 0;
      const first = this.last.findIndex((old) => old.pair === contact.pair);
      const found = first >= 0 && this.last[first + place]?.pair === contact.pair ? this.last[first + place] : undefined;
      const old = found ?? before ?? { numbers: new Array<bigint>(size).fill(0n) };
      const equal = (from: number, to: number, other: bigint[]): boolean =>
        contact.numbers.slice(from, to).every((x, k) => x === other[from + k]);
      const zero = (from: number, to: number): boolean => contact.numbers.slice(from, to).every((x) => x === 0n);
      const same = found !== undefined && equal(0, size, found.numbers);
      const samePair = before?.pair === contact.pair;
      const sameNormal = before !== undefined && equal(3, 6, before.numbers);
      const flags =
        contacts[i]!.state |
        (samePair ? 4 : 0) |
        (same ? 8 : 0) |
        (sameNormal ? 16 : 0) |
        (zero(7, 10) ? 32 : 0) |
        (equal(10, 11, old.numbers) ? 64 : 0) |
        (zero(11, 14) ? 128 : 0);
      flagBytes.u8(flags);
      if (!samePair) for (const index of contacts[i]!.pair) pairs.varint(BigInt(this.version < 4 ? index + 1 : index));
      const write = (into: Bytes, from: number, to: number): void => {
        for (let k = from; k < to; ++k) into.difference(contact.numbers[k]!, old.numbers[k]!);
      };
      if (!same) {
        write(points, 0, 3);
        if (!sameNormal) write(normals, 3, 6);
        write(gaps, 6, 7);
        if (!(flags & 32)) write(impulses, 7, 10);
        if (!(flags & 64)) write(mus, 10, 11);
        if (!(flags & 128)) write(velocities, 11, 14);
        if (!turns) return;
        const more = (zero(16, 19) ? 1 : 0) | (equal(14, 16, old.numbers) ? 2 : 0) | (zero(19, 22) ? 4 : 0);
        turnFlags.u8(more);
        if (!(more & 2)) write(turnMus, 14, 16);
        if (!(more & 1)) write(couples, 16, 19);
        if (!(more & 4)) write(turnings, 19, 22);
      }
    });
    for (const column of columns) for (const byte of column.list) out.list.push(byte);
    this.last = now;
  }
}
