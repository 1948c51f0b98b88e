"""Hooks of mkdocs.yml.

LaTeX as GitHub reads it ($`x`$ and ```math blocks) becomes MathML, which needs no script. Links to files of the source
tree, which the site does not have, become plain text; a link to a page or file that is nowhere ends the build. Pages that
the navigation does not name are added to it.
"""
import os
import re

from latex2mathml.converter import convert

BLOCK = re.compile(r"^```math\n(.*?)\n```$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"\$`([^`\n]+)`\$")
LINK = re.compile(r"\[((?:[^\[\]]|\[[^\]]*\])+)\]\((?!https?:|#|mailto:)([^)\s#]+)(#[^)]*)?\)")
FENCED = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)


def on_config(config):
    named = set(re.findall(r"[\w/-]+\.md", repr(config["nav"])))
    found = sorted(p for p in os.listdir(config["docs_dir"]) if p.endswith(".md") and p not in named)
    for section in config["nav"]:
        if isinstance(section, dict) and "How it works" in section:
            section["How it works"] += found
    return config


def link(match, page, docs):
    text, target = match.group(1), match.group(2)
    place = os.path.normpath(os.path.join(docs, os.path.dirname(page), target))
    inside = os.path.relpath(place, docs)
    if os.path.isfile(place) and not inside.startswith(("..", "examples")):
        return match.group(0)
    return text if os.path.exists(place) else match.group(0)


def on_page_markdown(markdown, page, config, **_):
    markdown = BLOCK.sub(lambda m: "\n" + convert(m.group(1), display="block") + "\n", markdown)
    markdown = INLINE.sub(lambda m: convert(m.group(1)), markdown)
    parts = FENCED.split(markdown)
    for i in range(0, len(parts), 2):
        parts[i] = LINK.sub(lambda m: link(m, page.file.src_path, config["docs_dir"]), parts[i])
    return "".join(parts)
