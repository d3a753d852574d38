// The recording inside the page: base64 of gzip, zlib or plain bytes.
import { BadRecording } from "./header";

export function fromBase64(text: string): Uint8Array {
  let binary: string;
  try {
    binary = atob(text); // white space is skipped
  } catch {
    throw new BadRecording("The recording inside this page is damaged: it is not base64 text.");
  }
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

// Looks at the first bytes; what is neither gzip nor zlib comes back as it is.
export async function unpack(bytes: Uint8Array): Promise<Uint8Array> {
  const gzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const zlib = bytes[0] === 0x78 && ((bytes[0] << 8) | bytes[1]!) % 31 === 0;
  if (!gzip && !zlib) return bytes;
  try {
    if (typeof DecompressionStream === "undefined") return inflate(bytes, gzip ? gzipHeader(bytes) : 2);
    const stream = new Blob([bytes as BlobPart]).stream().pipeThrough(new DecompressionStream(gzip ? "gzip" : "deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch {
    throw new BadRecording("The recording is damaged: it cannot be unpacked. Copy the file again, or make it anew.");
  }
}

function gzipHeader(bytes: Uint8Array): number {
  const flags = bytes[3]!;
  let at = 10;
  if (flags & 4) at += 2 + bytes[at]! + 256 * bytes[at + 1]!;
  for (const text of [8, 16]) {
    if (!(flags & text)) continue;
    while (at < bytes.length && bytes[at] !== 0) ++at;
    ++at;
  }
  return at + (flags & 2 ? 2 : 0);
}

// RFC 1951, for browsers without DecompressionStream. Canonical codes: counts per length, symbols in order.
interface Code {
  counts: Uint16Array;
  symbols: Uint16Array;
}

function makeCode(lengths: ArrayLike<number>): Code {
  const counts = new Uint16Array(16);
  const symbols = new Uint16Array(lengths.length);
  for (let i = 0; i < lengths.length; ++i) counts[lengths[i]!]!++;
  counts[0] = 0;
  const offsets = new Uint16Array(16);
  for (let i = 1; i < 15; ++i) offsets[i + 1] = offsets[i]! + counts[i]!;
  for (let i = 0; i < lengths.length; ++i) if (lengths[i]! > 0) symbols[offsets[lengths[i]!]!++] = i;
  return { counts, symbols };
}

const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const range = (first: number, extra: (i: number) => number, count: number): number[][] => {
  const bases: number[] = [];
  const bits: number[] = [];
  for (let i = 0, base = first; i < count; base += 1 << extra(i), ++i) {
    bases.push(base);
    bits.push(extra(i));
  }
  return [bases, bits];
};
const [LENGTHS, LENGTH_BITS] = range(3, (i) => (i < 8 ? 0 : (i >> 2) - 1), 28) as [number[], number[]];
LENGTHS.push(258);
LENGTH_BITS.push(0);
const [DISTANCES, DISTANCE_BITS] = range(1, (i) => (i < 4 ? 0 : (i >> 1) - 1), 30) as [number[], number[]];

export function inflate(input: Uint8Array, start: number): Uint8Array {
  let at = start;
  let hold = 0;
  let held = 0;
  let out = new Uint8Array(Math.max(1 << 16, 4 * input.length));
  let length = 0;
  const bits = (count: number): number => {
    while (held < count) {
      if (at >= input.length) throw new Error("cut off");
      hold |= input[at++]! << held;
      held += 8;
    }
    const value = hold & ((1 << count) - 1);
    hold >>>= count;
    held -= count;
    return value;
  };
  const symbol = ({ counts, symbols }: Code): number => {
    for (let code = 0, first = 0, index = 0, size = 1; size < 16; ++size) {
      code |= bits(1);
      const count = counts[size]!;
      if (code - count < first) return symbols[index + code - first]!;
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    throw new Error("no such code");
  };
  const room = (count: number): void => {
    if (length + count <= out.length) return;
    const more = new Uint8Array(2 * (length + count));
    more.set(out.subarray(0, length));
    out = more;
  };
  const codes = (kind: number): [Code, Code] => {
    if (kind === 1) {
      const lengths = Array.from({ length: 288 }, (_, i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8));
      return [makeCode(lengths), makeCode(new Array(30).fill(5))];
    }
    const literals = bits(5) + 257;
    const distances = bits(5) + 1;
    const count = bits(4) + 4;
    const small = new Uint8Array(19);
    for (let i = 0; i < count; ++i) small[ORDER[i]!] = bits(3);
    const lengthCode = makeCode(small);
    const lengths: number[] = [];
    while (lengths.length < literals + distances) {
      const s = symbol(lengthCode);
      if (s < 16) lengths.push(s);
      else {
        const value = s === 16 ? lengths[lengths.length - 1]! : 0;
        const repeat = s === 16 ? 3 + bits(2) : s === 17 ? 3 + bits(3) : 11 + bits(7);
        for (let i = 0; i < repeat; ++i) lengths.push(value);
      }
    }
    return [makeCode(lengths.slice(0, literals)), makeCode(lengths.slice(literals))];
  };
  for (let last = 0; !last; ) {
    last = bits(1);
    const kind = bits(2);
    if (kind === 3) throw new Error("no such block");
    if (kind === 0) {
      hold = held = 0;
      const size = input[at]! | (input[at + 1]! << 8);
      at += 4;
      if (at + size > input.length) throw new Error("cut off");
      room(size);
      out.set(input.subarray(at, at + size), length);
      length += size;
      at += size;
      continue;
    }
    const [literal, distance] = codes(kind);
    for (let s = symbol(literal); s !== 256; s = symbol(literal)) {
      if (s < 256) {
        room(1);
        out[length++] = s;
        continue;
      }
      const count = LENGTHS[s - 257]! + bits(LENGTH_BITS[s - 257]!);
      const d = symbol(distance);
      const back = DISTANCES[d]! + bits(DISTANCE_BITS[d]!);
      if (!(back <= length)) throw new Error("too far back");
      room(count);
      for (let i = 0; i < count; ++i, ++length) out[length] = out[length - back]!;
    }
  }
  return out.slice(0, length);
}
