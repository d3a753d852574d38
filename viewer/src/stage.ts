// The scene on its canvas: light, shadow, floor, bodies, contacts. Draws only when something changed.
import * as THREE from "three";
import { Bodies } from "./bodies";
import { OrbitCamera } from "./camera";
import { ContactView } from "./contact_view";
import { Floor } from "./floor";
import type { Frame } from "./frame";
import type { Header } from "./header";
import type { Theme } from "./theme";

const SUN = new THREE.Vector3(-0.35, -0.75, 1.2).normalize();
const EDGE = 24; // px; what is nearer to the edge of the picture counts as outside
const FILL = 0.7; // of the light that comes with the camera, so that no side is black

interface World {
  bodies: Bodies;
  contacts: ContactView;
  floors: Floor[];
}

export class Stage {
  readonly orbit: OrbitCamera;
  world: World | null = null;
  onDraw: () => void = () => {};
  private readonly renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly sky = new THREE.HemisphereLight();
  private readonly sun = new THREE.DirectionalLight();
  private readonly fill = new THREE.DirectionalLight(0xffffff, FILL);
  private theme: Theme;
  private pending = false;
  private width = 0;
  private height = 0;
  radius = 1;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    theme: Theme,
  ) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, powerPreference: "high-performance" });
    this.renderer.debug.checkShaderErrors = false; // asking waits for every shader, one after the other
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.toneMapping = THREE.NeutralToneMapping;
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.radius = 5;
    this.scene.add(this.sky, this.sun, this.sun.target, this.fill, this.fill.target);
    this.orbit = new OrbitCamera(canvas, () => this.invalidate());
    this.theme = theme;
    this.setTheme(theme);
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement!);
  }

  get drawCalls(): number {
    return this.renderer.info.render.calls;
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.scene.background = new THREE.Color(theme.background);
    this.sky.color.set(theme.sky);
    this.sky.groundColor.set(theme.ground);
    this.sky.intensity = theme.hemisphere;
    this.sun.intensity = theme.sun;
    this.world?.contacts.setTheme(theme);
    this.world?.floors.forEach((floor) => floor.setTheme(theme));
    this.invalidate();
  }

  // A new recording: everything is made anew.
  load(header: Header, first: Frame): void {
    this.unload();
    const bodies = new Bodies(header);
    bodies.setPoses(first.poses);
    const { centre, radius } = viewOf(bodies);
    this.radius = radius;
    const contacts = new ContactView(header, radius);
    contacts.setTheme(this.theme);
    contacts.setPixelRatio(this.renderer.getPixelRatio());
    this.world = { bodies, contacts, floors: this.makeFloors(header, bodies, centre) };
    for (const floor of this.world.floors) floor.setTheme(this.theme);
    this.scene.add(bodies.group, contacts.group, ...this.world.floors.map((floor) => floor.group));
    this.aimSun(centre, radius);
    this.orbit.setHome(centre, radius);
    this.invalidate();
  }

  private makeFloors(header: Header, bodies: Bodies, centre: THREE.Vector3): Floor[] {
    const planes = header.geoms.flatMap((geom, g) => (geom.shape === "plane" ? [bodies.matrixOf(g)] : []));
    if (planes.length > 0) return planes.map((pose) => new Floor(pose, centre, this.radius, true));
    const lowest = bodies.bounds(false).min.z;
    const pose = new THREE.Matrix4().makeTranslation(0, 0, lowest - 0.02 * this.radius);
    return [new Floor(pose, centre, this.radius, false)];
  }

  private aimSun(centre: THREE.Vector3, radius: number): void {
    const reach = 2.2 * radius;
    this.sun.position.copy(centre).addScaledVector(SUN, 3 * reach);
    this.sun.target.position.copy(centre);
    const { camera } = this.sun.shadow;
    [camera.left, camera.right, camera.bottom, camera.top] = [-reach, reach, -reach, reach];
    [camera.near, camera.far] = [0.5 * reach, 6 * reach];
    camera.updateProjectionMatrix();
    this.sun.shadow.bias = -2e-4;
    this.sun.shadow.normalBias = 0.006 * radius;
  }

  private unload(): void {
    if (this.world === null) return;
    this.scene.remove(this.world.bodies.group, this.world.contacts.group, ...this.world.floors.map((floor) => floor.group));
    this.world.bodies.dispose();
    this.world.contacts.dispose();
    this.world.floors.forEach((floor) => floor.dispose());
    this.world = null;
  }

  resize(): void {
    const box = this.canvas.parentElement!.getBoundingClientRect();
    const width = Math.max(1, Math.round(box.width));
    const height = Math.max(1, Math.round(box.height));
    const ratio = Math.min(2, devicePixelRatio);
    if (width === this.width && height === this.height && ratio === this.renderer.getPixelRatio()) return;
    [this.width, this.height] = [width, height];
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    this.orbit.resize(width, height);
    this.world?.contacts.setPixelRatio(ratio);
    if (this.world !== null) this.draw(); // at once: a canvas of a new size is empty
  }

  // All bodies, where they are now.
  showAll(): void {
    if (this.world === null) return;
    const { centre, radius } = viewOf(this.world.bodies);
    this.aimSun(centre, radius);
    this.orbit.setHome(centre, radius);
    this.invalidate();
  }

  // A point outside of the picture comes to its middle.
  bringIntoView(point: readonly number[]): void {
    const seen = this.project(point);
    const { clientWidth, clientHeight } = this.canvas;
    const inside = (x: number, size: number): boolean => x > EDGE && x < size - EDGE;
    if (seen.z < 1 && inside(seen.x, clientWidth) && inside(seen.y, clientHeight)) return;
    this.orbit.moveTarget(new THREE.Vector3(point[0], point[1], point[2]));
    this.invalidate();
  }

  // Draws before the next picture; hidden tabs draw nothing.
  invalidate(): void {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      this.draw();
    });
  }

  private draw(): void {
    // Damping goes on for a while: update() reports it through "change".
    this.orbit.controls.update();
    this.fill.position.copy(this.orbit.camera.position);
    this.fill.target.position.copy(this.orbit.controls.target);
    this.renderer.render(this.scene, this.orbit.camera);
    this.onDraw();
  }

  // Pixels of the canvas' element; z > 1: behind the camera.
  project(point: ArrayLike<number>): { x: number; y: number; z: number } {
    const seen = new THREE.Vector3(point[0], point[1], point[2]).project(this.orbit.camera);
    const { clientWidth, clientHeight } = this.canvas;
    return { x: (0.5 + 0.5 * seen.x) * clientWidth, y: (0.5 - 0.5 * seen.y) * clientHeight, z: seen.z };
  }

  rayAt(x: number, y: number): THREE.Raycaster {
    const { clientWidth, clientHeight } = this.canvas;
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2((2 * x) / clientWidth - 1, 1 - (2 * y) / clientHeight), this.orbit.camera);
    return ray;
  }
}

// What moves, and what stands around it where that is not much larger.
function viewOf(bodies: Bodies): { centre: THREE.Vector3; radius: number } {
  const moving = bodies.bounds(true);
  const all = bodies.bounds(false);
  const sizeOf = (box: THREE.Box3): number => box.getSize(new THREE.Vector3()).length();
  let box = moving.isEmpty() || sizeOf(all) < 2.5 * sizeOf(moving) ? all : moving;
  if (box.isEmpty()) box = new THREE.Box3(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
  const ball = box.getBoundingSphere(new THREE.Sphere());
  return { centre: ball.center, radius: Math.max(ball.radius, 1e-4) };
}
