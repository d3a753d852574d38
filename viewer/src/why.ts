// What a contact does and why, in a sentence with numbers. Only recorded numbers are used; what is not recorded is not guessed.
import type { Contact } from "./contact";
import { OPEN, SLIDE } from "./frame";
import { digits, percent, quantity } from "./format";

const SMALL_SPEED = 1e-6; // m/s; slower motion of a gap is not worth a word

export interface Context {
  model: string; // contact model of the header
  joint: string; // name; for limits and dry friction
  turning: boolean; // that joint turns: couples instead of forces
}

export function why(contact: Contact, context: Context): string {
  if (contact.geomA < 0) return whyJoint(contact, context);
  if (contact.state === OPEN) return whyOpen(contact);
  const presses = `is pressed with ${quantity(contact.normalForce, "N")}`;
  if (context.model.startsWith("frictionless")) return `Slides freely: ${presses}, and this model has no friction.`;
  if (context.model.startsWith("no-slip")) {
    return (
      `Sticks, as the no-slip model asks of every touching contact: ${presses} and takes ` +
      `${quantity(contact.friction, "N")} of friction, whatever the coefficient.`
    );
  }
  if (contact.mu === 0) return `Slides freely: ${presses}, and its friction coefficient is 0.`;
  return contact.state === SLIDE ? whySlides(contact) : whySticks(contact);
}

function limit(contact: Contact): string {
  return `${quantity(contact.allowed, "N")} (μ ${digits(contact.mu, 2)} × ${quantity(contact.normalForce, "N")})`;
}

function whySticks(contact: Contact): string {
  const needs = `needs ${quantity(contact.friction, "N")} of friction`;
  if (contact.margin < 1e-5) return `Sticks, but only just: it ${needs}, all that the cone allows: ${limit(contact)}.`;
  return `Sticks with ${percent(contact.margin)} margin: it ${needs} and the cone allows ${limit(contact)}.`;
}

function whySlides(contact: Contact): string {
  return (
    `Slides at ${quantity(contact.slip, "m/s")}: to hold on it needs more than the cone allows, ${limit(contact)}; ` +
    `friction brakes with ${quantity(contact.friction, "N")}.`
  );
}

function whyOpen(contact: Contact): string {
  const gap = contact.gap > 0 ? `a gap of ${quantity(contact.gap, "m")}` : "no gap, but nothing presses";
  const speed = contact.approach;
  if (!(Math.abs(speed) > SMALL_SPEED)) return `Is open: ${gap}, no force.`;
  return `Is open: ${gap}, ${speed > 0 ? "parting" : "closing"} at ${quantity(Math.abs(speed), "m/s")}, no force.`;
}

function whyJoint(contact: Contact, context: Context): string {
  const unit = context.turning ? "N·m" : "N";
  if (contact.mu === 0) {
    const gap = quantity(contact.gap, context.turning ? "rad" : "m");
    if (!(contact.normalForce > 0)) return `Joint ${context.joint} is free: ${gap} before its limit.`;
    return `Joint ${context.joint} is at its limit, which holds it with ${quantity(contact.normalForce, unit)}.`;
  }
  const most = quantity(contact.allowed, unit);
  if (contact.state === SLIDE) {
    const speed = quantity(contact.slip, context.turning ? "rad/s" : "m/s");
    return `Joint ${context.joint} moves at ${speed}: it needs more than the ${most} that its dry friction can hold.`;
  }
  return (
    `Dry friction holds joint ${context.joint} with ${percent(contact.margin)} margin: ` +
    `it needs ${quantity(contact.friction, unit)} and there can be ${most}.`
  );
}
