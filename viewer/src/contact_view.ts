// Contacts in space: a point, an arrow for the force, the friction cone. What bodies hide shows through faintly.
import * as THREE from "three";
import { actsOnB, readContact, type Contact } from "./contact";
import { OPEN, type Contacts } from "./frame";
import type { Header } from "./header";
import type { Theme } from "./theme";

const HIDDEN_ALPHA = 0.28;
const MANY = 150; // contacts; more are drawn smaller, and those behind bodies not at all

const POINT_VERTEX = `
uniform float size;
attribute float look;  // 1: selected, −1: open
varying vec3 tint;
varying float radius;
varying float hollow;
void main() {
  tint = color;
  // A little nearer than the surfaces that touch here.
  vec4 place = modelViewMatrix * vec4(position, 1.0);
  place.xyz *= 0.99;
  gl_Position = projectionMatrix * place;
  radius = size * (1.0 + 0.55 * max(look, 0.0));
  hollow = max(-look, 0.0);
  gl_PointSize = 2.0 * radius;
}`;
const POINT_FRAGMENT = `
uniform vec3 rim;
uniform float alpha;
varying vec3 tint;
varying float radius;
varying float hollow;
void main() {
  float r = length(gl_PointCoord - 0.5) * 2.0 * radius;
  float inside = 1.0 - smoothstep(radius - 1.2, radius - 0.2, r);
  float core = 1.0 - smoothstep(0.70 * radius - 0.6, 0.70 * radius + 0.4, r);
  core *= 1.0 - hollow * (1.0 - smoothstep(0.30 * radius - 0.5, 0.30 * radius + 0.5, r));
  if (inside <= 0.0) discard;
  gl_FragColor = vec4(mix(rim, tint, core), alpha * inside);
  #include <colorspace_fragment>
}`;
const CONE_VERTEX = `
varying vec3 tint;
varying float height;
void main() {
  tint = instanceColor;
  height = position.z;
  gl_Position = projectionMatrix * modelViewMatrix * instanceMatrix * vec4(position, 1.0);
}`;
const CONE_FRAGMENT = `
varying vec3 tint;
varying float height;
void main() {
  gl_FragColor = vec4(tint, 0.07 + 0.13 * height + 0.35 * smoothstep(0.965, 0.985, height));
  #include <colorspace_fragment>
}`;

// The same instances twice: in front of the bodies as they are, behind them faintly.
class TwoSided {
  readonly group = new THREE.Group();
  private front: THREE.InstancedMesh;
  private behind: THREE.InstancedMesh;
  private room = 0;

  constructor(private readonly geometry: THREE.BufferGeometry) {
    this.front = new THREE.InstancedMesh(geometry, new THREE.MeshBasicMaterial({ toneMapped: false }), 0);
    this.behind = this.front;
    this.reserve(64);
  }

  reserve(count: number): void {
    if (count <= this.room) return;
    this.room = 2 * count;
    this.dispose();
    this.group.clear();
    const material = new THREE.MeshBasicMaterial({ toneMapped: false });
    const faint = new THREE.MeshBasicMaterial({
      toneMapped: false,
      transparent: true,
      opacity: HIDDEN_ALPHA,
      depthFunc: THREE.GreaterDepth,
      depthWrite: false,
    });
    this.front = new THREE.InstancedMesh(this.geometry, material, this.room);
    this.front.setColorAt(0, new THREE.Color());
    this.behind = new THREE.InstancedMesh(this.geometry, faint, this.room);
    this.behind.instanceMatrix = this.front.instanceMatrix;
    this.behind.instanceColor = this.front.instanceColor;
    for (const mesh of [this.front, this.behind]) mesh.frustumCulled = false;
    this.group.add(this.behind, this.front);
  }

  set(i: number, matrix: THREE.Matrix4, colour: THREE.Color): void {
    this.front.setMatrixAt(i, matrix);
    this.front.setColorAt(i, colour);
  }

  finish(count: number, through: boolean): void {
    this.front.count = count;
    this.behind.visible = through;
    this.behind.count = count;
    this.front.instanceMatrix.needsUpdate = true;
    this.front.instanceColor!.needsUpdate = true;
  }

  dispose(): void {
    for (const mesh of [this.front, this.behind]) {
      mesh.dispose();
      (mesh.material as THREE.Material).dispose();
    }
  }
}

export class ContactView {
  readonly group = new THREE.Group();
  shown: Contact[] = []; // those that are drawn, in this order
  forceScale = 1; // m per N
  showPoints = true;
  showForces = true;
  showCones = true;
  hiddenStates = new Set<number>();
  private readonly shafts = new TwoSided(new THREE.CylinderGeometry(1, 1, 1, 12).rotateX(Math.PI / 2).translate(0, 0, 0.5));
  private readonly heads = new TwoSided(new THREE.ConeGeometry(1, 1, 20).rotateX(Math.PI / 2).translate(0, 0, 0.5));
  private readonly points: THREE.Points;
  private readonly pointsBehind: THREE.Points;
  private readonly pointGeometry = new THREE.BufferGeometry();
  private cones: THREE.InstancedMesh;
  private readonly coneGeometry: THREE.BufferGeometry;
  private readonly coneMaterial: THREE.ShaderMaterial;
  private colours = [new THREE.Color(), new THREE.Color(), new THREE.Color()];
  private accent = new THREE.Color();
  private pixelRatio = 1;

  constructor(
    private readonly header: Header,
    private readonly radius: number,
  ) {
    const makePoints = (alpha: number, depthFunc: THREE.DepthModes): THREE.Points => {
      const material = new THREE.ShaderMaterial({
        vertexShader: POINT_VERTEX,
        fragmentShader: POINT_FRAGMENT,
        uniforms: { size: { value: 6 }, alpha: { value: alpha }, rim: { value: new THREE.Color() } },
        vertexColors: true,
        transparent: true,
        depthWrite: false,
        depthFunc,
        toneMapped: false,
      });
      const points = new THREE.Points(this.pointGeometry, material);
      points.frustumCulled = false;
      points.renderOrder = 3;
      return points;
    };
    this.pointsBehind = makePoints(HIDDEN_ALPHA, THREE.GreaterDepth);
    this.points = makePoints(1, THREE.LessEqualDepth);
    this.coneGeometry = new THREE.ConeGeometry(1, 1, 48, 1, true).rotateX(-Math.PI / 2).translate(0, 0, 0.5);
    this.coneMaterial = new THREE.ShaderMaterial({
      vertexShader: CONE_VERTEX,
      fragmentShader: CONE_FRAGMENT,
      transparent: true,
      depthWrite: false,
      side: THREE.DoubleSide,
      toneMapped: false,
    });
    this.cones = this.makeCones(64);
    this.group.add(this.shafts.group, this.heads.group, this.pointsBehind, this.points, this.cones);
  }

  private makeCones(room: number): THREE.InstancedMesh {
    const cones = new THREE.InstancedMesh(this.coneGeometry, this.coneMaterial, room);
    cones.setColorAt(0, new THREE.Color());
    cones.frustumCulled = false;
    cones.renderOrder = 2;
    return cones;
  }

  setTheme(theme: Theme): void {
    this.colours = theme.states.map((colour) => new THREE.Color(colour));
    this.accent = new THREE.Color(theme.accent);
    for (const points of [this.points, this.pointsBehind])
      (points.material as THREE.ShaderMaterial).uniforms.rim!.value.set(theme.rim);
  }

  setPixelRatio(ratio: number): void {
    this.pixelRatio = ratio;
  }

  private get crowded(): boolean {
    return this.shown.length > MANY;
  }

  update(contacts: Contacts, step: number, selected: number): void {
    this.shown = [];
    for (let i = 0; i < contacts.count; ++i) {
      if (this.hiddenStates.has(contacts.state[i]!)) continue;
      const contact = readContact(contacts, i, step);
      if (contact.point.every(Number.isFinite)) this.shown.push(contact);
    }
    this.drawPoints(selected);
    this.drawArrows(selected);
    this.drawCones(selected);
  }

  private drawPoints(selected: number): void {
    const count = this.showPoints ? this.shown.length : 0;
    let positions = this.pointGeometry.getAttribute("position") as THREE.BufferAttribute | undefined;
    if (positions === undefined || positions.count < count) {
      const room = Math.max(64, 2 * count);
      // A geometry keeps the length it was first drawn with.
      this.pointGeometry.dispose();
      positions = new THREE.BufferAttribute(new Float32Array(3 * room), 3);
      this.pointGeometry.setAttribute("position", positions);
      this.pointGeometry.setAttribute("color", new THREE.BufferAttribute(new Float32Array(3 * room), 3));
      this.pointGeometry.setAttribute("look", new THREE.BufferAttribute(new Float32Array(room), 1));
    }
    const colours = this.pointGeometry.getAttribute("color") as THREE.BufferAttribute;
    const look = this.pointGeometry.getAttribute("look") as THREE.BufferAttribute;
    for (let i = 0; i < count; ++i) {
      const contact = this.shown[i]!;
      const colour = contact.index === selected ? this.accent : this.colours[contact.state]!;
      positions.setXYZ(i, contact.point[0]!, contact.point[1]!, contact.point[2]!);
      colours.setXYZ(i, colour.r, colour.g, colour.b);
      look.setX(i, contact.index === selected ? 1 : contact.state === OPEN ? -1 : 0);
    }
    for (const attribute of [positions, colours, look]) attribute.needsUpdate = true;
    for (const points of [this.points, this.pointsBehind])
      (points.material as THREE.ShaderMaterial).uniforms.size!.value = (this.crowded ? 3.6 : 5.5) * this.pixelRatio;
    this.pointsBehind.visible = !this.crowded;
    this.pointGeometry.setDrawRange(0, count);
  }

  private drawArrows(selected: number): void {
    this.shafts.reserve(this.shown.length);
    this.heads.reserve(this.shown.length);
    const matrix = new THREE.Matrix4();
    const turn = new THREE.Quaternion();
    const up = new THREE.Vector3(0, 0, 1);
    const direction = new THREE.Vector3();
    const start = new THREE.Vector3();
    const size = new THREE.Vector3();
    const longest = 2.5 * this.radius;
    const small = this.crowded ? 0.6 : 1;
    const wide = 0.0065 * small * this.radius;
    let shafts = 0;
    let heads = 0;
    for (const contact of this.showForces ? this.shown : []) {
      direction.set(contact.force[0]!, contact.force[1]!, contact.force[2]!);
      if (actsOnB(contact, this.header)) direction.negate();
      const whole = direction.length() * this.forceScale;
      if (!(whole > 1e-4 * this.radius)) continue;
      // An arrow that would leave the view is cut off, without a head.
      const length = Math.min(whole, longest);
      const head = whole > longest ? 0 : Math.min(0.055 * small * this.radius, 0.6 * length);
      const width = wide * Math.min(1, length / (0.08 * this.radius));
      const colour = contact.index === selected ? this.accent : this.colours[contact.state]!;
      turn.setFromUnitVectors(up, direction.normalize());
      start.set(contact.point[0]!, contact.point[1]!, contact.point[2]!);
      this.shafts.set(shafts++, matrix.compose(start, turn, size.set(width, width, length - head)), colour);
      if (head === 0) continue;
      start.addScaledVector(direction, length - head);
      this.heads.set(heads++, matrix.compose(start, turn, size.set(0.34 * head, 0.34 * head, head)), colour);
    }
    this.shafts.finish(shafts, !this.crowded);
    this.heads.finish(heads, !this.crowded);
  }

  // As high as the normal force is long: the arrow ends inside the cone's rim, or on it where the contact slides.
  private drawCones(selected: number): void {
    if (this.shown.length > this.cones.instanceMatrix.count) {
      this.group.remove(this.cones);
      this.cones.dispose();
      this.cones = this.makeCones(2 * this.shown.length);
      this.group.add(this.cones);
    }
    const matrix = new THREE.Matrix4();
    const turn = new THREE.Quaternion();
    const up = new THREE.Vector3(0, 0, 1);
    const normal = new THREE.Vector3();
    let count = 0;
    for (const contact of this.shown) {
      const on = this.showCones || contact.index === selected;
      const height = contact.normalForce * this.forceScale;
      if (!on || !(contact.mu > 0) || !(height > 1e-4 * this.radius) || height > 2.5 * this.radius) continue;
      normal.set(contact.normal[0]!, contact.normal[1]!, contact.normal[2]!);
      if (actsOnB(contact, this.header)) normal.negate();
      turn.setFromUnitVectors(up, normal.normalize());
      const wide = contact.mu * height;
      matrix.compose(new THREE.Vector3(...contact.point), turn, new THREE.Vector3(wide, wide, height));
      this.cones.setMatrixAt(count, matrix);
      this.cones.setColorAt(count, contact.index === selected ? this.accent : this.colours[contact.state]!);
      ++count;
    }
    this.cones.count = count;
    this.cones.instanceMatrix.needsUpdate = true;
    this.cones.instanceColor!.needsUpdate = true;
  }

  dispose(): void {
    for (const part of [this.shafts, this.heads]) part.dispose();
    for (const geometry of [this.pointGeometry, this.coneGeometry]) geometry.dispose();
    for (const points of [this.points, this.pointsBehind]) (points.material as THREE.Material).dispose();
    this.cones.dispose();
    this.coneMaterial.dispose();
  }
}
