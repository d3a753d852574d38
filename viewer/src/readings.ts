// Counts of collision and numbers of sensors: what a frame has of them, and their decoder. They stand before the poses, so that
// they can be read of every frame without the rest (docs/file-formats.md, section 5).
import { fromFloatCode, isNotANumber, signed, type ByteReader } from "./bytes";
import type { Sensor } from "./header";

export interface Readings {
  pairs: number; // of geoms whose boxes meet, the most of a step since the frame before
  distances: number;
  manifolds: number;
  sensors: Float64Array; // the numbers of all sensors of the header, one after the other
}

export const NO_READINGS: Readings = { pairs: 0, distances: 0, manifolds: 0, sensors: new Float64Array(0) };

// One after the other, or from a key frame on.
export class ReadingDecoder {
  private readonly low: Uint32Array;
  private readonly high: Uint32Array;

  constructor(sensors: readonly Sensor[]) {
    const numbers = sensors.reduce((sum, sensor) => sum + sensor.size, 0);
    this.low = new Uint32Array(numbers);
    this.high = new Uint32Array(numbers);
  }

  // null: they do not fit.
  decode(input: ByteReader, key: boolean): Readings | null {
    if (key) {
      this.low.fill(0);
      this.high.fill(0);
    }
    const [pairs, distances, manifolds] = [input.varint(), input.varint(), input.varint()];
    if (this.low.length > input.left) return null; // each takes a byte at least
    const sensors = new Float64Array(this.low.length);
    for (let i = 0; i < sensors.length; ++i) {
      input.zigzag();
      const sum = this.low[i]! + input.low;
      this.low[i] = sum;
      this.high[i] = this.high[i]! + input.high + (sum >= 2 ** 32 ? 1 : 0);
      const [low, high] = [this.low[i]!, this.high[i]!];
      sensors[i] = isNotANumber(low, high) ? NaN : fromFloatCode(signed(low, high));
    }
    return input.ok ? { pairs, distances, manifolds, sensors } : null;
  }
}
