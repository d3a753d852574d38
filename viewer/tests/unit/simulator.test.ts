// The page against the program: the same run, read by the page and told by tribo itself.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { readContact } from "../../src/contact";
import { Cursor, Recording } from "../../src/recording";

const tribo = process.env.TRIBO ?? "";
const left = tribo === "" ? "left out: $TRIBO does not name the program tribo" : false;

interface Run {
  recording: Recording;
  report: Record<string, number>;
  states: Map<string, number[]>; // "time/body": numbers of the row
}

function run(scene: string, duration: number): Run {
  const folder = mkdtempSync(join(tmpdir(), "tribo-run-"));
  try {
    const files = { record: join(folder, "x.tribo"), states: join(folder, "x.csv") };
    const text = execFileSync(
      tribo,
      [
        "run",
        join("..", "scenes", `${scene}.xml`),
        "--duration",
        String(duration),
        "--record",
        files.record,
        "--states",
        files.states,
        "--json",
      ],
      { encoding: "utf8" },
    );
    const states = new Map<string, number[]>();
    for (const line of readFileSync(files.states, "utf8").trim().split("\n").slice(1)) {
      const [time, body, ...numbers] = line.split(",");
      states.set(`${Number(time)}/${body}`, numbers.map(Number));
    }
    return { recording: Recording.parse(new Uint8Array(readFileSync(files.record))), report: JSON.parse(text), states };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// Poses within the rounding of the format, in every frame; energies, certificates and contacts as in the run's own report.
for (const scene of ["hand_grasp", "row_grasp", "dominoes"]) {
  test(`${scene}: poses and report agree with tribo run`, { skip: left }, () => {
    const { recording, report, states } = run(scene, 0.1);
    const header = recording.header!;
    assert.equal(recording.ending, "");
    assert.equal(recording.frames, report.frames);
    const cursor = new Cursor(recording);
    let compared = 0;
    for (let f = 0; f < recording.frames; ++f) {
      const { poses, time } = cursor.seek(f);
      header.bodies.forEach((body, b) => {
        const row = states.get(`${time}/${body.name}`);
        if (row === undefined) return assert.equal(b, 0, `${body.name} at ${time} s is in the table`);
        const pose = poses.subarray(7 * b, 7 * b + 7);
        for (let k = 0; k < 3; ++k) assert.ok(Math.abs(pose[k]! - row[k]!) <= 2 ** -25 + 1e-12, `${body.name} at ${time} s`);
        const turned = Math.abs(pose[3]! * row[3]! + pose[4]! * row[4]! + pose[5]! * row[5]! + pose[6]! * row[6]!);
        assert.ok(1 - turned < 1e-13, `${body.name} at ${time} s is turned as in the table`);
        ++compared;
      });
    }
    assert.equal(compared, recording.frames * (header.bodies.length - 1));
    const steps = (name: "worst" | "contacts" | "overlap"): number[] =>
      Array.from(recording.series[name].values.subarray(1, recording.frames));
    assert.equal(recording.series.energy.at(0), report.energy_start);
    assert.equal(recording.series.energy.at(recording.frames - 1), report.energy_end);
    assert.equal(Math.max(...steps("worst")), report.worst_certificate);
    assert.equal(Math.max(...steps("contacts")), report.contacts_max);
    assert.equal(Math.max(...steps("overlap")), report.max_penetration);
  });
}

// Ten boxes of 1 kg at rest: what the floor carries is their weight.
test("box_stack: the floor carries the weight", { skip: left }, () => {
  const { recording } = run("box_stack", 0.3);
  const header = recording.header!;
  const { contacts } = new Cursor(recording).seek(recording.frames - 1);
  let carried = 0;
  for (let i = 0; i < contacts.count; ++i) {
    const contact = readContact(contacts, i, header.step);
    const onWorld = [contact.geomA, contact.geomB].map((geom) => header.geoms[geom]!.body === 0);
    if (onWorld[0] || onWorld[1]) carried += (onWorld[1] ? 1 : -1) * contact.force[2]!;
  }
  const weight = header.bodies.reduce((sum, body) => sum + (body.moves ? body.mass : 0), 0) * -header.gravity[2]!;
  assert.ok(Math.abs(carried - weight) < 1e-4 * weight, `${carried} N instead of ${weight} N`);
});
