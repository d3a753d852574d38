// What does not change in time: bodies, shapes, names. SI units; quaternions have w first; body 0 is the world.

export type ShapeName = "plane" | "hfield" | "sphere" | "capsule" | "ellipsoid" | "cylinder" | "box" | "mesh";
const SHAPES: readonly string[] = ["plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh"];

export interface Body {
  name: string;
  parent: number;
  moves: boolean;
  mass: number; // kg
  com: number[]; // m, in the body's frame
}

export interface Geom {
  name: string;
  body: number;
  shape: ShapeName;
  size: number[]; // halves, as in MJCF
  pos: number[];
  quat: number[];
  rgba: number[];
  group: number;
  index: number; // which mesh or height field; else −1
}

export interface Sensor {
  name: string;
  unit: string; // empty: none, or not known
  size: number; // how many numbers it has
}

export interface MeshData {
  name: string;
  vertices: Float32Array;
  faces: Uint32Array;
}

export interface HeightField {
  name: string;
  rows: number;
  cols: number;
  half_x: number;
  half_y: number;
  base: number;
  height: Float32Array;
}

export interface Header {
  version: string;
  scene: string;
  name: string;
  model: string;
  solver: string;
  step: number; // s
  gravity: number[];
  nq: number;
  nv: number;
  kinematic: number;
  tolerance: number; // of every certificate
  every: number; // steps from one frame to the next
  solvers: string[];
  bodies: Body[];
  joints: string[];
  jointKinds: string[];
  geoms: Geom[];
  meshes: MeshData[];
  heightFields: HeightField[];
  sensors: Sensor[]; // and activations of actuators; before version 5: none
  turning: boolean; // contacts have friction against spinning or rolling
}

// A file that cannot be read; the message is for people.
export class BadRecording extends Error {}

type Json = Record<string, unknown>;

function bad(what: string, where: string): never {
  throw new BadRecording(`The header says nothing useful about “${where}”: it ${what}.`);
}

function object(value: unknown, where: string): Json {
  if (typeof value !== "object" || value === null || Array.isArray(value)) bad("is not an object", where);
  return value as Json;
}

function list(tree: Json, key: string): unknown[] {
  const value = tree[key];
  if (!Array.isArray(value)) bad("is not a list", key);
  return value;
}

function text(tree: Json, key: string): string {
  const value = tree[key];
  if (typeof value !== "string") bad("is not a text", key);
  return value;
}

function truth(tree: Json, key: string): boolean {
  const value = tree[key];
  if (typeof value !== "boolean") bad("is not true or false", key);
  return value;
}

function real(value: unknown, key: string): number {
  if (typeof value !== "number" || !Number.isFinite(value)) bad("is not a finite number", key);
  return value;
}

function whole(value: unknown, key: string, least: number, beyond: number): number {
  const number = real(value, key);
  if (!Number.isInteger(number) || number < least || number >= beyond) bad("is out of range", key);
  return number;
}

function reals(tree: Json, key: string, count: number): number[] {
  const values = list(tree, key);
  if (values.length !== count) bad(`is not a list of ${count}`, key);
  return values.map((value) => real(value, key));
}

function texts(tree: Json, key: string): string[] {
  return list(tree, key).map((value) => (typeof value === "string" ? value : bad("is not a list of names", key)));
}

function readBody(value: unknown, bodies: number): Body {
  const body = object(value, "bodies");
  if (typeof body.moves !== "boolean") bad("is not true or false", "moves");
  return {
    name: text(body, "name"),
    parent: whole(body.parent, "parent", 0, bodies),
    moves: body.moves,
    mass: real(body.mass, "mass"),
    com: reals(body, "com", 3),
  };
}

function readGeom(value: unknown, bodies: number, meshes: number, fields: number): Geom {
  const geom = object(value, "geoms");
  const shape = text(geom, "shape");
  if (!SHAPES.includes(shape)) bad(`names a shape “${shape}” that this page does not know`, "shape");
  let index = -1;
  if (shape === "mesh") index = whole(geom.mesh, "mesh", 0, meshes);
  if (shape === "hfield") index = whole(geom.height_field, "height_field", 0, fields);
  return {
    name: text(geom, "name"),
    body: whole(geom.body, "body", 0, bodies),
    shape: shape as ShapeName,
    size: reals(geom, "size", 3),
    pos: reals(geom, "pos", 3),
    quat: reals(geom, "quat", 4),
    rgba: reals(geom, "rgba", 4),
    group: whole(geom.group, "group", -1e6, 1e6),
    index,
  };
}

function readMesh(value: unknown): MeshData {
  const mesh = object(value, "meshes");
  const vertices = Float32Array.from(list(mesh, "vertices"), (x) => real(x, "vertices"));
  if (vertices.length % 3 !== 0) bad("is not a list of points", "vertices");
  const count = vertices.length / 3;
  const faces = Uint32Array.from(list(mesh, "faces"), (x) => whole(x, "faces", 0, count));
  if (faces.length % 3 !== 0) bad("is not a list of triangles", "faces");
  return { name: text(mesh, "name"), vertices, faces };
}

function readHeightField(value: unknown): HeightField {
  const field = object(value, "height_fields");
  const rows = whole(field.rows, "rows", 0, 2 ** 30);
  const cols = whole(field.cols, "cols", 0, 2 ** 30);
  const height = Float32Array.from(list(field, "height"), (x) => real(x, "height"));
  if (height.length !== rows * cols) bad("does not have rows · cols numbers", "height");
  return {
    name: text(field, "name"),
    rows,
    cols,
    half_x: real(field.half_x, "half_x"),
    half_y: real(field.half_y, "half_y"),
    base: real(field.base, "base"),
    height,
  };
}

function readSensor(value: unknown): Sensor {
  const sensor = object(value, "sensors");
  return { name: text(sensor, "name"), unit: text(sensor, "unit"), size: whole(sensor.size, "size", 1, 16) };
}

// The first versions that know friction against turning, and sensors.
const TURNING_VERSION = 3;
const SENSORS_VERSION = 5;

export function readHeader(json: string, version: number): Header {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new BadRecording("The header is not JSON text.");
  }
  const tree = object(value, "header");
  const bodies = list(tree, "bodies");
  const meshes = list(tree, "meshes");
  const fields = list(tree, "height_fields");
  const joints = texts(tree, "joints");
  const jointKinds = texts(tree, "joint_kinds");
  if (jointKinds.length !== joints.length) bad("is not as long as joints", "joint_kinds");
  return {
    version: text(tree, "tribo"),
    scene: text(tree, "scene"),
    name: text(tree, "name"),
    model: text(tree, "model"),
    solver: text(tree, "solver"),
    step: real(tree.step, "step"),
    gravity: reals(tree, "gravity", 3),
    nq: whole(tree.nq, "nq", 0, 2 ** 40),
    nv: whole(tree.nv, "nv", 0, 2 ** 40),
    kinematic: whole(tree.kinematic, "kinematic", 0, 2 ** 40),
    tolerance: real(tree.tolerance, "tolerance"),
    every: whole(tree.every, "every", 1, 2 ** 40),
    solvers: texts(tree, "solvers"),
    bodies: bodies.map((body) => readBody(body, bodies.length)),
    joints,
    jointKinds,
    geoms: list(tree, "geoms").map((geom) => readGeom(geom, bodies.length, meshes.length, fields.length)),
    meshes: meshes.map(readMesh),
    heightFields: fields.map(readHeightField),
    sensors: version >= SENSORS_VERSION ? list(tree, "sensors").map(readSensor) : [],
    turning: version >= TURNING_VERSION && truth(tree, "turning"),
  };
}
