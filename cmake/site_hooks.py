"""Hooks of mkdocs.yml: LaTeX as GitHub reads it ($`x`$ and ```math blocks) becomes MathML, which needs no script."""
import re

from latex2mathml.converter import convert

BLOCK = re.compile(r"^```math\n(.*?)\n```$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"\$`([^`\n]+)`\$")


def on_page_markdown(markdown, **_):
    markdown = BLOCK.sub(lambda m: "\n" + convert(m.group(1), display="block") + "\n", markdown)
    return INLINE.sub(lambda m: convert(m.group(1)), markdown)
