// Contacts of two bodies taken together. How single points share friction is one choice of many; their sum is not.
import { readContact, type Contact } from "./contact";
import { OPEN, SLIDE, type Contacts } from "./frame";
import type { Header } from "./header";

const PARALLEL = 0.9999; // cosine between normals that count as equal
const TWIST_WORTHY = 0.005; // of what is allowed; less is rounding

// Those of a pair that press and whose normals are (nearly) equal, and their resultant.
export interface Group {
  a: number; // bodies; what does not move is the world, 0
  b: number;
  contacts: Contact[];
  sliding: number; // how many slide
  normal: number; // N, sum
  friction: number; // N, size of the sum across the normal
  allowed: number; // N, sum of mu · normal
  twist: number; // N·m of friction about the normal through the centre of pressure
  twistAllowed: number; // N·m, if all friction were spent on it
  slip: number; // m/s, the fastest
  margin: number; // 1 − friction/allowed − twist/twistAllowed: at least this is left
  twisted: boolean; // the twist is worth a word
  partial: boolean; // there is friction against turning beside it: the margin is this at most
}

const dot = (a: readonly number[], b: readonly number[]): number => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
const cross = (a: readonly number[], b: readonly number[]): number[] => [
  a[1]! * b[2]! - a[2]! * b[1]!,
  a[2]! * b[0]! - a[0]! * b[2]!,
  a[0]! * b[1]! - a[1]! * b[0]!,
];
const scaled = (a: readonly number[], s: number): number[] => a.map((x) => s * x);
const sum = (a: readonly number[], b: readonly number[]): number[] => a.map((x, k) => x + b[k]!);
const across = (a: readonly number[], n: readonly number[]): number[] => sum(a, scaled(n, -dot(a, n)));

export function movingBody(header: Header, geom: number): number {
  const { body } = header.geoms[geom]!;
  return header.bodies[body]!.moves ? body : 0;
}

const sideOf = (header: Header, contact: Contact, a: number): number => (movingBody(header, contact.geomA) === a ? 1 : -1);

function addUp(header: Header, a: number, b: number, contacts: Contact[]): Group {
  const first = contacts[0]!;
  const n = scaled(first.normal, sideOf(header, first, a));
  const group: Group = {
    a,
    b,
    contacts,
    sliding: contacts.filter((contact) => contact.state === SLIDE).length,
    normal: 0,
    friction: 0,
    allowed: 0,
    twist: 0,
    twistAllowed: 0,
    slip: Math.max(...contacts.map((contact) => contact.slip)),
    margin: NaN,
    twisted: false,
    partial: contacts.some((contact) => contact.turning),
  };
  let friction = [0, 0, 0];
  let centre = [0, 0, 0];
  for (const contact of contacts) {
    const normal = Math.max(0, contact.normalForce);
    group.normal += normal;
    group.allowed += contact.allowed;
    friction = sum(friction, across(scaled(contact.force, sideOf(header, contact, a)), n));
    centre = sum(centre, scaled(contact.point, normal));
  }
  if (group.normal > 0) centre = scaled(centre, 1 / group.normal);
  let moment = [0, 0, 0];
  for (const contact of contacts) {
    const arm = sum(contact.point, scaled(centre, -1));
    moment = sum(moment, cross(arm, scaled(contact.force, sideOf(header, contact, a))));
    group.twistAllowed += contact.allowed * Math.hypot(...across(arm, n));
  }
  group.friction = Math.hypot(...friction);
  group.twist = Math.abs(dot(moment, n));
  const twisting = group.twistAllowed > 0 ? group.twist / group.twistAllowed : 0;
  group.twisted = !group.partial && twisting > TWIST_WORTHY;
  if (group.allowed > 0) group.margin = 1 - group.friction / group.allowed - (group.twisted ? twisting : 0);
  return group;
}

// The group that a contact is part of: itself alone, or with others; null where it does not press.
export function groupOf(header: Header, contacts: Contacts, i: number): Group | null {
  const bodies = (k: number): [number, number] | null => {
    if (contacts.state[k] === OPEN) return null;
    const [a, b] = [movingBody(header, contacts.pair[2 * k]!), movingBody(header, contacts.pair[2 * k + 1]!)];
    return [Math.max(a, b), Math.min(a, b)];
  };
  const pair = bodies(i);
  if (pair === null) return null;
  const [a, b] = pair;
  const lists: Contact[][] = [];
  for (let k = 0; k < contacts.count; ++k) {
    const other = bodies(k);
    if (other === null || other[0] !== a || other[1] !== b) continue;
    const contact = readContact(contacts, k, header.step);
    const n = scaled(contact.normal, sideOf(header, contact, a));
    const mine = lists.find(([first]) => dot(n, scaled(first!.normal, sideOf(header, first!, a))) > PARALLEL);
    if (mine === undefined) lists.push([contact]);
    else mine.push(contact);
  }
  return addUp(header, a, b, lists.find((list) => list.some((contact) => contact.index === i))!);
}
