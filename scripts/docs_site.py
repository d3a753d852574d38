"""Hooks of mkdocs (mkdocs.yml): links that leave docs/ become plain text. A page that would ask another host ends the build, and so does one
that no chapter lists."""
import pathlib
import re

from mkdocs.exceptions import PluginError

OUTWARD = re.compile(r"(?<!!)\[([^\]]*)\]\(\.\./[^)\s]*\)")
# What a browser fetches by itself; a link to click on (<a href>) is none of it.
FETCHED = re.compile(r"""<(?:script|img|iframe|source|video|audio|embed)\b[^>]*?\bsrc\s*=\s*["']?(?:https?:)?//|"""
                     r"""<link\b[^>]*?\bhref\s*=\s*["']?(?:https?:)?//|"""
                     r"""url\(\s*["']?(?:https?:)?//|@import\s+["']?(?:https?:)?//""", re.IGNORECASE)


def on_nav(nav, files, **_):
    listed = {page.file.src_path for page in nav.pages}
    forgotten = [file.src_path for file in files.documentation_pages() if file.src_path not in listed]
    if forgotten:
        raise PluginError(f"mkdocs.yml: nav does not list {', '.join(forgotten)}")
    return nav


def on_page_markdown(markdown, **_):
    return OUTWARD.sub(r"\1", markdown)


def on_post_build(config, **_):
    for path in sorted(pathlib.Path(config["site_dir"]).rglob("*")):
        if path.suffix in {".html", ".css"}:
            found = FETCHED.search(path.read_text(encoding="utf-8"))
            if found:
                raise PluginError(f"{path}: asks another host: {found[0]}")
