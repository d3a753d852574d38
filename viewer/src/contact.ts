// One contact in numbers: forces along its normal and across, what friction allows, how fast it slips.
import { COUPLE, GAP, IMPULSE, MU, NORMAL, NUMBERS, POINT, STICK, TURNING, TURNING_MU, VELOCITY, type Contacts } from "./frame";
import type { Header } from "./header";
import { Cursor, type Recording } from "./recording";

export interface Contact {
  index: number;
  geomA: number;
  geomB: number;
  place: number;
  state: number;
  point: number[];
  normal: number[]; // from b to a
  gap: number; // m
  impulse: number[]; // N·s on a
  force: number[]; // N on a: impulse over the step
  normalForce: number; // N
  friction: number; // N, magnitude across the normal
  mu: number;
  allowed: number; // N, mu · normal force
  margin: number; // 1 − the share of the cone that friction and couples take; not a number where nothing is allowed
  turning: boolean; // there is friction against turning
  partial: boolean; // couples were not recorded: the margin is this at most
  muSpin: number; // m
  muRoll: number;
  spinCouple: number; // N·m about the normal; not a number: not recorded
  rollCouple: number;
  spin: number; // rad/s
  roll: number;
  velocity: number[]; // m/s, of a against b
  slip: number; // m/s, across the normal
  approach: number; // m/s, > 0: apart
}

const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
const across = (a: number[], n: number[]): number => {
  const along = dot(a, n);
  return Math.hypot(a[0]! - along * n[0]!, a[1]! - along * n[1]!, a[2]! - along * n[2]!);
};

export function readContact(contacts: Contacts, i: number, step: number): Contact {
  const at = NUMBERS * i;
  const three = (k: number): number[] => Array.from(contacts.numbers.subarray(at + k, at + k + 3));
  const normal = three(NORMAL);
  const impulse = three(IMPULSE);
  const force = impulse.map((x) => x / step);
  const velocity = three(VELOCITY);
  const mu = contacts.numbers[at + MU]!;
  const normalForce = dot(force, normal);
  const friction = across(force, normal);
  const pressed = Math.max(0, normalForce);
  const allowed = mu * pressed;
  const [muSpin, muRoll] = [contacts.numbers[at + TURNING_MU]!, contacts.numbers[at + TURNING_MU + 1]!];
  const couple = three(COUPLE).map((x) => x / step);
  const turn = three(TURNING);
  const [spinCouple, rollCouple] = [Math.abs(dot(couple, normal)), across(couple, normal)];
  const needs = [friction, spinCouple, rollCouple];
  let taken = 0;
  [mu, muSpin, muRoll].forEach((limit, k) => {
    if (limit * pressed > 0 && !Number.isNaN(needs[k])) taken += (needs[k]! / (limit * pressed)) ** 2;
  });
  const turning = muSpin > 0 || muRoll > 0;
  return {
    index: i,
    geomA: contacts.pair[2 * i]!,
    geomB: contacts.pair[2 * i + 1]!,
    place: contacts.place[i]!,
    state: contacts.state[i]!,
    point: three(POINT),
    normal,
    gap: contacts.numbers[at + GAP]!,
    impulse,
    force,
    normalForce,
    friction,
    mu,
    allowed,
    margin: Math.max(mu, muSpin, muRoll) * pressed > 0 ? 1 - Math.sqrt(taken) : NaN,
    turning,
    partial: turning && couple.some(Number.isNaN),
    muSpin,
    muRoll,
    spinCouple,
    rollCouple,
    spin: Math.abs(dot(turn, normal)),
    roll: across(turn, normal),
    velocity,
    slip: across(velocity, normal),
    approach: dot(velocity, normal),
  };
}

// The same contact in another frame: same pair, same place among its contacts; −1: it is not there.
export function findContact(contacts: Contacts, pair: readonly number[], place: number): number {
  for (let i = 0; i < contacts.count; ++i) {
    if (contacts.place[i] === place && pair.every((x, k) => contacts.pair[2 * i + k] === x)) return i;
  }
  return -1;
}

// The arrow shows the force on the body that moves; of two that do on the upper one, which it carries; side by side: on a.
export function actsOnB(contact: Contact, header: Header): boolean {
  const moves = (geom: number): boolean => header.bodies[header.geoms[geom]!.body]!.moves;
  const [a, b] = [moves(contact.geomA), moves(contact.geomB)];
  return a !== b ? b : dot(contact.normal, header.gravity) > 0.5 * Math.hypot(...header.gravity);
}

export const stateName = (state: number): string => (state === STICK ? "sticks" : state === 1 ? "slides" : "open");

const SAMPLES = 24; // frames

// A strong contact of an ordinary step, N: 95 % press less. 0: none presses.
export function usualForce(recording: Recording): number {
  const cursor = new Cursor(recording);
  const sizes: number[] = [];
  for (let k = 0; k < SAMPLES; ++k) {
    let at = Math.round((k * (recording.frames - 1)) / (SAMPLES - 1));
    while (!recording.isKey(at)) --at; // those need no other frame
    try {
      const { contacts } = cursor.seek(at);
      for (let i = 0; i < contacts.count; ++i) {
        const contact = readContact(contacts, i, recording.header!.step);
        const size = Math.hypot(...contact.force);
        if (size > 0 && Number.isFinite(size)) sizes.push(size);
      }
    } catch {
      break; // a damaged frame: what came before must do
    }
  }
  sizes.sort((a, b) => a - b);
  return sizes[Math.floor(0.95 * (sizes.length - 1))] ?? 0;
}
