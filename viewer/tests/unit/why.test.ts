// The page says what tribo why says: both read the same cases (tests/cli/why_sentence_test.cpp).
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { type Contacts, COUPLE, GAP, IMPULSE, MU, NORMAL, NUMBERS, POINT, TURNING, TURNING_MU, VELOCITY } from "../../src/frame";
import type { Header } from "../../src/header";
import { jointRowSentence, type JointRowKind } from "../../src/joint_rows";
import { explain } from "../../src/why";

interface Case {
  name: string;
  model: string;
  contact: number;
  says: string[];
  contacts: {
    geoms: number[];
    state: string;
    point: number[];
    normal: number[];
    gap: number;
    force: number[];
    mu: number;
    velocity: number[];
    mu_spin?: number;
    mu_roll?: number;
    couple?: number[] | null;
    turning?: number[];
  }[];
}

const shared = JSON.parse(readFileSync("../data/why/sentences.json", "utf8")) as {
  header: { step: number; bodies: object[]; geoms: object[]; joints: string[]; joint_kinds: string[] };
  cases: Case[];
  joint_rows: {
    name: string;
    kind: JointRowKind;
    joint: number;
    place: number;
    state: string;
    gap: number;
    bound: number;
    force: number;
    velocity: number;
    says: string;
  }[];
};

const STATES = ["open", "slide", "stick"];

const headerOf = (model: string): Header =>
  ({ ...shared.header, jointKinds: shared.header.joint_kinds, model }) as unknown as Header;

function contactsOf({ contacts }: Case): Contacts {
  const count = contacts.length;
  const numbers = new Float64Array(NUMBERS * count);
  contacts.forEach((contact, i) => {
    const put = (at: number, values: readonly number[]): void => numbers.set(values, NUMBERS * i + at);
    const impulse = (force: readonly number[]): number[] => force.map((x) => x * shared.header.step);
    put(POINT, contact.point);
    put(NORMAL, contact.normal);
    put(GAP, [contact.gap]);
    put(IMPULSE, impulse(contact.force));
    put(MU, [contact.mu]);
    put(VELOCITY, contact.velocity);
    put(TURNING_MU, [contact.mu_spin ?? 0, contact.mu_roll ?? 0]);
    put(COUPLE, contact.couple === null ? [NaN, NaN, NaN] : impulse(contact.couple ?? [0, 0, 0]));
    put(TURNING, contact.turning ?? [0, 0, 0]);
  });
  return {
    count,
    state: Uint8Array.from(contacts, ({ state }) => STATES.indexOf(state)),
    pair: Int32Array.from(contacts.flatMap(({ geoms }) => geoms)),
    place: Int32Array.from(contacts, (_, i) => i),
    numbers,
  };
}

test("there are cases to read", () => assert.ok(shared.cases.length > 30));

for (const one of shared.cases) {
  test(`why: ${one.name}`, () => assert.deepEqual(explain(headerOf(one.model), contactsOf(one), one.contact), one.says));
}

for (const one of shared.joint_rows) {
  test(`why: ${one.name}`, () => {
    const { step } = shared.header;
    const row = { ...one, state: STATES.indexOf(one.state), bound: step * one.bound, impulse: step * one.force };
    assert.equal(jointRowSentence(headerOf("cone"), row), one.says);
  });
}
