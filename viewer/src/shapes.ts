// Geometry of shapes, in their own frames, z along the axis. Shapes that differ only by stretching share one geometry.
import * as THREE from "three";
import { toCreasedNormals } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { Geom, Header, HeightField, MeshData } from "./header";

const CREASE = 0.6; // rad; sharper edges of a mesh stay sharp

export function shapeKey(geom: Geom): string {
  if (geom.shape === "ellipsoid") return "sphere";
  if (geom.shape === "capsule") return `capsule/${geom.size[0]}/${geom.size[1]}`; // its caps stay round
  return geom.index >= 0 ? `${geom.shape}/${geom.index}` : geom.shape;
}

// How the shared geometry is stretched to this shape.
export function stretchOf(geom: Geom): [number, number, number] {
  const [a, b, c] = geom.size as [number, number, number];
  switch (geom.shape) {
    case "sphere":
      return [a, a, a];
    case "cylinder":
      return [a, a, b];
    case "ellipsoid":
    case "box":
      return [a, b, c];
    default:
      return [1, 1, 1];
  }
}

export function makeGeometry(geom: Geom, header: Header): THREE.BufferGeometry {
  switch (geom.shape) {
    case "sphere":
    case "ellipsoid":
      return new THREE.SphereGeometry(1, 40, 24).rotateX(Math.PI / 2);
    case "capsule":
      return new THREE.CapsuleGeometry(geom.size[0], 2 * geom.size[1]!, 10, 28).rotateX(Math.PI / 2);
    case "cylinder":
      return new THREE.CylinderGeometry(1, 1, 2, 48).rotateX(Math.PI / 2);
    case "box":
      return new THREE.BoxGeometry(2, 2, 2);
    case "mesh":
      return makeMesh(header.meshes[geom.index]!);
    case "hfield":
      return makeHeightField(header.heightFields[geom.index]!);
    case "plane":
      return new THREE.PlaneGeometry(2, 2);
  }
}

function makeMesh(mesh: MeshData): THREE.BufferGeometry {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(mesh.vertices, 3));
  geometry.setIndex(new THREE.BufferAttribute(mesh.faces, 1));
  return toCreasedNormals(geometry, CREASE);
}

// Rows along y, columns along x, the first row at −y; its surface alone.
function makeHeightField(field: HeightField): THREE.BufferGeometry {
  const { rows, cols } = field;
  const positions = new Float32Array(3 * rows * cols);
  for (let r = 0, at = 0; r < rows; ++r) {
    for (let c = 0; c < cols; ++c, at += 3) {
      positions[at] = field.half_x * (cols > 1 ? (2 * c) / (cols - 1) - 1 : 0);
      positions[at + 1] = field.half_y * (rows > 1 ? (2 * r) / (rows - 1) - 1 : 0);
      positions[at + 2] = field.height[r * cols + c]!;
    }
  }
  const corners: number[] = [];
  for (let r = 0; r + 1 < rows; ++r) {
    for (let c = 0; c + 1 < cols; ++c) {
      const i = r * cols + c;
      corners.push(i, i + 1, i + cols + 1, i, i + cols + 1, i + cols);
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
  geometry.setIndex(corners);
  geometry.computeVertexNormals();
  return geometry;
}
