import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { crc32 } from "../../src/bytes";
import { readContact } from "../../src/contact";
import { COUPLE, GAP, IMPULSE, MU, NORMAL, NUMBERS, POINT, TURNING, TURNING_MU, VELOCITY } from "../../src/frame";
import { BadRecording } from "../../src/header";
import { Cursor, Recording } from "../../src/recording";
import { Encoder, type PlainContact, type PlainFrame, type PlainJointRow } from "../support/encoder";
import { makeHeader, pulled, pulledFrame, PULLED, STEP } from "../support/scenes";

// A fixed sequence of numbers between 0 and 1.
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

// Rows of two joints that come, go and rest.
function wildRows(next: () => number, wild: () => number, before: PlainJointRow[]): PlainJointRow[] {
  const rows: PlainJointRow[] = [];
  for (let i = 0; i < 5; ++i) {
    const old = before[i];
    if (next() < 0.2) continue;
    if (old !== undefined && next() < 0.5) {
      rows.push(old);
      continue;
    }
    const dry = next() < 0.5;
    const moves = next() < 0.5;
    rows.push({
      kind: dry ? "dry friction" : "limit",
      joint: Math.floor(2 * next()),
      place: dry ? Math.floor(3 * next()) : Math.floor(3 * next()) - 1,
      state: Math.floor(3 * next()),
      gap: dry ? 0 : 0.01 * wild(),
      bound: dry ? 0.5 : 0,
      impulse: next() < 0.4 ? 0 : wild(),
      velocity: moves ? wild() : 0,
    });
  }
  return rows;
}

function wildFrames(seed: number, frames: number): PlainFrame[] {
  const next = random(seed);
  const wild = (): number => (next() < 0.03 ? NaN : next() < 0.05 ? 1e9 * (next() - 0.5) : 4 * (next() - 0.5));
  const three = (make: () => number): number[] => [make(), make(), make()];
  const list: PlainFrame[] = [];
  for (let f = 0; f < frames; ++f) {
    const before = list[f - 1];
    const contacts: PlainContact[] = [];
    for (let i = 0; i < 12; ++i) {
      const pair: PlainContact["pair"] = [Math.floor(3 * next()), Math.floor(3 * next())];
      const old = before?.contacts[i];
      if (next() < 0.1) continue;
      if (old !== undefined && next() < 0.5) contacts.push(old);
      else {
        contacts.push({
          pair,
          state: Math.floor(3 * next()),
          point: three(wild),
          normal: contacts.length > 0 && next() < 0.5 ? contacts[contacts.length - 1]!.normal : three(wild),
          gap: 0.01 * wild(),
          impulse: next() < 0.3 ? [0, 0, 0] : three(wild),
          mu: next() < 0.7 ? 0.5 : next(),
          velocity: next() < 0.6 ? [0, 0, 0] : three(wild),
          muSpin: next() < 0.5 ? 0 : 0.01,
          muRoll: next() < 0.5 ? 0 : next(),
          couple: next() < 0.5 ? [0, 0, 0] : three(wild),
          turning: next() < 0.6 ? [0, 0, 0] : three(wild),
        });
      }
    }
    const poses = Array.from({ length: 3 }, (_, b) =>
      before !== undefined && next() < 0.4 ? before.poses[b]! : [...three(wild), 1, 0, 0, 0],
    );
    list.push({ time: 0.01 * f, poses, contacts, jointRows: wildRows(next, wild, before?.jointRows ?? []), pivots: f, sweeps: 2 * f, collision: [f, 300, f % 3], sensors: [wild(), wild(), wild(), 1e30 * wild()], worst: next(), energy: wild(), status: f % 8 });
  }
  return list;
}

const wildHeader = makeHeader(
  [
    { name: "a", parent: 0, moves: true, mass: 1, com: [0, 0, 0] },
    { name: "b", parent: 1, moves: true, mass: 2, com: [0, 0, 1] },
  ],
  [0, 1, 2].map((body) => ({
    name: "",
    body,
    shape: "sphere",
    size: [1, 0, 0],
    pos: [0, 0, 0],
    quat: [1, 0, 0, 0],
    rgba: [1, 1, 1, 1],
    group: 0,
  })),
  { joints: ["elbow", "cable"], joint_kinds: ["hinge", "tendon"], sensors: [{ name: "tip", unit: "N", size: 3 }, { name: "bend", unit: "rad", size: 1 }] },
);

function assertNear(found: number, wanted: number, absolute: number, relative: number, what: string): void {
  if (Number.isNaN(wanted)) return assert.ok(Number.isNaN(found), `${what}: ${found} instead of NaN`);
  assert.ok(Math.abs(found - wanted) <= absolute + relative * Math.abs(wanted), `${what}: ${found} instead of ${wanted}`);
}

function compare(recording: Recording, cursor: Cursor, f: number, wanted: PlainFrame, turning: boolean): void {
  const frame = cursor.seek(f);
  assert.equal(frame.time, wanted.time);
  assert.equal(frame.pivots, wanted.pivots);
  assert.equal(frame.status, wanted.status);
  assert.equal(frame.contacts.count, wanted.contacts.length);
  assert.equal(recording.series.worst.at(f), wanted.worst);
  const readings = recording.version >= 5;
  const [pairs, distances, manifolds] = readings ? wanted.collision! : [0, 0, 0];
  assert.deepEqual([frame.readings.pairs, frame.readings.distances, frame.readings.manifolds], [pairs, distances, manifolds]);
  assert.equal(recording.series.pairs.at(f), pairs);
  const numbers = readings ? wanted.sensors!.map(Math.fround) : [];
  assert.deepEqual(Array.from(frame.readings.sensors), numbers);
  assert.deepEqual(recording.sensors.map((series) => series.at(f)), numbers);
  wanted.poses.forEach((pose, b) =>
    [0, 1, 2].forEach((k) => assertNear(frame.poses[7 * b + k]!, pose[k]!, 2 ** -24, 1e-15, `frame ${f} pose`)),
  );
  wanted.contacts.forEach((contact, i) => {
    const number = (k: number): number => frame.contacts.numbers[NUMBERS * i + k]!;
    assert.deepEqual(Array.from(frame.contacts.pair.subarray(2 * i, 2 * i + 2)), contact.pair);
    assert.equal(frame.contacts.state[i], contact.state);
    for (let k = 0; k < 3; ++k) {
      assertNear(number(POINT + k), contact.point[k]!, 2 ** -21, 1e-15, "point");
      assertNear(number(NORMAL + k), contact.normal[k]!, 2 ** -21, 1e-15, "normal");
      assertNear(number(IMPULSE + k), contact.impulse[k]!, 0, 1.6e-5, "impulse");
      assertNear(number(VELOCITY + k), contact.velocity[k]!, 2 ** -31, 1e-15, "velocity");
      assertNear(number(COUPLE + k), turning ? contact.couple![k]! : 0, 0, 1.6e-5, "couple");
      assertNear(number(TURNING + k), turning ? contact.turning![k]! : 0, 2 ** -31, 1e-15, "turning");
    }
    assertNear(number(TURNING_MU), turning ? contact.muSpin! : 0, 0, 1.6e-5, "mu_spin");
    assertNear(number(TURNING_MU + 1), turning ? contact.muRoll! : 0, 0, 1.6e-5, "mu_roll");
    assertNear(number(GAP), contact.gap, 2 ** -35, 1e-15, "gap");
    assertNear(number(MU), contact.mu, 0, 1.6e-5, "mu");
  });
  assert.equal(recording.series.contacts.at(f), wanted.contacts.length);
  const rows = wanted.jointRows!;
  assert.equal(frame.jointRows.length, rows.length);
  rows.forEach((row, i) => {
    const found = frame.jointRows[i]!;
    assert.equal(found.kind, row.kind);
    assert.equal(found.joint, row.joint);
    if (recording.version >= 4) assert.equal(found.place, row.place);
    assert.equal(found.state, row.state);
    assertNear(found.gap, row.gap, 2 ** -35, 1e-15, "gap of a limit");
    assertNear(found.bound, row.bound, 0, 1.6e-5, "bound");
    assertNear(found.impulse, row.impulse, 0, 1.6e-5, "impulse of a row");
    assertNear(found.velocity, row.velocity, 2 ** -31, 1e-15, "velocity of a row");
  });
}

// Zip and png agree on this value.
test("checksum of the digits", () => {
  assert.equal(crc32(new TextEncoder().encode("123456789")), 0xcbf43926);
  assert.equal(crc32(new TextEncoder().encode("6789"), crc32(new TextEncoder().encode("12345"))), 0xcbf43926);
});

// What was written is what is read: also not a number, huge numbers, joints, pairs that come and go; in any order of frames.
test("frames read as they were written", () => {
  for (let seed = 1; seed <= 20; ++seed) {
    const frames = wildFrames(seed, 40);
    const turning = seed % 2 === 0;
    const encoder = new Encoder({ ...wildHeader, turning }, 7);
    frames.forEach((frame) => encoder.frame(frame));
    const recording = Recording.parse(encoder.finish());
    assert.equal(recording.ending, "");
    assert.equal(recording.frames, frames.length);
    const cursor = new Cursor(recording);
    frames.forEach((frame, f) => compare(recording, cursor, f, frame, turning));
    for (const f of [39, 0, 20, 19, 21, 21, 5]) compare(recording, cursor, f, frames[f]!, turning);
  }
});

// Recordings of version 2 know nothing of turning; those of 2 and 3 list rows of joints as contacts, those before 5
// have no sensors. They play as they were.
test("recordings of the versions before are read", () => {
  for (const version of [2, 3, 4]) {
    const frames = wildFrames(version, 40);
    const { turning: _, ...without } = wildHeader;
    const turning = version >= 3;
    const encoder = new Encoder(turning ? { ...wildHeader, turning } : without, 7, version);
    frames.forEach((frame) => encoder.frame(frame));
    const recording = Recording.parse(encoder.finish());
    assert.equal(recording.ending, "");
    const cursor = new Cursor(recording);
    frames.forEach((frame, f) => compare(recording, cursor, f, frame, turning));
    for (const f of [39, 0, 20, 19, 5]) compare(recording, cursor, f, frames[f]!, turning);
  }
});

// data/recordings/version4.tribo, as the program of that version wrote it.
test("a file of version 4 reads without sensors", () => {
  const recording = Recording.parse(new Uint8Array(readFileSync("../data/recordings/version4.tribo")));
  assert.equal(recording.ending, "");
  assert.equal(recording.frames, 5);
  assert.equal(recording.header!.sensors.length, 0);
  const cursor = new Cursor(recording);
  for (const f of [4, 1, 2]) assert.ok(cursor.seek(f).jointRows.length > 0);
  assertNear(recording.series.energy.at(4), 152.281797, 1e-6, 0, "energy");
});

// A file that the program of version 3 wrote: what that program said of it is what is read (data/recordings/version3.json).
test("a file of version 3 reads as it was told", () => {
  interface Told {
    file: string;
    frame: number;
    contacts: { state: string; joint?: string; mu: number; normal_force: number; friction_force: number; gap: number }[];
  }
  const { frames } = JSON.parse(readFileSync("../data/recordings/version3.json", "utf8")) as { frames: Told[] };
  const state = ["open", "slide", "stick"];
  for (const told of frames) {
    const recording = Recording.parse(new Uint8Array(readFileSync(`../data/recordings/${told.file}`)));
    const header = recording.header!;
    const { contacts, jointRows } = new Cursor(recording).seek(told.frame);
    const rows = told.contacts.filter(({ joint }) => joint !== undefined);
    const others = told.contacts.filter(({ joint }) => joint === undefined);
    assert.equal(jointRows.length, rows.length);
    assert.equal(contacts.count, others.length);
    assert.equal(recording.series.contacts.at(told.frame), others.length);
    rows.forEach((row, i) => {
      const found = jointRows[i]!;
      const dry = row.mu === 1;
      assert.equal(`${header.jointKinds[found.joint]} ${header.joints[found.joint]}`, row.joint);
      assert.equal(found.kind, dry ? "dry friction" : "limit");
      assert.equal(state[found.state], row.state);
      assert.equal(found.gap, row.gap);
      assert.equal(Math.abs(found.impulse) / header.step, dry ? row.friction_force : row.normal_force);
      if (dry) assert.equal(found.bound / header.step, row.normal_force);
    });
    others.forEach((contact, i) => {
      const found = readContact(contacts, i, header.step);
      assert.equal(state[found.state], contact.state);
      assertNear(found.normalForce, contact.normal_force, 1e-13, 1e-13, "normal force");
    });
  }
});

// Contact numbers follow from the recorded impulse and the step alone.
test("contact forces, margin and slip", () => {
  const recording = Recording.parse(pulled(4).finish());
  const { contacts } = new Cursor(recording).seek(2);
  const [slides, sticks, open] = [0, 1, 2].map((i) => readContact(contacts, i, STEP)) as [
    ReturnType<typeof readContact>,
    ReturnType<typeof readContact>,
    ReturnType<typeof readContact>,
  ];
  assertNear(slides.normalForce, PULLED.normal, 0, 3.2e-5, "normal");
  assertNear(slides.friction, PULLED.friction, 0, 3.2e-5, "friction");
  assertNear(slides.slip, PULLED.slip, 1e-8, 0, "slip");
  assert.ok(Math.abs(slides.margin) < 1e-4);
  assertNear(sticks.margin, 1 - PULLED.held / (PULLED.mu * PULLED.normal), 1e-4, 0, "margin");
  assertNear(open.gap, 0.0012, 1e-10, 0, "gap");
  assertNear(open.approach, -0.2, 1e-8, 0, "approach");
});

// Live recordings come in pieces that end anywhere.
test("pieces of any length give the same frames", () => {
  const bytes = pulled(20).finish();
  const whole = Recording.parse(bytes);
  for (const size of [1, 7, 100, 1000]) {
    const recording = new Recording();
    let fresh = 0;
    for (let at = 0; at < bytes.length; at += size) fresh += recording.append(bytes.subarray(at, at + size));
    assert.equal(fresh, whole.frames);
    assert.equal(recording.done, true);
    assert.deepEqual(new Cursor(recording).seek(19), new Cursor(whole).seek(19));
  }
});

// A writer that was stopped: all complete frames play, and the ending says where it stopped.
test("a file cut at any byte plays its complete frames", () => {
  const encoder = pulled(12);
  const bytes = encoder.finish();
  const first = encoder.ends[0]!;
  for (let cut = 0; cut < bytes.length; cut += 3) {
    let recording: Recording;
    try {
      recording = Recording.parse(bytes.subarray(0, cut));
    } catch (error) {
      assert.ok(error instanceof BadRecording && cut < first, `cut at ${cut}`);
      continue;
    }
    const complete = encoder.ends.filter((end) => end <= cut).length;
    assert.equal(recording.frames, complete);
    assert.match(recording.ending, new RegExp(`^frame ${complete}, at byte \\d+: `));
    if (complete > 0) new Cursor(recording).seek(complete - 1);
  }
});

// A damaged byte: nothing wrong is shown, the frames before it play.
test("a damaged byte ends the recording where it is", () => {
  const encoder = pulled(12);
  const bytes = encoder.finish();
  const headerEnd = 24 + Number(new DataView(bytes.buffer).getBigUint64(16, true));
  for (let at = 0; at < bytes.length; at += 5) {
    const damaged = bytes.slice();
    damaged[at]! ^= 0x41;
    if (at < headerEnd) {
      assert.throws(() => Recording.parse(damaged), BadRecording, `byte ${at}`);
      continue;
    }
    const recording = Recording.parse(damaged);
    assert.equal(recording.frames, encoder.ends.filter((end) => end <= at).length, `byte ${at}`);
    assert.notEqual(recording.ending, "");
  }
});

// Frames whose checksum fits but whose content does not: refused with words, never with a crash or a loop.
test("nonsense under a right checksum is refused", () => {
  const next = random(7);
  const plain = pulled(3);
  for (let k = 0; k < 400; ++k) {
    const encoder = pulled(3);
    const inner = encoder as unknown as { block(tag: bigint, content: Uint8Array): void };
    const from = plain.ends[1]! + 12;
    const content = plain.out.bytes.slice(from, plain.ends[2]!);
    for (let j = 0; j < 1 + Math.floor(6 * next()); ++j)
      content[72 + Math.floor((content.length - 72) * next())] = Math.floor(256 * next());
    inner.block(0x4d415246n, content);
    const recording = Recording.parse(encoder.out.bytes);
    assert.equal(recording.frames, 4);
    try {
      new Cursor(recording).seek(3);
    } catch (error) {
      assert.ok(error instanceof BadRecording, String(error));
      assert.match(error.message, /^frame 3: /);
    }
  }
});

// People open all sorts of files; each gets a sentence that says what to do.
test("files that are no recordings are told so", () => {
  const parse = (bytes: Uint8Array) => (): Recording => Recording.parse(bytes);
  assert.throws(parse(new TextEncoder().encode("solid cube")), /not a recording of Tribo.*--record/);
  assert.throws(parse(new Uint8Array(0)), /ends within its header/);
  assert.throws(parse(new Encoder(wildHeader, 32, 6).finish()), /version 6; this page reads versions 2 to 5/);
  for (const key of ["geoms", "bodies", "step", "gravity", "nq", "joints", "tolerance", "solvers", "turning"]) {
    const header = { ...wildHeader, [key]: "?" };
    assert.throws(parse(new Encoder(header).finish()), new RegExp(`“${key}”`), key);
  }
  const geoms = [{ ...(wildHeader.geoms as object[])[0], shape: "torus" }];
  assert.throws(parse(new Encoder({ ...wildHeader, geoms }).finish()), /“torus”/);
});

// The time of the last frame and the energy are plotted without decoding a frame.
test("series hold the numbers of every frame", () => {
  const recording = Recording.parse(pulled(30).finish());
  for (let f = 0; f < 30; ++f) {
    const wanted = pulledFrame(f);
    assert.equal(recording.series.time.at(f), wanted.time);
    assert.equal(recording.series.energy.at(f), wanted.energy);
    assert.equal(recording.series.contacts.at(f), wanted.contacts.length);
    assert.equal(recording.series.seconds.at(f), wanted.seconds);
  }
});
