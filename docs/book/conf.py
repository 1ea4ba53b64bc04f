"""How docs/ becomes a book: `cargo xtask book`.

Sphinx with MyST reads Markdown as the forges do, names anchors as they do, and fails on a link or an anchor that leads
nowhere, all offline. It is installed from PyPI in seconds; mdBook would have to be compiled, and checks no link itself.
"""

import re
from posixpath import join, normpath

project = "ftl"
html_title = "ftl"
language = "en"
extensions = ["myst_parser"]

# The whole repository is read, so that links between docs/ and the files beside it work here as on a forge.
root_doc = "docs/README"
exclude_patterns = [
    ".*",
    "crates",
    "fuzz",
    "target",
    "tests",
    "tools",
    "xtask",
    "docs/book",
    "examples/*/[!E]*",
    "examples/*/.*",
]

# Anchors of headings, by the rule of the forges.
myst_heading_anchors = 4
myst_url_schemes = ["http", "https", "mailto"]
# Diagrams in Mermaid are shown as text: drawing them needs a program from elsewhere.
suppress_warnings = ["misc.highlighting_failure"]

html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["wide.css"]
# Redirects the book's directory to its first page.
html_extra_path = ["index.html"]
html_show_sourcelink = False
html_copy_source = False
html_use_index = False
html_show_copyright = False
html_show_sphinx = False


def _chapters(text):
    """The headings of the table of contents, each with its links to pages: one list, read by people and by Sphinx."""
    for part in text.split("\n## ")[1:]:
        heading, _, entries = part.partition("\n")
        pages = re.findall(r"\[([^\]]+)\]\(([^)#:]+)\.md\)", entries)
        # Paths from the top, as Sphinx names pages.
        yield heading, [(title, normpath(join("/docs", page))) for title, page in pages]


def _add_contents(app, name, source):
    if name == "docs/how-we-know":
        # The measured pages are below the one that says what they are for.
        pages = sorted(set(re.findall(r"\]\(\.\./(lab/[^)#:]+)\.md", source[0])))
        entries = "\n".join(f"/{page}" for page in pages)
        source[0] += f"\n```{{toctree}}\n:hidden:\n\n{entries}\n```\n"
    if name != root_doc:
        return
    for heading, pages in _chapters(source[0]):
        entries = "\n".join(f"{title} <{page}>" for title, page in pages)
        source[0] += f"\n```{{toctree}}\n:hidden:\n:caption: {heading}\n\n{entries}\n```\n"


def setup(app):
    app.connect("source-read", _add_contents)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
