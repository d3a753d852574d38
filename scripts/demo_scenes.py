#!/usr/bin/env python3
"""Simulates four scenes with every step certified, prints a table and writes a gallery of replays.
   scripts/demo_scenes.py TRIBO OUT_FOLDER"""
import html
import json
import pathlib
import subprocess
import sys

SCENES = [  # scene, seconds, frames kept, what to look at
    ("row_grasp", 1.0, 2, "Ten boxes squeezed between two plates, held by friction alone"),
    ("wall_hit", 1.2, 4, "A 200 kg ball breaks through 105 bricks laid dry"),
    ("hand_grasp", 1.5, 5, "A three-fingered hand with coupled joints closes on a box"),
    ("peg_in_hole", 1.0, 4, "A peg slides into a hole with little play"),
]
BAR = 24


def show(done, total, what):
    if sys.stderr.isatty():
        filled = BAR * done // total
        end = "\n" if done == total else ""
        print(f"\r  [{'#' * filled}{'.' * (BAR - filled)}] {what:<40}", end=end, file=sys.stderr, flush=True)
    else:
        print(f"  {done}/{total} {what}", file=sys.stderr, flush=True)


def run(tribo, scene, seconds, every, page):
    command = [tribo, "run", scene, "--duration", str(seconds), "--every", str(every), "--out", str(page), "--force", "--json"]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    if finished.returncode != 0:
        sys.exit(f"demo: {' '.join(command)}\n{finished.stdout}{finished.stderr}demo: {scene} was not certified")
    return json.loads(finished.stdout)


def write_gallery(folder, rows):
    cards = "\n".join(
        f"""<a class="card" href="{html.escape(r['scene'])}.html"><h2>{html.escape(r['scene'].replace('_', ' '))}</h2><p>{html.escape(r['text'])}</p>
<dl><dt>steps</dt><dd>{r['steps']} of {1e3 * r['step']:g} ms</dd><dt>contacts</dt><dd>{r['contacts_max']} at most</dd>
<dt>time</dt><dd>{r['us_per_step_mean']:.0f} µs per step</dd><dt>certificate</dt><dd>{r['worst_certificate']:.1e} at worst</dd></dl></a>"""
        for r in rows)
    (folder / "index.html").write_text(f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Tribo: replays</title><style>
:root {{ color-scheme: light dark; --line: color-mix(in srgb, CanvasText 18%, Canvas); }}
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 3rem auto; padding: 0 1rem; }}
.cards {{ display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: 1rem; }}
.card {{ display: block; border: 1px solid var(--line); border-radius: 10px; padding: 1rem 1.2rem; color: inherit; text-decoration: none; }}
.card:hover, .card:focus-visible {{ border-color: #2a7de1; }}
h2 {{ margin: 0; font-size: 1.1rem; text-transform: capitalize; }} p {{ margin: .4rem 0 .8rem; }}
dl {{ display: grid; grid-template-columns: auto 1fr; gap: 0 1rem; margin: 0; font-variant-numeric: tabular-nums; font-size: .9rem; }}
dt {{ opacity: .65; }} dd {{ margin: 0; }}
</style></head><body><h1>Four scenes, every step certified</h1>
<p>Each replay is one file that needs no network: open it, press space, click a contact to see its force and why it sticks or slides.</p>
<div class="cards">
{cards}
</div></body></html>
""", encoding="utf-8")


def main():
    tribo, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for number, (scene, seconds, every, text) in enumerate(SCENES):
        show(number, len(SCENES), f"{scene}, {seconds:g} s")
        rows.append(run(tribo, scene, seconds, every, folder / f"{scene}.html") | {"text": text})
    show(len(SCENES), len(SCENES), "done")
    print(f"\n{'scene':<14}{'steps':>7}{'contacts':>10}{'µs/step':>10}{'certificate':>13}{'overlap, m':>12}{'slip, m':>10}")
    for r in rows:
        print(f"{r['scene']:<14}{r['steps']:>7}{r['contacts_max']:>10}{r['us_per_step_mean']:>10.1f}{r['worst_certificate']:>13.1e}"
              f"{r['max_penetration']:>12.1e}{r['slip_max']:>10.1e}")
    write_gallery(folder, rows)
    print(f"\nreplays: {folder / 'index.html'}")


if __name__ == "__main__":
    main()
