// What a contact does and why, in sentences with numbers. Only recorded numbers are used; what is not recorded is not guessed.
// tribo why says the same words (cli/why_sentence.cpp); data/why/sentences.json holds both to it.
import { readContact, type Contact } from "./contact";
import { brief, briefPercent } from "./format";
import { OPEN, SLIDE, STICK, type Contacts } from "./frame";
import { groupOf, type Group } from "./group";
import type { Header } from "./header";

const STILL = 1e-6; // m/s, rad/s; slower motion is not worth a word
const ON_THE_RIM = 1e-5; // a smaller margin is none

const newton = (value: number): string => brief(value, "N");
const couple = (value: number): string => brief(value, "N·m");
const speed = (value: number): string => brief(value, "m/s");
const times = (mu: number, normal: number): string => `mu ${Number(mu.toPrecision(3))} × ${newton(normal)}`;

// What a pyramid allows in every direction, as a share of what it allows along its edges; a cone: 1.
function pyramidShare(model: string): number {
  const sides = /^coulomb-pyramid:(\d+)/.exec(model);
  return sides === null ? 1 : Math.cos(Math.PI / Math.max(4, Number(sides[1])));
}

function openSentence(contact: Contact): string {
  let text =
    contact.gap > 0
      ? `Is open by ${brief(contact.gap, "m")}`
      : contact.gap < 0
        ? `Carries nothing, though the shapes overlap by ${brief(-contact.gap, "m")}`
        : "Carries nothing: the shapes touch, and nothing presses";
  if (Math.abs(contact.approach) > STILL)
    text += `, ${contact.approach > 0 ? "parting" : "closing"} at ${speed(Math.abs(contact.approach))}`;
  if (contact.friction > 0) text += `; the model holds it sideways with ${newton(contact.friction)}`;
  return `${text}.`;
}

function turningSentence(contact: Contact): string {
  const pressed = Math.max(0, contact.normalForce);
  const against = (spin: number, roll: number): string =>
    (contact.muSpin > 0 ? `, ${couple(spin)} against spinning` : "") +
    (contact.muRoll > 0 ? `, ${couple(roll)} against rolling` : "");
  const needs = `${newton(contact.friction)} of friction${contact.partial ? "" : against(contact.spinCouple, contact.rollCouple)}`;
  const limits =
    `${newton(contact.allowed)} (${times(contact.mu, contact.normalForce)})` +
    `${against(contact.muSpin * pressed, contact.muRoll * pressed)}, less where they come together`;
  const missing = contact.partial ? "; couples against turning were not recorded" : "";
  if (contact.state === STICK) {
    const rest = `it needs ${needs}, and the cone allows ${limits}${missing}.`;
    if (!(contact.margin > ON_THE_RIM)) return `Sticks, but only just: ${rest}`;
    return `Sticks with ${contact.partial ? "at most " : ""}${briefPercent(contact.margin)} margin: ${rest}`;
  }
  const motions: string[] = [];
  if (contact.slip > STILL) motions.push(`slides at ${speed(contact.slip)}`);
  if (contact.muSpin > 0 && contact.spin > STILL) motions.push(`spins at ${brief(contact.spin, "rad/s")}`);
  if (contact.muRoll > 0 && contact.roll > STILL) motions.push(`rolls at ${brief(contact.roll, "rad/s")}`);
  if (motions.length === 0) motions.push(`slides at ${speed(contact.slip)}`);
  const text = motions.join(" and ");
  return (
    `${text[0]!.toUpperCase()}${text.slice(1)}: to hold it would take more than the cone allows, ${limits}; ` +
    `it brakes with ${needs}${missing}.`
  );
}

function pyramidSentence(contact: Contact, share: number): string {
  const least = share * contact.allowed;
  const edges = times(contact.mu, contact.normalForce);
  const range = `${newton(least)} to ${newton(contact.allowed)} by direction (${edges} along its edges)`;
  if (contact.state === SLIDE) {
    return (
      `Slides at ${speed(contact.slip)}: to hold it would take more friction than the pyramid allows, ${range}; ` +
      `it brakes with ${newton(contact.friction)}.`
    );
  }
  const margin = 1 - contact.friction / least;
  const rest = `it needs ${newton(contact.friction)} of friction, and the pyramid allows ${range}.`;
  return margin > ON_THE_RIM ? `Sticks with at least ${briefPercent(margin)} margin: ${rest}` : `Sticks: ${rest}`;
}

export function contactSentence(contact: Contact, header: Header): string {
  const { model } = header;
  if (contact.state === OPEN) return openSentence(contact);
  const presses = `is pressed with ${newton(contact.normalForce)}`;
  const at = ` at ${speed(contact.slip)}`;
  const friction = newton(contact.friction);
  if (model.startsWith("frictionless")) return `Slides freely${at}: ${presses}, and this model has no friction.`;
  if (model.startsWith("no-slip") && contact.state === SLIDE)
    return `Slides${at}: ${presses} and takes ${friction} of friction; the no-slip model did not hold it.`;
  if (model.startsWith("no-slip"))
    return `Sticks, as the no-slip model asks of every contact: ${presses} and takes ${friction} of friction, whatever mu is.`;
  if (model.startsWith("viscous")) return `Slides${at} against ${friction} of viscous friction: ${presses}.`;
  if (model.startsWith("friction-box")) {
    const does = contact.state === SLIDE ? `Slides${at}` : "Sticks";
    return `${does}: ${presses} and takes ${friction} of friction, within bounds that were known before the step.`;
  }
  if (contact.turning) return turningSentence(contact);
  if (!(contact.mu > 0)) return `Slides freely${at}: ${presses}, and mu is 0.`;
  const share = pyramidShare(model);
  if (share < 1) return pyramidSentence(contact, share);
  const allows = `${newton(contact.allowed)} (${times(contact.mu, contact.normalForce)})`;
  if (contact.state === SLIDE)
    return `Slides${at}: to hold it would take more friction than the cone allows, ${allows}; it brakes with ${friction}.`;
  const rest = `it needs ${friction} of friction, and the cone allows ${allows}.`;
  return contact.margin > ON_THE_RIM
    ? `Sticks with ${briefPercent(contact.margin)} margin: ${rest}`
    : `Sticks, but only just: ${rest}`;
}

// Sentences of models that have no cone; empty: it has one.
function groupWithoutCone(group: Group, model: string, who: string): string {
  const pressed = `they are pressed with ${newton(group.normal)}`;
  const takes = `${pressed} and take ${newton(group.friction)} of friction`;
  const slip = speed(group.slip);
  const count = group.contacts.length;
  const some = `As a whole, ${group.sliding} of ${count} contacts slide at up to ${slip}`;
  if (model.startsWith("frictionless"))
    return `${who} slide freely at up to ${slip}: ${pressed}, and this model has no friction.`;
  if (model.startsWith("no-slip") && group.sliding > 0) return `${some}: ${takes}; the no-slip model did not hold them.`;
  if (model.startsWith("no-slip"))
    return `${who} stick, as the no-slip model asks of every contact: ${takes}, whatever mu is.`;
  if (model.startsWith("viscous"))
    return `${who} slide at up to ${slip} against ${newton(group.friction)} of viscous friction: ${pressed}.`;
  if (model.startsWith("friction-box")) {
    const all = group.sliding > 0 ? `${who} slide at up to ${slip}` : `${who} stick`;
    const does = group.sliding > 0 && group.sliding < count ? `${some} and the others hold` : all;
    return `${does}: ${takes}, within bounds that were known before the step.`;
  }
  if (!(group.allowed > 0)) return `${who} slide freely at up to ${slip}: ${pressed}, and mu is 0.`;
  return "";
}

// Of two contacts or more.
export function groupSentence(group: Group, model: string): string {
  const count = group.contacts.length;
  const who = `As a whole, ${count} contacts`;
  const without = groupWithoutCone(group, model, who);
  if (without) return without;
  const share = pyramidShare(model);
  const pyramid = share < 1;
  const mu = times(group.allowed / group.normal, group.normal);
  const allows = pyramid
    ? `the pyramid allows ${newton(share * group.allowed)} to ${newton(group.allowed)} by direction (${mu} along its edges)`
    : `the cone allows ${newton(group.allowed)} (${mu})`;
  let takes = `${newton(group.friction)} of friction`;
  if (group.twisted) takes += ` and ${couple(group.twist)} about the normal (of at most ${couple(group.twistAllowed)})`;
  const slip = speed(group.slip);
  if (group.sliding === count)
    return `${who} slide at up to ${slip}: they take ${takes}, and ${allows}.`;
  if (group.sliding > 0)
    return (
      `As a whole, ${group.sliding} of ${count} contacts slide at up to ${slip} and the others hold: ` +
      `they take ${takes}, and ${allows}.`
    );
  const margin = pyramid ? 1 - (1 - group.margin) / share : group.margin;
  const rest = `they need ${takes}, and ${allows}.`;
  if (margin > ON_THE_RIM) {
    const bound = group.partial ? "at most " : group.twisted || pyramid ? "at least " : "";
    return `${who} stick with ${bound}${briefPercent(margin)} margin: ${rest}`;
  }
  return `${who} stick${group.twisted || pyramid ? "" : ", but only just"}: ${rest}`;
}

// All that is said of a contact: of its group first, where it has one, then of itself.
export function explain(header: Header, contacts: Contacts, i: number): string[] {
  const own = contactSentence(readContact(contacts, i, header.step), header);
  const group = groupOf(header, contacts, i);
  if (group === null || group.contacts.length < 2) return [own];
  // Three points of one plane that all slide share load and friction in one way only.
  const choice = group.contacts.length > 3 || group.sliding < group.contacts.length;
  const share = choice ? "Its own share, one choice of many" : "Its own share";
  return [groupSentence(group, header.model), `${share}: ${own[0]!.toLowerCase()}${own.slice(1)}`];
}
