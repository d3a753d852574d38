// Small recordings whose every number is known.
import { Encoder, type PlainContact, type PlainFrame } from "./encoder";

export const STEP = 0.01;

const geom = (name: string, body: number, shape: string, size: number[], pos: number[], rgba: number[], more = {}): object => ({
  name,
  body,
  shape,
  size,
  pos,
  quat: [1, 0, 0, 0],
  rgba,
  group: 0,
  ...more,
});

export function makeHeader(bodies: object[], geoms: object[], more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    tribo: "0.1.0",
    scene: "scenes/test.xml",
    name: "test scene",
    model: "cone",
    solver: "auto",
    step: STEP,
    gravity: [0, 0, -9.81],
    nq: 7,
    nv: 6,
    kinematic: 0,
    tolerance: 1e-8,
    every: 1,
    solvers: ["cone-newton", "ppm"],
    turning: false,
    bodies: [{ name: "world", parent: 0, moves: false, mass: 0, com: [0, 0, 0] }, ...bodies],
    joints: ["hinge_1"],
    joint_kinds: ["hinge"],
    sensors: [],
    geoms,
    meshes: [],
    height_fields: [],
    ...more,
  };
}

const pose = (x: number, y: number, z: number): number[] => [x, y, z, 1, 0, 0, 0];

// A red box on a floor that is pulled along x and a blue one that stays; a contact slides, one sticks, one is open.
export const PULLED = { mass: 2, mu: 0.5, normal: 19.62, friction: 9.81, held: 3.25, slip: 0.4 };

export function pulledFrame(i: number): PlainFrame {
  const x = 0.004 * i;
  const contact = (
    pair: PlainContact["pair"],
    state: number,
    point: number[],
    force: number[],
    velocity: number[],
    gap = 0,
  ): PlainContact => ({
    pair,
    state,
    point,
    normal: [0, 0, 1],
    gap,
    impulse: force.map((f) => f * STEP),
    mu: PULLED.mu,
    velocity,
  });
  const contacts =
    i === 0
      ? []
      : [
          contact([1, 0], 1, [x, -0.1, 0], [-PULLED.friction, 0, PULLED.normal], [PULLED.slip, 0, 0]),
          contact([2, 0], 2, [0.1, 0.4, 0], [PULLED.held, 0, PULLED.normal], [0, 0, 0]),
          contact([2, 0], 0, [0.3, 0.6, 0], [0, 0, 0], [0, 0, -0.2], 0.0012),
        ];
  return {
    time: i * STEP,
    poses: [pose(0, 0, 0), pose(x, 0, 0.1), pose(0.2, 0.5, 0.1)],
    contacts,
    pivots: i % 5,
    sweeps: i % 3,
    worst: 10 ** (-9 - (i % 4)),
    overlap: 1e-6 * i,
    energy: 10 - 0.01 * i,
    seconds: 1e-4 * (1 + (i % 7)),
    solver: 0,
  };
}

export function pulledHeader(): Record<string, unknown> {
  return makeHeader(
    [
      { name: "red_box", parent: 0, moves: true, mass: PULLED.mass, com: [0, 0, 0] },
      { name: "blue_box", parent: 0, moves: true, mass: PULLED.mass, com: [0, 0, 0] },
    ],
    [
      geom("floor", 0, "plane", [0, 0, 1], [0, 0, 0], [0.8, 0.8, 0.8, 1]),
      geom("red_box", 1, "box", [0.1, 0.1, 0.1], [0, 0, 0], [0.85, 0.1, 0.1, 1]),
      geom("blue_box", 2, "box", [0.1, 0.1, 0.1], [0, 0, 0], [0.1, 0.2, 0.85, 1]),
    ],
  );
}

export function pulled(frames: number): Encoder {
  const encoder = new Encoder(pulledHeader(), 8);
  for (let i = 0; i < frames; ++i) encoder.frame(pulledFrame(i));
  return encoder;
}

// Every kind of shape once, in a row.
export function zoo(): Uint8Array {
  const tetrahedron = {
    name: "tetrahedron",
    vertices: [0, 0, 0, 0.2, 0, 0, 0, 0.2, 0, 0, 0, 0.2],
    faces: [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2],
  };
  const hill = { name: "hill", rows: 3, cols: 3, half_x: 0.2, half_y: 0.2, base: 0.05, height: [0, 0, 0, 0, 0.15, 0, 0, 0, 0] };
  const shapes: [string, number[], object?][] = [
    ["sphere", [0.1, 0, 0]],
    ["capsule", [0.07, 0.1, 0]],
    ["ellipsoid", [0.12, 0.06, 0.09]],
    ["cylinder", [0.09, 0.1, 0]],
    ["box", [0.1, 0.08, 0.06]],
    ["mesh", [0, 0, 0], { mesh: 0 }],
    ["hfield", [0, 0, 0], { height_field: 0 }],
  ];
  const bodies = shapes.map(([name]) => ({ name, parent: 0, moves: true, mass: 1, com: [0, 0, 0] }));
  const geoms = shapes.map(([shape, size, more], i) =>
    geom(shape, i + 1, shape, size, [0, 0, 0], i % 2 ? [0.9, 0.55, 0.2, 1] : [0.2, 0.55, 0.85, 1], more),
  );
  const encoder = new Encoder(
    makeHeader(bodies, [geom("floor", 0, "plane", [0, 0, 1], [0, 0, 0], [1, 1, 1, 1]), ...geoms], {
      meshes: [tetrahedron],
      height_fields: [hill],
    }),
  );
  encoder.frame({
    time: 0,
    poses: [pose(0, 0, 0), ...shapes.map((_, i) => pose(0.4 * i, 0, i === 6 ? 0.02 : 0.2))],
    contacts: [],
  });
  return encoder.finish();
}

// Many balls and boxes that fall and lie down, each with one contact.
export function crowd(count: number, frames: number): Uint8Array {
  const side = Math.ceil(Math.sqrt(count));
  const bodies = Array.from({ length: count }, (_, i) => ({
    name: `body_${i}`,
    parent: 0,
    moves: true,
    mass: 1,
    com: [0, 0, 0],
  }));
  const geoms = bodies.map((body, i) =>
    geom(
      body.name,
      i + 1,
      i % 2 ? "box" : "sphere",
      i % 2 ? [0.1, 0.1, 0.1] : [0.1, 0, 0],
      [0, 0, 0],
      i % 2 ? [0.85, 0.5, 0.3, 1] : [0.35, 0.55, 0.8, 1],
    ),
  );
  const encoder = new Encoder(makeHeader(bodies, [geom("floor", 0, "plane", [0, 0, 1], [0, 0, 0], [1, 1, 1, 1]), ...geoms]));
  for (let f = 0; f < frames; ++f) {
    const place = (i: number): number[] => [
      0.3 * (i % side),
      0.3 * Math.floor(i / side),
      0.1 + Math.max(0, 0.3 - 0.01 * f) * (1 + (i % 5)),
    ];
    encoder.frame({
      time: f * STEP,
      poses: [pose(0, 0, 0), ...bodies.map((_, i) => pose(...(place(i) as [number, number, number])))],
      contacts:
        f < 1
          ? []
          : bodies.map((_, i) => {
              const at = place(i);
              const down = at[2]! <= 0.1;
              return {
                pair: [i + 1, 0],
                state: down ? 2 : 0,
                point: [at[0]!, at[1]!, 0],
                normal: [0, 0, 1],
                gap: at[2]! - 0.1,
                impulse: [0, 0, down ? 9.81 * STEP : 0],
                mu: 0.6,
                velocity: [0, 0, 0],
              };
            }),
    });
  }
  return encoder.finish();
}

// A ball that falls one metre per frame, far below the picture of its start.
export function falling(frames: number): Uint8Array {
  const ball = { name: "faller", parent: 0, moves: true, mass: 1, com: [0, 0, 0] };
  const encoder = new Encoder(makeHeader([ball], [geom("ball", 1, "sphere", [0.2, 0, 0], [0, 0, 0], [0.8, 0.3, 0.2, 1])]));
  for (let f = 0; f < frames; ++f) encoder.frame({ time: f * STEP, poses: [pose(0, 0, 0), pose(0, 0, -f)], contacts: [] });
  return encoder.finish();
}

// A sensor of three numbers and an activation, with counts of collision.
export function sensed(frames: number): Uint8Array {
  const sensors = [
    { name: "tip force", unit: "N", size: 3 },
    { name: "biceps activation", unit: "", size: 1 },
  ];
  const encoder = new Encoder({ ...pulledHeader(), sensors });
  for (let f = 0; f < frames; ++f)
    encoder.frame({ ...pulledFrame(f), collision: [7, 5, 3], sensors: [0.25 * f, -2000, f === 3 ? NaN : 0, f / frames] });
  return encoder.finish();
}

// One contact that presses, a limit and a dry friction; as the version says.
export function jointed(version = 5): Uint8Array {
  const encoder = new Encoder(pulledHeader(), 32, version);
  const limit = {
    kind: "limit" as const,
    joint: 0,
    place: version < 4 ? 0 : 1,
    state: 2,
    gap: 0,
    bound: 0,
    impulse: 0.1,
    velocity: 0,
  };
  const friction = { ...limit, kind: "dry friction" as const, place: 0, state: 1, bound: 0.05, impulse: -0.05, velocity: 0.3 };
  for (let f = 0; f < 2; ++f) {
    const frame = pulledFrame(f);
    encoder.frame(f === 0 ? frame : { ...frame, contacts: [frame.contacts[1]!], jointRows: [friction, limit] });
  }
  return encoder.finish();
}
