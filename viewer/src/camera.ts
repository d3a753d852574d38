// The camera: orbits with mouse, pen and fingers, z is up; finds a view that shows the whole scene.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

const DIRECTION = new THREE.Vector3(0.62, -1, 0.52).normalize();

export class OrbitCamera {
  readonly camera = new THREE.PerspectiveCamera(35, 1, 0.01, 100);
  readonly controls: OrbitControls;
  private home = { centre: new THREE.Vector3(), radius: 1 };

  constructor(canvas: HTMLCanvasElement, changed: () => void) {
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = !matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.controls.dampingFactor = 0.12;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("change", changed);
  }

  setHome(centre: THREE.Vector3, radius: number): void {
    this.home = { centre: centre.clone(), radius };
    this.camera.near = radius / 200;
    this.camera.far = radius * 200;
    this.controls.minDistance = radius / 50;
    this.controls.maxDistance = radius * 40;
    this.reset();
  }

  reset(): void {
    const { centre, radius } = this.home;
    const half = THREE.MathUtils.degToRad(this.camera.fov / 2);
    const narrow = Math.atan(Math.tan(half) * Math.min(1, this.camera.aspect));
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).addScaledVector(DIRECTION, (1.02 * radius) / Math.sin(narrow));
    this.camera.updateProjectionMatrix();
    this.controls.update();
  }

  // Looks at another point from the same side, as far away as before.
  moveTarget(point: THREE.Vector3): void {
    const by = point.clone().sub(this.controls.target);
    this.controls.target.add(by);
    this.camera.position.add(by);
    this.controls.update();
  }

  // Keeps what was in view in view when the window turns from wide to tall.
  resize(width: number, height: number): void {
    const before = Math.min(1, this.camera.aspect);
    this.camera.aspect = width / height;
    const ratio = before / Math.min(1, this.camera.aspect);
    this.camera.position.sub(this.controls.target).multiplyScalar(ratio).add(this.controls.target);
    this.camera.updateProjectionMatrix();
  }

  // Around the target, in radians; for the keyboard.
  turn(around: number, up: number): void {
    const arm = this.camera.position.clone().sub(this.controls.target);
    const ball = new THREE.Spherical().setFromVector3(new THREE.Vector3(arm.x, arm.z, -arm.y));
    ball.theta += around;
    ball.phi = Math.min(Math.PI - 0.02, Math.max(0.02, ball.phi - up));
    arm.setFromSpherical(ball);
    this.camera.position.set(arm.x, -arm.z, arm.y).add(this.controls.target);
    this.controls.update();
  }
}
