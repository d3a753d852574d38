import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import type { Contact } from "../../src/contact";
import { OPEN, SLIDE, STICK } from "../../src/frame";
import { clock, percent, quantity, scientific, vector } from "../../src/format";
import { fromBase64, inflate, unpack } from "../../src/inflate";
import { twistBetween } from "../../src/panel";
import { why } from "../../src/why";

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

const contact = (more: Partial<Contact>): Contact => ({
  index: 0,
  geomA: 1,
  geomB: 0,
  joint: -1,
  place: 0,
  state: STICK,
  point: [0, 0, 0],
  normal: [0, 0, 1],
  gap: 0,
  impulse: [0, 0, 0],
  force: [0, 0, 0],
  normalForce: 10,
  friction: 2,
  mu: 0.5,
  allowed: 5,
  margin: 0.6,
  velocity: [0, 0, 0],
  slip: 0,
  approach: 0,
  ...more,
});
const context = { model: "cone", joint: "", turning: false };

// The sentence must carry the numbers that decide.
test("why: each state says what decides", () => {
  const say = (more: Partial<Contact>, model = "cone"): string => plain(why(contact(more), { ...context, model }));
  assert.equal(say({}), "Sticks with 60 % margin: it needs 2.00 N of friction and the cone allows 5.00 N (μ 0.50 × 10.0 N).");
  assert.match(say({ friction: 5, margin: 0 }), /^Sticks, but only just/);
  assert.match(
    say({ state: SLIDE, friction: 5, margin: 0, slip: 0.1 }),
    /^Slides at 100 mm\/s: .* more than the cone allows, 5\.00 N/,
  );
  assert.equal(say({ state: OPEN, gap: 0.0012, approach: -0.2 }), "Is open: a gap of 1.20 mm, closing at 200 mm/s, no force.");
  assert.match(say({ mu: 0, allowed: 0 }), /coefficient is 0/);
  assert.match(say({}, "no-slip"), /no-slip model/);
  assert.match(say({}, "frictionless"), /no friction/);
});

// Limits and dry friction of joints: couples where the joint turns, forces where it slides.
test("why: joints", () => {
  const say = (more: Partial<Contact>, turning = true): string =>
    plain(why(contact({ geomA: -1, geomB: -1, joint: 0, ...more }), { model: "cone", joint: "elbow", turning }));
  assert.equal(say({ mu: 0, normalForce: 3 }), "Joint elbow is at its limit, which holds it with 3.00 N·m.");
  assert.equal(say({ mu: 0, normalForce: 0, gap: 0.25, state: OPEN }), "Joint elbow is free: 250 mrad before its limit.");
  assert.equal(
    say({ mu: 1, friction: 2, allowed: 5, margin: 0.6 }, false),
    "Dry friction holds joint elbow with 60 % margin: it needs 2.00 N and there can be 5.00 N.",
  );
  assert.equal(
    say({ mu: 1, friction: 5, allowed: 5, margin: 0, slip: 0.1, state: SLIDE }),
    "Joint elbow moves at 100 mrad/s: it needs more than the 5.00 N·m that its dry friction can hold.",
  );
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
