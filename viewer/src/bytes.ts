// Numbers from bytes, least significant first. Whole numbers have 64 bits: two halves of 32, since doubles hold only 53.

const TABLES = makeTables();

// Row k: the CRC of a byte followed by k zero bytes, so that four bytes are taken at once.
function makeTables(): Uint32Array[] {
  const rows = [0, 1, 2, 3].map(() => new Uint32Array(256));
  for (let byte = 0; byte < 256; ++byte) {
    let crc = byte;
    for (let bit = 0; bit < 8; ++bit) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
    rows[0]![byte] = crc;
  }
  for (let row = 1; row < 4; ++row) {
    for (let byte = 0; byte < 256; ++byte) {
      const last = rows[row - 1]![byte]!;
      rows[row]![byte] = (last >>> 8) ^ rows[0]![last & 0xff]!;
    }
  }
  return rows;
}

// CRC-32 of zip and png; `before`: that of the bytes before.
export function crc32(bytes: Uint8Array, before = 0): number {
  const [t0, t1, t2, t3] = TABLES as [Uint32Array, Uint32Array, Uint32Array, Uint32Array];
  let crc = ~before;
  let i = 0;
  for (const end = bytes.length - 3; i < end; i += 4) {
    crc ^= bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24);
    crc = t3[crc & 0xff]! ^ t2[(crc >>> 8) & 0xff]! ^ t1[(crc >>> 16) & 0xff]! ^ t0[crc >>> 24]!;
  }
  for (; i < bytes.length; ++i) crc = (crc >>> 8) ^ t0[(crc ^ bytes[i]!) & 0xff]!;
  return ~crc >>> 0;
}

// Once the bytes are at their end every number is zero and `ok` is false.
export class ByteReader {
  ok = true;
  at = 0;
  // The two halves of the last number of 64 bits.
  low = 0;
  high = 0;
  private readonly view: DataView;

  constructor(private readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get left(): number {
    return this.bytes.length - this.at;
  }

  u8(): number {
    return this.take(1) ? this.bytes[this.at - 1]! : 0;
  }
  u32(): number {
    return this.take(4) ? this.view.getUint32(this.at - 4, true) : 0;
  }
  u64(): number {
    // a length or a count: exact up to 2⁵³
    return this.take(8) ? this.view.getUint32(this.at - 8, true) + this.view.getUint32(this.at - 4, true) * 2 ** 32 : 0;
  }
  f64(): number {
    return this.take(8) ? this.view.getFloat64(this.at - 8, true) : 0;
  }

  // Seven bits a byte, the lowest first. Returns the number as a double; the halves are exact.
  varint(): number {
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 64; shift += 7) {
      if (this.at >= this.bytes.length) break;
      const byte = this.bytes[this.at++]!;
      const seven = byte & 0x7f;
      if (shift < 28) low |= seven << shift;
      else if (shift === 28) {
        low |= seven << 28;
        high |= seven >>> 4;
      } else high |= seven << (shift - 32);
      if (byte < 0x80) {
        this.low = low >>> 0;
        this.high = high >>> 0;
        return this.high * 2 ** 32 + this.low;
      }
    }
    this.ok = false;
    this.low = 0;
    this.high = 0;
    return 0;
  }

  // 0, 1, 2, 3 … as 0, −1, 1, −2 …, into the halves.
  zigzag(): void {
    this.varint();
    const sign = -(this.low & 1);
    this.low = (((this.low >>> 1) | (this.high << 31)) ^ sign) >>> 0;
    this.high = ((this.high >>> 1) ^ sign) >>> 0;
  }

  private take(count: number): boolean {
    if (this.left < count) this.ok = false;
    if (!this.ok) return false;
    this.at += count;
    return true;
  }
}

// The halves of a whole number of 64 bits: the code of what is no number, and the value.
export const isNotANumber = (low: number, high: number): boolean => low === 0 && high === 0x80000000;
export const signed = (low: number, high: number): number => (high | 0) * 2 ** 32 + low;

const floatBits = new DataView(new ArrayBuffer(4));

// The bits of a float as a whole number with its sign.
export function fromFloatCode(code: number): number {
  const magnitude = Math.abs(code);
  if (magnitude > 0x7f800000) return NaN;
  floatBits.setUint32(0, magnitude);
  const value = floatBits.getFloat32(0);
  return code < 0 ? -value : value;
}

// The upper 24 bits of a float as a whole number with its sign.
export function fromShortFloat(code: number): number {
  const magnitude = Math.abs(code);
  if (magnitude > 0x7f8000) return NaN;
  floatBits.setUint32(0, magnitude * 256);
  const value = floatBits.getFloat32(0);
  return code < 0 ? -value : value;
}
