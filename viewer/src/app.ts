// The page: one recording at a time, its frame on the stage, in the bar and in the panel.
import * as THREE from "three";
import { findContact, readContact, usualForce, type Contact } from "./contact";
import { quantity } from "./format";
import { OPEN, type Frame } from "./frame";
import { BadRecording } from "./header";
import { findJointRow, isTelling, keyOfRow, type JointRowKey } from "./joint_rows";
import { makeActions } from "./actions";
import { fillHelp, listenToKeys } from "./keys";
import type { Messages } from "./messages";
import { nameOfBody, Panel, twistBetween } from "./panel";
import { Player } from "./player";
import { Plots } from "./plots";
import { Cursor, type Recording } from "./recording";
import { Stage } from "./stage";
import { ThemeSwitch } from "./theme";
import { Transport } from "./transport";

const byId = <T extends HTMLElement = HTMLElement>(id: string): T => document.getElementById(id) as T;

const TOUCH = 14; // px around a contact that count as a click on it
const MANY = 80; // contacts; cones are off at first where there are more

export type ShowButton = "show-points" | "show-forces" | "show-cones" | "show-glass" | "show-hulls";

type Selection =
  | { kind: "contact"; pair: readonly number[]; place: number }
  | ({ kind: "joint" } & JointRowKey)
  | { kind: "body"; body: number }
  | null;

interface Session {
  recording: Recording;
  cursor: Cursor;
  trail: Cursor; // one frame behind, for velocities
  player: Player;
  plots: Plots;
  panel: Panel;
  frame: Frame;
  forceScale: number; // m per N before the user's factor
}

export class App {
  readonly stage: Stage;
  readonly themes: ThemeSwitch;
  readonly transport = new Transport();
  private session: Session | null = null;
  private selection: Selection = null;
  private selectedContact: Contact | null = null;
  private followed: number[] | null = null; // where the followed body was; null: the camera stays

  constructor(
    private readonly messages: Messages,
    openFile: () => void,
  ) {
    this.themes = new ThemeSwitch((theme) => {
      this.stage.setTheme(theme);
      this.session?.plots.draw();
      this.transport.drawMarks();
      this.refresh();
    });
    this.stage = new Stage(byId<HTMLCanvasElement>("canvas"), this.themes.theme);
    this.stage.onDraw = () => this.placeTag();
    this.themes.apply();
    this.listen(openFile);
  }

  get player(): Player | null {
    return this.session?.player ?? null;
  }
  get frame(): Frame | null {
    return this.session?.frame ?? null;
  }

  // Needs a header and one frame at least.
  open(recording: Recording): void {
    this.session?.player.pause();
    const header = recording.header!;
    const cursor = new Cursor(recording);
    const frame = cursor.seek(0);
    const player = new Player(recording);
    const plots = new Plots(byId("plots"), recording, (time) => player.seekTime(time));
    const panel = new Panel(byId("selection"), header);
    this.selection = null;
    this.setFollow(null);
    this.stage.load(header, frame);
    const { contacts, bodies } = this.stage.world!;
    this.session = { recording, cursor, trail: new Cursor(recording), player, plots, panel, frame, forceScale: 1 };
    player.onChange = () => this.refresh();
    this.chooseForceScale();
    contacts.showCones = Math.max(...recording.series.contacts.values.subarray(0, recording.frames)) <= MANY;
    contacts.showPoints = contacts.showForces = true;
    byId("show-hulls").hidden = !bodies.hasHidden;
    this.transport.attach(recording, player);
    this.setTitle();
    this.messages.ready();
    this.syncButtons();
    this.stage.resize();
    this.stage.orbit.reset();
    plots.draw();
    this.refresh();
  }

  // Frames were added to the recording that is open.
  grew(): void {
    if (this.session === null) return;
    this.transport.grew();
    this.session.plots.draw();
    if (this.session.forceScale === 1) this.chooseForceScale();
    if (this.session.player.following) this.session.player.follow();
    else this.refresh();
  }

  setLive(running: boolean): void {
    this.transport.setLive(running);
  }

  private setTitle(): void {
    const { header } = this.session!.recording;
    const { name, scene, model, solver, step } = header!;
    const title = name || scene.split("/").pop() || "recording";
    document.title = `${title} – Tribo`;
    byId("name").textContent = title;
    const grid = quantity(this.stage.world!.floors[0]!.cell, "m", 1);
    byId("about").textContent = `${model} model · solver ${solver} · step ${quantity(step, "s", 2)} · grid ${grid}`;
  }

  // A strong contact of an ordinary step is as long as a body, at most a quarter of the scene; impacts are longer.
  private chooseForceScale(): void {
    const session = this.session!;
    const force = usualForce(session.recording);
    if (force === 0) return;
    const whole = 0.28 * this.stage.radius;
    const body = this.stage.world!.bodies.usualSize();
    session.forceScale = (body > 0 ? Math.min(whole, Math.max(body, 0.1 * whole)) : whole) / force;
    this.applyForceScale();
  }

  private applyForceScale(): void {
    if (this.session === null) return;
    const input = byId<HTMLInputElement>("scale").querySelector("input")!;
    const scale = this.session.forceScale * 10 ** input.valueAsNumber;
    input.style.setProperty("--fill", `${25 * (input.valueAsNumber + 2)}%`);
    this.stage.world!.contacts.forceScale = scale;
    const perCell = this.stage.world!.floors[0]!.cell / scale;
    byId("scale").querySelector("output")!.textContent = `${quantity(perCell, "N", 2)} per square`;
  }

  // The frame of the player, everywhere.
  refresh(): void {
    const { session } = this;
    if (session === null || this.stage.world === null) return;
    const { player, recording } = session;
    try {
      session.frame = session.cursor.seek(player.frame);
    } catch (error) {
      if (!(error instanceof BadRecording)) throw error;
      player.pause();
      this.messages.note(`The recording is damaged in ${error.message}. The last good frame is shown.`);
    }
    const { frame } = session;
    byId("selection").setAttribute("aria-live", player.playing ? "off" : "polite");
    this.stage.world.bodies.setPoses(frame.poses);
    this.showSelection();
    this.followBody();
    this.stage.world.contacts.update(frame.contacts, recording.header!.step, this.selectedContact?.index ?? -1);
    session.plots.setFrame(player.frame);
    this.countStates(frame);
    this.transport.update();
    this.stage.invalidate();
  }

  // Limits and dry friction of joints are counted apart.
  private countStates(frame: Frame): void {
    const counts = [0, 0, 0];
    const joints = frame.jointRows.length;
    for (let i = 0; i < frame.contacts.count; ++i) counts[frame.contacts.state[i]!]!++;
    byId("joints").hidden = joints === 0;
    byId("joints").querySelector("output")!.textContent = String(joints);
    this.session!.plots.setJoints(joints);
    for (const button of document.querySelectorAll<HTMLElement>("#legend button"))
      button.querySelector("output")!.textContent = String(counts[Number(button.dataset.state)]);
  }

  private showSelection(): void {
    const { recording, panel, frame, trail, player } = this.session!;
    const header = recording.header!;
    const accent = new THREE.Color(this.themes.theme.accent);
    const { selection } = this;
    this.selectedContact = null;
    this.stage.world!.bodies.select(selection?.kind === "body" ? selection.body : -1, accent);
    if (selection === null)
      return panel.showNothing("Click a body or a contact for its numbers. N goes from contact to contact.", frame.jointRows);
    if (selection.kind === "joint") {
      const i = findJointRow(frame.jointRows, selection);
      if (i < 0) return panel.showNothing("The selected limit is not listed at this time: the joint is too far from it.");
      return panel.showJointRow(frame.jointRows[i]!, frame);
    }
    if (selection.kind === "contact") {
      const i = findContact(frame.contacts, selection.pair, selection.place);
      if (i < 0) return panel.showNothing("The selected contact is not listed at this time: its bodies are too far apart.");
      this.selectedContact = readContact(frame.contacts, i, header.step);
      return panel.showContact(this.selectedContact, frame);
    }
    let twist = null;
    if (player.frame > 0) {
      const before = trail.seek(player.frame - 1);
      twist = twistBetween(before.poses, frame.poses, selection.body, frame.time - before.time);
    }
    let touching = 0;
    for (let i = 0; i < frame.contacts.count; ++i) {
      const geoms = [frame.contacts.pair[2 * i]!, frame.contacts.pair[2 * i + 1]!];
      const mine = geoms.some((geom) => header.geoms[geom]!.body === selection.body);
      if (mine && frame.contacts.state[i] !== OPEN) ++touching;
    }
    panel.showBody(selection.body, frame, twist, touching);
  }

  // A label beside what is selected.
  private placeTag(): void {
    const tag = byId("tag");
    const { selection, selectedContact, session } = this;
    let point: number[] | null = null;
    let text = "";
    if (selectedContact !== null) {
      point = selectedContact.point;
      text = quantity(Math.hypot(...selectedContact.force), "N");
    } else if (selection?.kind === "body" && session !== null) {
      point = Array.from(session.frame.poses.subarray(7 * selection.body, 7 * selection.body + 3));
      text = nameOfBody(session.recording.header!, selection.body);
    }
    const seen = point === null ? null : this.stage.project(point);
    tag.hidden = seen === null || !(seen.z < 1);
    if (tag.hidden || seen === null) return;
    tag.textContent = text;
    tag.style.transform = `translate(${Math.round(seen.x + 14)}px, ${Math.round(seen.y - 30)}px)`;
  }

  select(selection: Selection): void {
    this.selection = selection;
    if (this.followed !== null) this.setFollow(this.selectedBody());
    this.peek(selection !== null);
    this.refresh();
  }

  showAll(): void {
    this.stage.showAll();
    this.setFollow(null);
  }

  // The body that is selected, or the one that moves of a selected contact; −1: none.
  private selectedBody(): number {
    const { selection } = this;
    if (selection === null || this.session === null) return -1;
    if (selection.kind === "body") return selection.body;
    if (selection.kind === "joint") return -1;
    const { bodies, geoms } = this.session.recording.header!;
    const sides = selection.pair.map((geom) => geoms[geom]!.body);
    return sides.find((body) => bodies[body]!.moves) ?? -1;
  }

  toggleFollow(): void {
    const body = this.selectedBody();
    this.setFollow(this.followed === null && body >= 0 ? body : null);
    this.refresh();
  }

  private placeOf(body: number): number[] {
    return Array.from(this.session!.frame.poses.subarray(7 * body, 7 * body + 3));
  }

  private setFollow(body: number | null): void {
    this.followed = body === null || body < 0 ? null : this.placeOf(body);
    if (this.followed !== null) this.stage.orbit.moveTarget(new THREE.Vector3(...this.followed));
    byId("follow").setAttribute("aria-pressed", String(this.followed !== null));
  }

  // The camera moves as the body does: what the user turned and zoomed stays.
  private followBody(): void {
    const body = this.followed === null ? -1 : this.selectedBody();
    if (this.followed === null || body < 0) return;
    const now = this.placeOf(body);
    if (!now.every(Number.isFinite)) return;
    const { orbit } = this.stage;
    orbit.moveTarget(orbit.controls.target.clone().add(new THREE.Vector3(...now)).sub(new THREE.Vector3(...this.followed)));
    this.followed = now;
  }

  // On a phone what is selected is told below the scene.
  private peek(on: boolean): void {
    const { dataset } = byId("app");
    if (on && dataset.sheet === undefined) dataset.sheet = "peek";
    else if (!on && dataset.sheet === "peek") delete dataset.sheet;
  }

  selectContact(i: number): void {
    const contacts = this.session!.frame.contacts;
    this.select({ kind: "contact", pair: Array.from(contacts.pair.subarray(2 * i, 2 * i + 2)), place: contacts.place[i]! });
  }

  // A contact near the pointer, else the body under it.
  private pick(x: number, y: number): void {
    const world = this.stage.world;
    if (world === null) return;
    const body = world.bodies.pick(this.stage.rayAt(x, y));
    let best = -1;
    let least = TOUCH;
    for (const contact of world.contacts.showPoints || world.contacts.showForces ? world.contacts.shown : []) {
      const seen = this.stage.project(contact.point);
      if (!(seen.z < 1)) continue;
      const depth = new THREE.Vector3(...contact.point).distanceTo(this.stage.orbit.camera.position);
      // Those behind a body count only where they are meant.
      const hidden = depth > body.distance * 1.01 ? 8 : 0;
      const distance = Math.hypot(seen.x - x, seen.y - y) + hidden;
      if (distance < least) [best, least] = [contact.index, distance];
    }
    if (best >= 0) this.selectContact(best);
    else this.select(body.body >= 0 ? { kind: "body", body: body.body } : null);
  }

  // Contacts, strongest first; then limits and dry friction of joints, which have no point to click: those that hold or are
  // overcome first.
  nextContact(by: number): void {
    if (this.session === null) return;
    const { frame, recording } = this.session;
    const hidden = this.stage.world!.contacts.hiddenStates;
    const contacts: Contact[] = [];
    for (let i = 0; i < frame.contacts.count; ++i)
      if (!hidden.has(frame.contacts.state[i]!)) contacts.push(readContact(frame.contacts, i, recording.header!.step));
    contacts.sort((a, b) => Math.hypot(...b.force) - Math.hypot(...a.force));
    const rows = frame.jointRows.map((_, i) => i).filter((i) => !hidden.has(frame.jointRows[i]!.state));
    rows.sort((a, b) => Number(isTelling(frame.jointRows[b]!)) - Number(isTelling(frame.jointRows[a]!)));
    const count = contacts.length + rows.length;
    if (count === 0) return;
    const { selection } = this;
    const row = selection?.kind === "joint" ? rows.indexOf(findJointRow(frame.jointRows, selection)) : -1;
    const at = row >= 0 ? contacts.length + row : contacts.findIndex((contact) => contact.index === this.selectedContact?.index);
    const to = at < 0 ? 0 : (at + by + count) % count;
    if (to >= contacts.length) return this.select({ kind: "joint", ...keyOfRow(frame.jointRows, rows[to - contacts.length]!) });
    const next = contacts[to]!;
    this.selectContact(next.index);
    if (next.point.every(Number.isFinite)) this.stage.bringIntoView(next.point);
  }

  toggle(id: ShowButton): void {
    const button = byId(id);
    if (this.stage.world === null || button.hidden) return;
    const on = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(on));
    const { contacts, bodies } = this.stage.world;
    if (id === "show-points") contacts.showPoints = on;
    if (id === "show-forces") contacts.showForces = on;
    if (id === "show-cones") contacts.showCones = on;
    if (id === "show-glass") bodies.seeThrough(on);
    if (id === "show-hulls") bodies.showHidden(on);
    this.refresh();
  }

  private syncButtons(): void {
    const { contacts } = this.stage.world!;
    byId("show-points").setAttribute("aria-pressed", String(contacts.showPoints));
    byId("show-forces").setAttribute("aria-pressed", String(contacts.showForces));
    byId("show-cones").setAttribute("aria-pressed", String(contacts.showCones));
    for (const id of ["show-glass", "show-hulls"]) byId(id).setAttribute("aria-pressed", "false");
    for (const button of document.querySelectorAll("#legend button")) button.setAttribute("aria-pressed", "true");
  }

  showHelp(): void {
    byId<HTMLDialogElement>("help-dialog").showModal();
  }

  private openSheet(open: boolean): void {
    if (open) byId("app").dataset.sheet = "open";
    else delete byId("app").dataset.sheet;
    byId("sheet").setAttribute("aria-expanded", String(open));
    if (open) setTimeout(() => this.session?.plots.draw(), 0);
  }

  private listen(openFile: () => void): void {
    for (const id of ["show-points", "show-forces", "show-cones", "show-glass", "show-hulls"] as const)
      byId(id).addEventListener("click", () => this.toggle(id));
    byId("home").addEventListener("click", () => this.showAll());
    byId("follow").addEventListener("click", () => this.toggleFollow());
    byId("theme").addEventListener("click", () => this.themes.toggle());
    byId("open").addEventListener("click", openFile);
    byId("help").addEventListener("click", () => this.showHelp());
    byId("sheet").addEventListener("click", () => this.openSheet(byId("app").dataset.sheet !== "open"));
    byId("scale")
      .querySelector("input")!
      .addEventListener("input", () => {
        this.applyForceScale();
        this.refresh();
      });
    for (const button of document.querySelectorAll<HTMLElement>("#legend button")) {
      button.addEventListener("click", () => {
        const hidden = this.stage.world?.contacts.hiddenStates;
        const state = Number(button.dataset.state);
        if (hidden === undefined) return;
        if (!hidden.delete(state)) hidden.add(state);
        button.setAttribute("aria-pressed", String(!hidden.has(state)));
        this.refresh();
      });
    }
    this.listenToPointer();
    new ResizeObserver(() => {
      this.session?.plots.draw();
      this.transport.drawMarks();
    }).observe(byId("panel"));
    const actions = makeActions(this, openFile);
    listenToKeys(actions);
    fillHelp(byId("help-list"), actions);
  }

  // A click is a press that did not move: dragging turns the camera.
  private listenToPointer(): void {
    const canvas = byId("canvas");
    let start: { x: number; y: number; id: number } | null = null;
    canvas.addEventListener("pointerdown", (event) => {
      start = event.isPrimary && event.button === 0 ? { x: event.clientX, y: event.clientY, id: event.pointerId } : null;
    });
    canvas.addEventListener("pointerup", (event) => {
      if (start === null || event.pointerId !== start.id) return;
      const moved = Math.hypot(event.clientX - start.x, event.clientY - start.y);
      start = null;
      const box = canvas.getBoundingClientRect();
      if (moved < 5) this.pick(event.clientX - box.left, event.clientY - box.top);
    });
  }
}
