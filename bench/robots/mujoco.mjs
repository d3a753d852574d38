// One robot in MuJoCo's WASM build, for `tribo bench robots`:  node mujoco.mjs PACKAGE < JOB
//     PACKAGE   folder of the npm package @mujoco/mujoco (scripts/bootstrap.sh bench installs it)
//     JOB       the model file, the height of the floor, states, controls, steps (bench/robots/wasm_peer.cpp writes it)
// Writes one JSON object per line: {"engine"}, then {"motion", "step_s", …} for each motion and step, or {"error"} and nothing after it.
// The file is read as it is; added is the floor, and the time step is set. Solver, integrator and cones are the file's.
import { readFileSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

const warmUpSteps = 20; // V8 compiles the hot functions in them
const stepsPerLook = 10; // contacts are looked at for their overlap after so many steps: reading them takes longer than a step

const tell = (object) => process.stdout.write(JSON.stringify(object) + "\n");

// The file's folder, its links followed, in the file system of the WASM module.
function copyFolder(mujoco, from, to) {
  mujoco.FS.mkdir(to);
  for (const name of readdirSync(from)) {
    const path = join(from, name);
    if (statSync(path).isDirectory()) copyFolder(mujoco, path, `${to}/${name}`);
    else mujoco.FS.writeFile(`${to}/${name}`, readFileSync(path));
  }
}

// The floor has the attributes that MuJoCo gives a plain geom, whatever the defaults of the file are.
function addFloor(xml, height) {
  const floor =
    `<worldbody><geom name="floor of the benchmark" type="plane" size="0 0 1" pos="0 0 ${height}" quat="1 0 0 0" contype="1" ` +
    `conaffinity="1" condim="3" group="0" priority="0" margin="0" gap="0" friction="1 0.005 0.0001" solmix="1" ` +
    `solref="0.02 1" solimp="0.9 0.95 0.001 0.5 2"/></worldbody>`;
  const end = xml.lastIndexOf("</mujoco>");
  if (end < 0) throw new Error("no </mujoco> to put the floor before");
  return `${xml.slice(0, end)}${floor}${xml.slice(end)}`;
}

// A URDF has no place for a floor, so the floor is added to what was read.
function loadUrdf(mujoco, job) {
  const spec = mujoco.parseXMLString(readFileSync(job.file, "utf8"));
  spec.compiler.meshdir = "/robot";
  if (job.floor !== null) {
    const floor = mujoco.mjs_addGeom(mujoco.mjs_findBody(spec, "world"), mujoco.mjs_getSpecDefault(spec));
    floor.type = mujoco.mjtGeom.mjGEOM_PLANE;
    floor.size.set([0, 0, 1]);
    floor.pos.set([0, 0, job.floor]);
  }
  return mujoco.mj_compile(spec);
}

function loadMjcf(mujoco, job) {
  const path = `/robot/${basename(job.file)}`;
  if (job.floor !== null) mujoco.FS.writeFile(path, addFloor(readFileSync(job.file, "utf8"), job.floor));
  return mujoco.MjModel.from_xml_path(path);
}

// States and controls are passed as they are, so both must count the same coordinates in the same order.
function load(mujoco, job) {
  copyFolder(mujoco, dirname(job.file), "/robot");
  const model = job.file.endsWith(".urdf") ? loadUrdf(mujoco, job) : loadMjcf(mujoco, job);
  for (const [name, ours] of Object.entries({ nq: job.nq, nv: job.nv, nu: job.nu })) {
    if (model[name] !== ours) throw new Error(`${name} is ${model[name]} there and ${ours} here`);
  }
  for (let i = 0; i < model.njnt; ++i) {
    const name = model.jnt(i).name;
    if (name && job.joints[i] && name !== job.joints[i]) throw new Error(`joint ${i} is "${name}" there and "${job.joints[i]}" here`);
  }
  return model;
}

// As set_controls of bench/robots/robots.cpp.
function setControls(job, swings, t, control) {
  for (let i = 0; i < job.nu; ++i) {
    const { home, limited, lower, upper } = job.actuators[i];
    if (!swings || !limited) {
      control[i] = home;
      continue;
    }
    const moved = home + job.swing_share * (upper - lower) * (Math.sin(2 * Math.PI * t + i) - Math.sin(i));
    control[i] = Math.min(Math.max(moved, lower), upper);
  }
}

function reset(mujoco, model, data, motion) {
  mujoco.mj_resetData(model, data);
  data.qpos.set(motion.q);
  data.qvel.set(motion.v);
}

function calcEnergy(mujoco, model, data) {
  mujoco.mj_forward(model, data);
  mujoco.mj_energyPos(model, data);
  mujoco.mj_energyVel(model, data);
  return data.energy[0] + data.energy[1];
}

function findOverlap(data) {
  if (data.ncon === 0) return 0;
  const contacts = data.contact;
  let deepest = 0;
  for (let i = 0; i < contacts.size(); ++i) {
    const contact = contacts.get(i);
    deepest = Math.max(deepest, -contact.dist);
    contact.delete();
  }
  contacts.delete();
  return deepest;
}

function run(mujoco, model, data, job, motion, h) {
  model.opt.timestep = h;
  reset(mujoco, model, data, motion);
  for (let k = 0; k < warmUpSteps; ++k) mujoco.mj_step(model, data);
  reset(mujoco, model, data, motion);
  const control = new Float64Array(job.nu);
  setControls(job, motion.swings, 0, control);
  data.ctrl.set(control);
  const start = calcEnergy(mujoco, model, data);
  const times = [];
  let spent = 0;
  let overlap = 0;
  let contacts = 0;
  for (let k = 0; k < job.steps && spent < job.most_seconds; ++k) {
    setControls(job, motion.swings, data.time, control);
    data.ctrl.set(control);
    const before = performance.now();
    mujoco.mj_step(model, data);
    const seconds = 1e-3 * (performance.now() - before);
    times.push(seconds);
    spent += seconds;
    contacts += data.ncon;
    if (k % stepsPerLook === 0) overlap = Math.max(overlap, findOverlap(data));
  }
  const added = calcEnergy(mujoco, model, data) - start;
  let resets = 0; // a state that is not finite or too large: mj_step starts over from the reference
  for (const name of ["mjWARN_BADQPOS", "mjWARN_BADQVEL", "mjWARN_BADQACC"]) {
    const warning = data.warning.get(mujoco.mjtWarning[name].value);
    resets += warning.number;
  }
  times.sort((x, y) => x - y);
  return {
    steps: times.length,
    median_us: 1e6 * times[times.length >> 1],
    mean_us: (1e6 * spent) / times.length,
    max_us: 1e6 * times[times.length - 1],
    contacts_mean: contacts / times.length,
    overlap_m: overlap,
    energy_change_J: added,
    resets,
  };
}

try {
  const job = JSON.parse(readFileSync(0, "utf8"));
  const { default: loadMujoco } = await import(pathToFileURL(join(process.argv[2], "mujoco.js")).href);
  const mujoco = await loadMujoco({ print: () => {}, printErr: () => {} });
  tell({ engine: `MuJoCo ${mujoco.mj_versionString()} (WASM)` });
  const model = load(mujoco, job);
  const data = new mujoco.MjData(model);
  for (const motion of job.motions) {
    for (const h of job.steps_s) tell({ motion: motion.name, step_s: h, ...run(mujoco, model, data, job, motion, h) });
  }
} catch (error) {
  tell({ error: String(error?.message ?? error).trim().replaceAll(/\s*\n\s*/g, "; ") });
}
