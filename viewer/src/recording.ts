// A recording in memory: its header, an index of its frames, and the numbers that are plotted. Bytes may come piece by piece.
import { ByteReader, crc32 } from "./bytes";
import { FIXED_BYTES, FrameDecoder, JOINT_ROWS_VERSION, READINGS_VERSION, readFixed, VERSION, type Frame } from "./frame";
import { BadRecording, readHeader, type Header } from "./header";
import { NO_READINGS, ReadingDecoder, type Readings } from "./readings";

const MAGIC = "TRIBOREC";
const OLDEST = 2;
const PREAMBLE_BYTES = 24;
const BLOCK_BYTES = 12;
const FRAME_TAG = 0x4d415246; // "FRAM"
const END_TAG = 0x454e4f44; // "DONE"
const MAX_FRAME_BYTES = 256 * 2 ** 20;

// One number per frame, growing.
export class Series {
  length = 0;
  values = new Float64Array(256);
  push(value: number): void {
    if (this.length === this.values.length) {
      const more = new Float64Array(2 * this.length);
      more.set(this.values);
      this.values = more;
    }
    this.values[this.length++] = value;
  }
  at(i: number): number {
    return this.values[i]!;
  }
}

export const SERIES_NAMES = ["time", "contacts", "pivots", "sweeps", "worst", "energy", "overlap", "seconds", "status", "pairs", "distances", "manifolds"] as const;
export type SeriesName = (typeof SERIES_NAMES)[number];

export class Recording {
  header: Header | null = null;
  version = VERSION;
  done = false; // the end mark was read
  damage = ""; // what ends the reading before its time, and where
  readonly series = Object.fromEntries(SERIES_NAMES.map((name) => [name, new Series()])) as Record<SeriesName, Series>;
  private bytes = new Uint8Array(1 << 16);
  private length = 0;
  private next = 0; // the byte at which the next block begins
  private readonly starts = new Series();
  private readonly sizes = new Series();
  private readonly keys = new Series(); // 1: key frame
  readonly sensors: Series[] = []; // one per number of the sensors
  private readings: ReadingDecoder | null = null; // of a version that has them
  private counter: FrameDecoder | null = null; // of a version whose number of contacts counts rows of joints too

  // All bytes at once. Throws BadRecording where not even the header is there.
  static parse(bytes: Uint8Array): Recording {
    const recording = new Recording();
    recording.append(bytes);
    if (recording.header === null) throw new BadRecording("This recording ends within its header; nothing can be played.");
    return recording;
  }

  get frames(): number {
    return this.starts.length;
  }
  get byteLength(): number {
    return this.length;
  }
  time(frame: number): number {
    return this.series.time.at(frame);
  }
  isKey(frame: number): boolean {
    return this.keys.at(frame) === 1;
  }
  content(frame: number): Uint8Array {
    const start = this.starts.at(frame);
    return this.bytes.subarray(start, start + this.sizes.at(frame));
  }

  // Why the recording is not complete; empty where it is. For a file that is not growing any more.
  get ending(): string {
    if (this.damage) return this.damage;
    if (this.done) return "";
    const what = this.next === this.length ? "the file ends here without its end mark; the writer was stopped" : "is cut off";
    return this.describe(what);
  }

  // Returns how many frames are new. Throws BadRecording where the header is none.
  append(more: Uint8Array): number {
    const before = this.frames;
    this.keep(more);
    if (this.header === null && !this.readPreamble()) return 0;
    while (!this.damage && this.readBlock());
    return this.frames - before;
  }

  private keep(more: Uint8Array): void {
    if (this.length + more.length > this.bytes.length) {
      const room = new Uint8Array(Math.max(2 * this.bytes.length, this.length + more.length));
      room.set(this.bytes.subarray(0, this.length));
      this.bytes = room;
    }
    this.bytes.set(more, this.length);
    this.length += more.length;
  }

  private readPreamble(): boolean {
    const seen = Math.min(MAGIC.length, this.length);
    for (let i = 0; i < seen; ++i) {
      if (this.bytes[i] !== MAGIC.charCodeAt(i))
        throw new BadRecording("This is not a recording of Tribo. Make one with: tribo run SCENE --record FILE");
    }
    if (this.length < PREAMBLE_BYTES) return false;
    const input = new ByteReader(this.bytes.subarray(0, this.length));
    input.at = MAGIC.length;
    const version = input.u32();
    const crc = input.u32();
    const textBytes = input.u64();
    if (version < OLDEST || version > VERSION) {
      throw new BadRecording(
        `This is a recording of version ${version}; this page reads versions ${OLDEST} to ${VERSION}. ` +
          "Open it with the Tribo that wrote it, or check the file for damage.",
      );
    }
    if (textBytes > this.length - PREAMBLE_BYTES) return false;
    const text = this.bytes.subarray(PREAMBLE_BYTES, PREAMBLE_BYTES + textBytes);
    if (crc32(text, crc32(this.bytes.subarray(16, 24), crc32(this.bytes.subarray(8, 12)))) !== crc)
      throw new BadRecording("The header of this recording is damaged: its checksum does not fit. Nothing can be played.");
    this.header = readHeader(new TextDecoder().decode(text), version);
    this.version = version;
    if (version >= READINGS_VERSION) this.readings = new ReadingDecoder(this.header.sensors);
    for (const sensor of this.header.sensors) for (let k = 0; k < sensor.size; ++k) this.sensors.push(new Series());
    if (version < JOINT_ROWS_VERSION) this.counter = new FrameDecoder(this.header, version);
    this.next = PREAMBLE_BYTES + textBytes;
    return true;
  }

  // Between shapes.
  private countContacts(content: Uint8Array, listed: number): number {
    if (this.counter === null) return listed;
    try {
      this.counter.advance(content);
      return this.counter.contactCount;
    } catch {
      return listed; // a damaged frame, which is not shown
    }
  }

  // A damaged frame, which is not shown, has none.
  private readReadings(content: Uint8Array, key: boolean): Readings {
    const input = new ByteReader(content);
    input.at = FIXED_BYTES;
    return this.readings?.decode(input, key) ?? NO_READINGS;
  }

  private describe(what: string): string {
    return `frame ${this.frames}, at byte ${this.next}: ${what}`;
  }

  // One block, where it is there as a whole.
  private readBlock(): boolean {
    const left = this.length - this.next;
    if (this.done) {
      if (left > 0) this.damage = this.describe("something follows the end mark");
      return false;
    }
    if (left < BLOCK_BYTES) return false;
    const input = new ByteReader(this.bytes.subarray(this.next, this.next + BLOCK_BYTES));
    const tag = input.u32();
    const size = input.u32();
    const crc = input.u32();
    const stop = (what: string): boolean => {
      this.damage = this.describe(what);
      return false;
    };
    if (tag !== FRAME_TAG && tag !== END_TAG) return stop("is damaged: no frame begins here");
    if (size > MAX_FRAME_BYTES) return stop("is damaged: no frame has this length");
    if (size > left - BLOCK_BYTES) return false;
    const start = this.next + BLOCK_BYTES;
    const content = this.bytes.subarray(start, start + size);
    if (crc32(content, crc32(this.bytes.subarray(this.next, this.next + 8))) !== crc)
      return stop("is damaged: its checksum does not fit");
    if (tag === END_TAG) {
      if (size < 8 || new ByteReader(content).u64() !== this.frames) return stop("the end mark counts other frames");
      this.done = true;
      this.next = start + size;
      return true;
    }
    if (size < FIXED_BYTES) return stop("is damaged: no frame has this length");
    const fixed = readFixed(content);
    if (this.frames === 0 && !fixed.key) return stop("is no key frame, and nothing comes before it");
    this.starts.push(start);
    this.sizes.push(size);
    this.keys.push(fixed.key ? 1 : 0);
    const { time, pivots, sweeps, worst, energy, overlap, seconds, status } = fixed;
    const { pairs, distances, manifolds, sensors } = this.readReadings(content, fixed.key);
    const contacts = this.countContacts(content, fixed.contactCount);
    const row = { time, contacts, pivots, sweeps, worst, energy, overlap, seconds, status, pairs, distances, manifolds };
    for (const name of SERIES_NAMES) this.series[name].push(row[name]);
    this.sensors.forEach((series, k) => series.push(sensors[k] ?? NaN));
    this.next = start + size;
    return true;
  }
}

// Walks over a recording; one frame after the other is cheapest, others are reached from the key frame before them.
export class Cursor {
  private readonly decoder: FrameDecoder;
  private next = -1; // the frame that the decoder expects
  private frame: Frame | null = null;

  constructor(private readonly recording: Recording) {
    this.decoder = new FrameDecoder(recording.header!, recording.version);
  }

  seek(frame: number): Frame {
    if (this.frame !== null && this.next === frame + 1) return this.frame;
    let from = frame;
    while (!this.recording.isKey(from) && from !== this.next) --from;
    for (; ; ++from) {
      this.next = -1;
      try {
        if (from < frame) this.decoder.advance(this.recording.content(from));
        else this.frame = this.decoder.decode(this.recording.content(from));
      } catch (error) {
        if (error instanceof BadRecording) throw new BadRecording(`frame ${from}: ${error.message}`);
        throw error;
      }
      this.next = from + 1;
      if (from === frame) return this.frame!;
    }
  }
}
