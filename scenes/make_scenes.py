#!/usr/bin/env python3
"""Writes the scenes with many bodies. Run by hand from any folder: python3 scenes/make_scenes.py
The same script writes the same bytes every time; the files it writes are kept beside it. The small scenes are written by hand.
"""

import math
import random
import re
from pathlib import Path

HERE = Path(__file__).resolve().parent


def number(x):
    """Shortest decimal within 1e-15; never -0."""
    return repr(round(x, 15) + 0.0).removesuffix(".0")


def numbers(values):
    return " ".join(number(v) for v in values)


def write(name, comment, contacts, content):
    """contacts: the most there will be; older MuJoCo reserves room for 100 only."""
    head = "<!-- " + "\n     ".join(comment.strip().splitlines()) + " -->\n"
    room = f'  <size nconmax="{contacts}" njmax="{4 * contacts}"/>\n'
    (HERE / f"{name}.xml").write_text(head + f'<mujoco model="{name}">\n' + room + content.strip("\n") + "\n</mujoco>\n")


def body(name, pos, geom, quat=None):
    turned = f' quat="{numbers(quat)}"' if quat else ""
    return f"""    <body name="{name}" pos="{numbers(pos)}"{turned}>
      <freejoint name="{name}"/>
      <geom name="{name}" {geom}/>
    </body>"""


def stack(name, count, shape, height, step, comment):
    """Equal bodies one above the other, the lowest on the floor, gaps zero."""
    bodies = [body(f"{shape}_{i + 1}", (0, 0, height * (i + 0.5)), f'class="{shape}"') for i in range(count)]
    size = "0.05 0.05 0.05" if shape == "box" else "0.05"
    write(name, comment, 6 * count, f"""
  <option timestep="{step}" gravity="0 0 -9.81"/>
  <default>
    <geom friction="0.5"/>
    <default class="{shape}">
      <geom type="{shape}" size="{size}" mass="1" rgba="0.8 0.5 0.25 1"/>
    </default>
  </default>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 0.1"/>
""" + "\n".join(bodies) + "\n  </worldbody>")


def brick_wall():
    length, depth, height, joint = 0.24, 0.12, 0.08, 0.02  # half bricks: (length - joint) / 2
    module, half = length + joint, (length - joint) / 2
    bodies = []
    for course in range(10):
        z = height * (course + 0.5)
        if course % 2 == 0:
            row = [(module * (i - 4.5), "brick") for i in range(10)]
        else:
            end = 5 * module - joint / 2 - half / 2
            row = [(-end, "half")] + [(module * (i - 4), "brick") for i in range(9)] + [(end, "half")]
        bodies += [body(f"brick_{course + 1}_{i + 1}", (x, 0, z), f'class="{kind}"') for i, (x, kind) in enumerate(row)]
    write("brick_wall", """
Brick wall: 105 bricks laid dry, ten courses of 10 and 11 by turns, each course half a brick aside.
Odd courses have 10 bricks of 0.24 x 0.12 x 0.08 m (4.147 kg), even ones 9 and a half brick at either end. Bed joints
are closed, head joints 20 mm open, so that bricks touch only above and below: 190 pairs, 760 corners. Friction 0.6.
Must happen: the wall stands. No horizontal force is needed; how the weight spreads in the bond is one choice of many.
Checked: the floor carries all of 412.992 kg, 4051.4515 N, to 1e-9; no brick moves 0.1 mm in 10 s.
""", 1000, f"""
  <option timestep="0.002" gravity="0 0 -9.81"/>
  <default>
    <geom friction="0.6"/>
    <default class="brick">
      <geom type="box" size="{numbers((length / 2, depth / 2, height / 2))}" density="1800" rgba="0.7 0.3 0.2 1"/>
      <default class="half">
        <geom size="{numbers((half / 2, depth / 2, height / 2))}" rgba="0.6 0.25 0.18 1"/>
      </default>
    </default>
  </default>
  <worldbody>
    <geom name="floor" type="plane" size="3 3 0.1"/>
""" + "\n".join(bodies) + "\n  </worldbody>")


def pile():
    rng = random.Random(7)
    bodies = []
    for i in range(200):
        layer, row, column = i // 25, i // 5 % 5, i % 5
        half = [rng.uniform(0.025, 0.055) for _ in range(3)]  # half diagonal < 0.0953: keeps apart in a grid of 0.2 m
        pos = [0.2 * (column - 2), 0.2 * (row - 2), 0.12 + 0.2 * layer]
        pos = [p + rng.uniform(-0.004, 0.004) for p in pos]
        q = [rng.gauss(0, 1) for _ in range(4)]  # uniform over all orientations
        norm = math.sqrt(sum(c * c for c in q))
        colour = numbers([round(rng.uniform(0.3, 0.9), 2) for _ in range(3)])
        geom = f'class="box" size="{numbers([round(s, 4) for s in half])}" rgba="{colour} 1"'
        bodies.append(body(f"box_{i + 1}", [round(p, 5) for p in pos], geom, [round(c / norm, 12) for c in q]))
    write("pile", """
Pile: 200 boxes of different sizes and orientations fall into an open bin and come to rest as a heap.
Sides 0.05 to 0.11 m, 1000 kg/m³, any orientation, from a seeded generator; eight layers of 25, none touching at the start.
The bin is 1.04 m square inside; its walls stand 0.6 m high. Friction 0.5, no restitution.
Must happen: all boxes stay in the bin and are quiet after 3 s.
Checked: every step certified; overlap; total energy never grows; greatest speed at 4 s; time per step once all lie.
""", 1200, """
  <option timestep="0.002" gravity="0 0 -9.81"/>
  <default>
    <geom friction="0.5"/>
    <default class="box">
      <geom type="box" density="1000"/>
    </default>
    <default class="wall">
      <geom type="box" rgba="0.6 0.6 0.65 0.3"/>
    </default>
  </default>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 0.1"/>
    <geom name="wall_east" class="wall" pos="0.57 0 0.3" size="0.05 0.62 0.3"/>
    <geom name="wall_west" class="wall" pos="-0.57 0 0.3" size="0.05 0.62 0.3"/>
    <geom name="wall_north" class="wall" pos="0 0.57 0.3" size="0.52 0.05 0.3"/>
    <geom name="wall_south" class="wall" pos="0 -0.57 0.3" size="0.52 0.05 0.3"/>
""" + "\n".join(bodies) + "\n  </worldbody>")


def row_grasp(name, count, force):
    weight = 9.81
    slip, tip = count * weight, count**2 / 8 * weight
    bodies = [body(f"box_{i + 1}", (0.1 * (i + 0.5), 0, 0), 'class="box"') for i in range(count)]
    write(name, f"""
Row grasp: {count} cubes in a row, held in the air between two jaws that press with {force} N.
Cubes of side a = 0.1 m and 1 kg (weight w = 9.81 N), friction 0.5. The left jaw is fixed, a motor pushes the right one.
Statics for n = {count} and force F: each jaw carries n w / 2 by friction, F >= n w / (2 mu) = {slip:.2f} N. From the ends to the
middle the bending moment changes by n² w a / 8, while the line of F can move by a: F >= n² w / 8 = {tip:.2f} N. Both hold.
Must happen: nothing moves. Shear falls in steps of w from {count / 2:g} w at the left jaw to -{count / 2:g} w at the right one.
Checked: greatest fall of a cube in 100,000 steps (below 1 nm no-slip, 1 µm Coulomb); {force} N in every joint.
""", 6 * count + 10, f"""
  <option timestep="0.001" gravity="0 0 -9.81"/>
  <default>
    <geom type="box" friction="0.5"/>
    <default class="box">
      <geom size="0.05 0.05 0.05" mass="1" rgba="0.8 0.5 0.25 1"/>
    </default>
    <default class="jaw">
      <geom size="0.02 0.1 0.1" mass="1" rgba="0.35 0.4 0.5 1"/>
    </default>
  </default>
  <worldbody>
    <geom name="left_jaw" class="jaw" pos="-0.02 0 0"/>
""" + "\n".join(bodies) + f"""
    <body name="right_jaw" pos="{number(0.1 * count + 0.02)} 0 0">
      <joint name="right_jaw" type="slide" axis="1 0 0"/>
      <geom name="right_jaw" class="jaw"/>
    </body>
  </worldbody>
  <actuator>
    <motor name="squeeze" joint="right_jaw"/>
  </actuator>
  <keyframe>
    <key name="start" ctrl="-{force}"/>
  </keyframe>""")


def dominoes():
    t, width, h, omega = 0.0075, 0.024, 0.048, 4.0
    bodies = [body(f"domino_{i + 1}", (0.03 * i, 0, h / 2), 'class="domino"') for i in range(20)]
    q = "\n              ".join(numbers((0.03 * i, 0, h / 2)) + " 1 0 0 0" for i in range(20))
    v = [omega * h / 2, 0, omega * t / 2, 0, omega, 0]  # turns about its lower front edge
    rest = "\n              ".join(["  ".join(6 * ["0 0 0 0 0 0"])] * 3 + ["0 0 0 0 0 0"])
    write("dominoes", f"""
Dominoes: 20 in a row; the first is pushed and all fall, one after the other.
Each {t} x {width} x {h} m and 10 g, {number(0.03 - t)} m apart, friction 0.3. The first starts turning about its lower front edge
with 4 rad/s; 2.7 rad/s = sqrt(6 g (d - h/2) / (t² + h²)), d half the diagonal of t and h, would just bring it over the edge.
Must happen: every domino falls forward, in order, and stays within 1e-6 m of the plane y = 0.
Checked: times at which they pass 0.3 rad (rising; the wave speed settles), energy never grows, y of every centre.
""", 400, f"""
  <option timestep="0.0005" gravity="0 0 -9.81"/>
  <default>
    <geom friction="0.3"/>
    <default class="domino">
      <geom type="box" size="{numbers((t / 2, width / 2, h / 2))}" mass="0.01" rgba="0.2 0.5 0.8 1"/>
    </default>
  </default>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 0.1"/>
""" + "\n".join(bodies) + f"""
  </worldbody>
  <keyframe>
    <key name="start"
         qpos="{q}"
         qvel="{numbers(v)}  {rest}"/>
  </keyframe>""")


def arch():
    t = 53 / 512  # tangent of half a block's angle; like all corners exact in single precision, which meshes are kept in
    inner, outer = 0.875 * t, 1.125 * t
    corners = [(x * (outer if z > 0 else inner), y, z) for z in (-0.125, 0.125) for y in (-0.125, 0.125) for x in (-1, 1)]
    faces = "0 2 1  1 2 3  4 5 6  5 7 6  0 1 4  1 5 4  2 6 3  3 6 7  0 4 2  2 4 6  1 3 5  3 7 5"

    def place(k):
        half = complex(1, t) ** abs(k)  # its angle: half that of block k; left and right mirror each other to the last bit
        half /= abs(half)
        whole, side = half * half, (1 if k >= 0 else -1)
        return (side * whole.imag, 0, whole.real), (half.real, 0, side * half.imag, 0)

    between = "\n" + 18 * " "
    bodies = []
    for k in range(-7, 8):
        pos, quat = place(k)
        bodies.append(body("keystone" if k == 0 else f"block_{k + 8}", pos, 'class="block"', quat))
    springers = []
    for k, side in ((-8, "left"), (8, "right")):
        pos, quat = place(k)
        springers.append(f'    <geom name="{side}_springer" class="springer" pos="{numbers(pos)}"\n'
                         f'          quat="{numbers(quat)}"/>')
    write("arch", """
Arch: 15 equal wedge blocks stand dry between two fixed springers.
Blocks are convex meshes, 0.25 m thick at mean radius 1 m, 0.25 m deep, 31.05 kg; each spans 2 atan(53/512) = 11.820°.
Statics: by symmetry the thrust has two unknowns, its size H and its height at the crown. It must cross every joint inside
the block and within atan(mu) of the joint's normal. With the weight V above a joint at angle a from the crown:
max V / tan(a + atan mu) <= H <= min V / tan(a - atan mu), which needs mu >= 0.295776. For this thickness (and down
to 0.2 m) no more is needed; with less friction the feet slide outward while blocks near the crown slide down.
Must happen: at mu = 0.4, as in this file, the arch stands; with mu below 0.2957 it falls.
Checked: greatest move of a block in 10 s (below 1 µm beyond the margin); standing at 0.30, falling at 0.29.
""", 200, f"""
  <option timestep="0.001" gravity="0 0 -9.81"/>
  <default>
    <geom friction="0.4"/>
    <default class="block">
      <geom type="mesh" mesh="wedge" mass="31.0546875" rgba="0.75 0.7 0.6 1"/>
      <default class="springer">
        <geom rgba="0.45 0.45 0.45 1"/>
      </default>
    </default>
  </default>
  <asset>
    <mesh name="wedge"
          vertex="{between.join(numbers(c) for c in corners)}"
          face="{faces}"/>
  </asset>
  <worldbody>
    <geom name="floor" type="plane" size="3 3 0.1" pos="0 0 -0.3"/>
""" + "\n".join(springers + bodies) + "\n  </worldbody>")


def bowl():
    around, radius = 16, 0.5
    exact = lambda x: round(256 * x) / 256  # in single precision, which meshes are kept in
    ring = lambda r, z: [(exact(r * math.cos(a)), exact(r * math.sin(a)), exact(z))
                         for a in (2 * math.pi * k / around for k in range(around))]
    inside = [math.radians(15 + 10 * k) for k in range(6)]
    rings = [ring(radius * math.sin(a), 0.5625 - radius * math.cos(a)) for a in inside]
    rings += [ring(radius, rings[-1][0][2]), ring(radius, 0)]
    corners = [corner for one in rings for corner in one]
    floor, rim = rings[0][0][2], rings[5][0][2]
    corners += [(0, 0, floor), (0, 0, 0)]
    faces = []
    for k in range(around):
        after, top, under = (k + 1) % around, len(corners) - 2, len(corners) - 1
        faces += [(top, k, after), (under, 7 * around + after, 7 * around + k)]
        for j in range(7):
            a, b = j * around, (j + 1) * around
            faces += [(a + k, b + k, b + after), (a + k, b + after, a + after)]
    start = (0.3125, 0.0625, 0.46875)
    lines = lambda rows, count, indent: ("\n" + indent * " ").join(
        "  ".join(numbers(row) for row in rows[i:i + count]) for i in range(0, len(rows), count))
    write("bowl", f"""
Bowl: a ball falls onto the wall of a bowl of triangles and rolls to its bottom.
The bowl is one mesh with a hollow, 16 facets around and 5 rings of them high; its flat bottom of radius 0.13 m lies at
z = {floor} m, its rim at {rim} m. The tuple tribo.exact_mesh asks Tribo to collide with the triangles. Tools
that do not know the word take the convex hull, on which the ball stays lying at the height of the rim. Ball of radius
0.05 m and 1 kg, friction 0.5, and 1 mm of it against spinning and rolling.
Must happen: the ball rolls to and fro, loses energy at the edges of the facets and lies still on the bottom.
Checked: its height, {number(floor + 0.05)} m to 1e-6; no work at rest; energy never grows; with hulls it stays above the rim.
""", 100, f"""
  <option timestep="0.002" gravity="0 0 -9.81"/>
  <default>
    <geom condim="6" friction="0.5 0.001 0.001"/>
  </default>
  <asset>
    <mesh name="bowl"
          vertex="{lines(corners, 3, 18)}"
          face="{lines(faces, 9, 16)}"/>
  </asset>
  <custom>
    <tuple name="tribo.exact_mesh">
      <element objtype="mesh" objname="bowl"/>
    </tuple>
  </custom>
  <worldbody>
    <geom name="bowl" type="mesh" mesh="bowl" rgba="0.55 0.6 0.65 1"/>
{body("ball", start, 'type="sphere" size="0.05" mass="1" rgba="0.8 0.3 0.2 1"')}
  </worldbody>""")


def hand_grasp():
    """The hand's own keyframe has no numbers for the box, so the hand is copied without it instead of being included."""
    text = (HERE.parent / "data" / "robots" / "hand3.xml").read_text()
    hand = re.search(r"<mujoco[^>]*>\n(.*)</mujoco>", text, re.S).group(1)
    hand = re.sub(r"\n  <keyframe>.*</keyframe>\n", "", hand, flags=re.S).strip("\n")
    head, tail = hand.split("\n  </worldbody>")
    write("hand_grasp", """
Hand grasp: the three-fingered hand of data/robots/hand3.xml closes on a box that stands in its palm.
Box of 28 x 70 x 90 mm and 176 g, friction 0.6 (finger tips 1.1, with friction against spinning). The start is an open hand;
the servos aim beyond the box's faces, distal joints follow the middle ones by belts. Made from hand3.xml by make_scenes.py.
Must happen: the hand closes within 0.5 s, thumb on one face and both fingers on the other; the box comes to rest and stays.
Checked: speed of the box after 1 s, its drift from 1 s to 10 s, error of the belts and the gear, every step certified.
""", 200, '  <option timestep="0.001" gravity="0 0 -9.81"/>\n' + head + """

    <!-- what is not the hand -->
    <geom name="bench" type="plane" size="0.5 0.5 0.1" pos="0 0 -0.06"/>
    <body name="box" pos="-0.009 0 0.069">
      <freejoint name="box"/>
      <geom name="box" type="box" size="0.014 0.035 0.045" density="1000" friction="0.6" rgba="0.8 0.3 0.2 1"/>
    </body>
  </worldbody>""" + tail + """

  <keyframe>
    <!-- distal = 0.75 middle (the thumb's belt is 0.02 rad ahead) -->
    <key name="start" qpos="0 0 0.02  0 0 0 0  0 0 0 0  -0.009 0 0.069 1 0 0 0" ctrl="0 0.4 0.4 0.4 0.4 0.4 0.4"/>
  </keyframe>""")


def main():
    stack("sphere_stack", 100, "sphere", 0.1, "0.002", """
Sphere stack: 100 equal spheres exactly on top of each other.
Radius 0.05 m, 1 kg each; contacts carry 9.81 N to 981 N. The equilibrium is unstable: any sideways error grows.
Must happen: nothing. All centres start on one line; an exact solver has no cause to leave it.
Checked: greatest move of a sphere in 10 s (below 1 mm), force between spheres i and i + 1 is (100 - i) 9.81 N to 1e-9.
""")
    for name, count, seconds in (("box_stack", 50, "10 minutes"), ("box_stack_20", 20, "10 s")):
        stack(name, count, "box", 0.1, "0.005", f"""
Box stack: {count} equal cubes on top of each other.
Side 0.1 m, 1 kg each, friction 0.5; four corners a face: how they share the load is one choice of many.
Must happen: the stack stands; face i from below (0: the floor) carries ({count} - i) 9.81 N.
Checked: sinking of the top in {seconds} (below 1 µm beyond the margin), sideways drift, work of the solver at rest.
""")
    brick_wall()
    pile()
    row_grasp("row_grasp", 10, 300)
    row_grasp("row_grasp_20", 20, 1000)
    dominoes()
    arch()
    bowl()
    hand_grasp()


if __name__ == "__main__":
    main()
