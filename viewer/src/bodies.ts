// Bodies: equal shapes are drawn together, one draw call for all of them.
import * as THREE from "three";
import type { Geom, Header } from "./header";
import { makeGeometry, shapeKey, stretchOf } from "./shapes";

export const HIDDEN_GROUP = 3; // as in MJCF viewers: groups from 3 are shapes for collision, not for the eye

interface Bucket {
  mesh: THREE.InstancedMesh;
  geoms: number[];
}

// Thin lines along the edges of boxes, one pixel wide at any distance: a wall shows its bricks.
function drawEdges(material: THREE.MeshStandardMaterial): void {
  (material as unknown as { defines: Record<string, string> }).defines.USE_UV = "";
  material.onBeforeCompile = (shader) => {
    shader.fragmentShader = shader.fragmentShader.replace(
      "#include <color_fragment>",
      `#include <color_fragment>
       vec2 edge = min(vUv, 1.0 - vUv) / max(fwidth(vUv), 1e-6);
       float line = 1.0 - smoothstep(0.35, 1.35, min(edge.x, edge.y));
       diffuseColor.rgb *= 1.0 - 0.38 * line * clamp(0.12 / max(fwidth(vUv.x), fwidth(vUv.y)), 0.0, 1.0);`,
    );
  };
}

export class Bodies {
  readonly group = new THREE.Group();
  readonly hasHidden: boolean;
  private readonly buckets: Bucket[] = [];
  private readonly materials: THREE.MeshStandardMaterial[] = [];
  private readonly local: THREE.Matrix4[];
  private readonly colours: THREE.Color[];
  private readonly world: THREE.Matrix4[];
  private selected = -1;
  private readonly accent = new THREE.Color();

  constructor(private readonly header: Header) {
    this.local = header.geoms.map((geom) =>
      new THREE.Matrix4().compose(
        new THREE.Vector3(...geom.pos),
        new THREE.Quaternion(geom.quat[1], geom.quat[2], geom.quat[3], geom.quat[0]),
        new THREE.Vector3(...stretchOf(geom)),
      ),
    );
    this.colours = header.geoms.map((geom) => colourOf(geom, header));
    this.world = header.bodies.map(() => new THREE.Matrix4());
    const solid = header.geoms.filter((geom) => geom.shape !== "plane");
    this.hasHidden = solid.some(isHidden) && !solid.every(isHidden);
    this.makeBuckets();
    if (this.hasHidden) this.showHidden(false);
  }

  private makeBuckets(): void {
    const lists = new Map<string, number[]>();
    this.header.geoms.forEach((geom, g) => {
      if (geom.shape === "plane") return; // the floor
      const key = `${shapeKey(geom)}/${geom.rgba[3]}/${isHidden(geom)}`;
      lists.set(key, [...(lists.get(key) ?? []), g]);
    });
    for (const geoms of lists.values()) {
      const first = this.header.geoms[geoms[0]!]!;
      const opacity = Math.min(1, Math.max(0, first.rgba[3]!));
      if (opacity === 0) continue;
      const material = new THREE.MeshStandardMaterial({ roughness: 0.72, metalness: 0, opacity, transparent: opacity < 1 });
      material.userData.opacity = opacity;
      if (first.shape === "box") drawEdges(material);
      if (first.shape === "hfield") material.side = THREE.DoubleSide;
      const mesh = new THREE.InstancedMesh(makeGeometry(first, this.header), material, geoms.length);
      mesh.castShadow = opacity > 0.5;
      mesh.receiveShadow = true;
      mesh.frustumCulled = false;
      mesh.boundingSphere = new THREE.Sphere(new THREE.Vector3(), Infinity); // bodies go anywhere
      mesh.userData.hidden = isHidden(first);
      geoms.forEach((g, i) => mesh.setColorAt(i, this.colours[g]!));
      this.group.add(mesh);
      this.buckets.push({ mesh, geoms });
      this.materials.push(material);
    }
  }

  setPoses(poses: Float64Array): void {
    const position = new THREE.Vector3();
    const turn = new THREE.Quaternion();
    const one = new THREE.Vector3(1, 1, 1);
    this.world.forEach((matrix, b) => {
      const at = 7 * b;
      position.set(poses[at]!, poses[at + 1]!, poses[at + 2]!);
      turn.set(poses[at + 4]!, poses[at + 5]!, poses[at + 6]!, poses[at + 3]!);
      matrix.compose(position, turn, one);
    });
    const matrix = new THREE.Matrix4();
    for (const { mesh, geoms } of this.buckets) {
      geoms.forEach((g, i) => {
        matrix.multiplyMatrices(this.world[this.header.geoms[g]!.body]!, this.local[g]!);
        mesh.setMatrixAt(i, matrix);
      });
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  // Where a geom is now.
  matrixOf(geom: number): THREE.Matrix4 {
    return new THREE.Matrix4().multiplyMatrices(this.world[this.header.geoms[geom]!.body]!, this.local[geom]!);
  }

  // Of all drawn shapes, or of those that move.
  bounds(moving: boolean): THREE.Box3 {
    const box = new THREE.Box3();
    const matrix = new THREE.Matrix4();
    for (const { mesh, geoms } of this.buckets) {
      if (!mesh.visible) continue;
      mesh.geometry.computeBoundingBox();
      geoms.forEach((g, i) => {
        if (moving && !this.header.bodies[this.header.geoms[g]!.body]!.moves) return;
        mesh.getMatrixAt(i, matrix);
        const part = mesh.geometry.boundingBox!.clone().applyMatrix4(matrix);
        if (Number.isFinite(part.min.x + part.max.x + part.min.y + part.max.y + part.min.z + part.max.z)) box.union(part);
      });
    }
    return box;
  }

  // Diagonal of a usual shape that moves; 0: none does.
  usualSize(): number {
    const sizes: number[] = [];
    for (const { mesh, geoms } of this.buckets) {
      mesh.geometry.computeBoundingBox();
      const whole = mesh.geometry.boundingBox!.getSize(new THREE.Vector3());
      for (const g of geoms) {
        const geom = this.header.geoms[g]!;
        if (!this.header.bodies[geom.body]!.moves) continue;
        sizes.push(
          whole
            .clone()
            .multiply(new THREE.Vector3(...stretchOf(geom)))
            .length(),
        );
      }
    }
    return sizes.sort((a, b) => a - b)[sizes.length >> 1] ?? 0;
  }

  select(body: number, accent: THREE.Color): void {
    if (body === this.selected && accent.equals(this.accent)) return;
    this.selected = body;
    this.accent.copy(accent);
    const colour = new THREE.Color();
    for (const { mesh, geoms } of this.buckets) {
      geoms.forEach((g, i) => {
        colour.copy(this.colours[g]!);
        if (this.header.geoms[g]!.body === this.selected) colour.lerp(accent, 0.55);
        mesh.setColorAt(i, colour);
      });
      mesh.instanceColor!.needsUpdate = true;
    }
  }

  seeThrough(on: boolean): void {
    for (const material of this.materials) {
      const opacity = material.userData.opacity as number;
      material.opacity = on ? 0.28 * opacity : opacity;
      material.transparent = on || opacity < 1;
      material.depthWrite = !on;
      material.needsUpdate = true;
    }
  }

  showHidden(on: boolean): void {
    for (const { mesh } of this.buckets) if (mesh.userData.hidden) mesh.visible = on;
  }

  // The body under a ray, and how far away; −1: none.
  pick(ray: THREE.Raycaster): { body: number; distance: number } {
    const hits = ray.intersectObjects(
      this.buckets.filter((bucket) => bucket.mesh.visible).map((bucket) => bucket.mesh),
      false,
    );
    const hit = hits[0];
    if (hit === undefined || hit.instanceId === undefined) return { body: -1, distance: Infinity };
    const bucket = this.buckets.find(({ mesh }) => mesh === hit.object)!;
    return { body: this.header.geoms[bucket.geoms[hit.instanceId]!]!.body, distance: hit.distance };
  }

  dispose(): void {
    for (const { mesh } of this.buckets) {
      mesh.geometry.dispose();
      mesh.dispose();
    }
    for (const material of this.materials) material.dispose();
  }
}

const isHidden = (geom: Geom): boolean => geom.group >= HIDDEN_GROUP;

// The file's colour; among many bodies of one colour each a little lighter or darker, always the same.
function colourOf(geom: Geom, header: Header): THREE.Color {
  const [r, g, b] = geom.rgba as [number, number, number];
  const colour = new THREE.Color().setRGB(r, g, b, THREE.SRGBColorSpace);
  if (!header.bodies[geom.body]!.moves) return colour;
  const chance = ((Math.imul(geom.body + 1, 0x9e3779b1) >>> 8) & 0xffff) / 0xffff;
  return colour.offsetHSL(0, 0, 0.07 * (chance - 0.5));
}
