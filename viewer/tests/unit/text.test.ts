import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { clock, percent, quantity, scientific, vector } from "../../src/format";
import { fromBase64, inflate, unpack } from "../../src/inflate";
import { twistBetween } from "../../src/panel";

const plain = (text: string): string => text.replaceAll("\u202f", " ");

// Units as people write them; rounding must not give 1000 of the smaller unit.
test("quantities have three digits and a prefix", () => {
  assert.equal(plain(quantity(0.00042, "m")), "420 µm");
  assert.equal(plain(quantity(-12345, "N")), "−12.3 kN");
  assert.equal(plain(quantity(0.9999, "N")), "1.00 N");
  assert.equal(plain(quantity(0.0009999, "m")), "1.00 mm");
  assert.equal(plain(quantity(0, "N")), "0 N");
  assert.equal(plain(quantity(0.25, "kg")), "0.250 kg");
  assert.equal(plain(quantity(NaN, "N")), "not a number");
  assert.equal(plain(scientific(1.63e-9)), "1.6·10⁻⁹");
  assert.equal(plain(percent(0.4567)), "46 %");
  assert.equal(plain(percent(0.04567)), "4.6 %");
  assert.equal(plain(clock(1.23456, 0.002)), "1.235 s");
  assert.equal(plain(vector([1, -2, 1e-9], "m", 3)), "1.000, −2.000, 0.000 m");
});

// A turn by 0.1 rad about z in 0.5 s, whatever the sign of the quaternion.
test("velocities between two poses", () => {
  const [c, s] = [Math.cos(0.05), Math.sin(0.05)];
  for (const sign of [1, -1]) {
    const twist = twistBetween(Float64Array.of(0, 0, 0, 1, 0, 0, 0), Float64Array.of(1, 0, -2, sign * c, 0, 0, sign * s), 0, 0.5);
    assert.deepEqual(twist.velocity, [2, 0, -4]);
    assert.ok(Math.abs(twist.angular[2]! - 0.2) < 1e-12 && Math.abs(twist.angular[0]!) < 1e-12);
  }
});

// Stored, fixed and dynamic blocks, against zlib.
test("inflate for browsers without a built-in one", async () => {
  const texts = [
    new Uint8Array(0),
    new TextEncoder().encode("a"),
    Uint8Array.from({ length: 70000 }, (_, i) => (i * i) >> 5),
    Uint8Array.from({ length: 300000 }, (_, i) => i % 97 ^ (i >> 9)),
  ];
  for (const bytes of texts) {
    for (const options of [{ level: 0 }, { level: 9 }, { level: 6, strategy: 4 }])
      assert.deepEqual(inflate(new Uint8Array(deflateRawSync(bytes, options)), 0), bytes);
    assert.deepEqual(await unpack(new Uint8Array(gzipSync(bytes))), bytes);
    assert.deepEqual(await unpack(new Uint8Array(deflateSync(bytes))), bytes);
    const native = globalThis.DecompressionStream;
    Reflect.deleteProperty(globalThis, "DecompressionStream");
    try {
      assert.deepEqual(await unpack(new Uint8Array(gzipSync(bytes))), bytes);
    } finally {
      globalThis.DecompressionStream = native;
    }
  }
  await assert.rejects(unpack(new Uint8Array(gzipSync(texts[2]!)).subarray(0, 500)), /cannot be unpacked/);
  assert.throws(() => fromBase64("!!"), /not base64/);
});
