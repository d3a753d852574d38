// The floor: a plane of the scene, or, where there is none, a grid for orientation. Lines of a round length, shadows, no edge.
import * as THREE from "three";
import type { Theme } from "./theme";

const VERTEX = `
varying vec2 place;
void main() {
  place = position.xy;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

const FRAGMENT = `
uniform vec3 line, fill;
uniform vec2 centre;
uniform float cell, radius, solid;
varying vec2 place;
float lines(float size, float width) {
  vec2 x = place / size;
  vec2 w = max(fwidth(x), vec2(1e-6));
  vec2 near = abs(fract(x - 0.5) - 0.5) / w;
  // Where lines are closer than pixels they fade instead of flickering.
  return (1.0 - smoothstep(width - 0.5, width + 0.5, min(near.x, near.y))) * (1.0 - smoothstep(0.2, 0.5, max(w.x, w.y)));
}
void main() {
  float fade = 1.0 - smoothstep(0.08, 0.85, length(place - centre) / radius);
  float drawn = max(0.3 * lines(cell, 0.6), 0.6 * lines(5.0 * cell, 0.75)) * fade;
  float ground = solid * fade;
  float alpha = drawn + ground * (1.0 - drawn);
  gl_FragColor = vec4(mix(fill, line, alpha > 0.0 ? drawn / alpha : 0.0), alpha);
  #include <colorspace_fragment>
}`;

// 1, 2 or 5 times a power of ten, not above `length`.
function roundLength(length: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(length, 1e-9)));
  return power * (length >= 5 * power ? 5 : length >= 2 * power ? 2 : 1);
}

export class Floor {
  readonly group = new THREE.Group();
  readonly cell: number; // m
  private readonly grid: THREE.ShaderMaterial;
  private readonly shadow: THREE.ShadowMaterial;
  private readonly geometry: THREE.PlaneGeometry;

  // `pose`: z is up out of the floor. `real`: bodies rest on it.
  constructor(pose: THREE.Matrix4, centre: THREE.Vector3, radius: number, real: boolean) {
    this.cell = roundLength(radius / 3);
    const reach = 11 * radius;
    const local = centre.clone().applyMatrix4(pose.clone().invert());
    this.geometry = new THREE.PlaneGeometry(2 * reach, 2 * reach).translate(local.x, local.y, 0) as THREE.PlaneGeometry;
    this.grid = new THREE.ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      transparent: true,
      depthWrite: false,
      side: THREE.DoubleSide,
      toneMapped: false,
      uniforms: {
        line: { value: new THREE.Color() },
        fill: { value: new THREE.Color() },
        centre: { value: new THREE.Vector2(local.x, local.y) },
        cell: { value: this.cell },
        radius: { value: reach },
        solid: { value: real ? 0.85 : 0 },
      },
    });
    this.shadow = new THREE.ShadowMaterial({ opacity: 0.2, depthWrite: false });
    const floor = new THREE.Mesh(this.geometry, this.grid);
    const shade = new THREE.Mesh(this.geometry, this.shadow);
    shade.receiveShadow = true;
    floor.renderOrder = -2;
    shade.renderOrder = -1;
    this.group.add(floor, shade);
    this.group.applyMatrix4(pose);
  }

  setTheme(theme: Theme): void {
    this.grid.uniforms.line!.value.set(theme.gridLine);
    this.grid.uniforms.fill!.value.set(theme.floor);
    this.shadow.opacity = theme.shadow;
  }

  dispose(): void {
    this.geometry.dispose();
    this.grid.dispose();
    this.shadow.dispose();
  }
}
