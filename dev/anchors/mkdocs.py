"""Records the anchors that Python-Markdown gives to headings, as MkDocs sets it up.

    python3 -m venv VENV && VENV/bin/pip install markdown
    VENV/bin/python dev/anchors/mkdocs.py > internal/anchors/testdata/mkdocs.json

Each case is a document with the anchors of its headings in order.
"""

import json
import random
import re

import markdown

FIXED = [
    "# Hello World\n\n## Hello World\n\n## Hello World\n",
    "# a\n\n# a_1\n\n# a\n\n# a_1\n\n# a\n",
    "# a_5\n\n# a_5\n\n# a\n\n# a\n\n# a_5\n",
    "# !?\n\n# !?\n\n# _1\n",
    "# Café au lait\n\n# ﬁne ½ Ⅷ\n\n# 日本語\n\n# Ünïcödé_name\n",
    "# 3.5 in it (and parentheses)\n\n# C++ & C#\n\n# what's -- this --- here\n",
    "# -dash- and _under_\n\n# *emphasis* and **strong**\n\n# `code  span`\n",
    "# Title {#own}\n\n# own\n\n# Own\n",
    "# first\n\n# Title {: #first .class }\n",
    "# Title {.class}\n\n# Title { .class #x }\n",
    "# a &amp; b &lt; c\n\n# &copy; 2024\n",
    "# [link](x.md) text\n\n# ![image](x.png) text\n",
    "Setext one\n==========\n\nSetext two\n----------\n",
    "# Tab\there\n\n# two  spaces\n",
    "# Straße\n\n# İstanbul\n\n# ΟΔΟΣ\n",
    "# A `{#a}`\n\n# A `{#b` c}\n\n# A\n\n# B \\{#z}\n\n# L {#k\\}\n\n# O{#p}\n\n# *{#i}*\n\n# *I* {#j}\n",
    "# {#q}\n\n# {#q}\n\n{#s}\n====\n\nT {#t}\n====\n\n# U {.v}\n\n# U{.v}\n\n# U `{.v}`\n",
    "# S { data-toc-label=\"Set it up\" }\n\n# S { #own data-toc-label=\"C #x\" }\n\n# S { .c a='b } c' }\n\n# S {x=1}\n\n# S {#a #b}\n\n# S {: x=y id=\"e\" }\n",
    "# A {:#set-up}\n\n# A {:.red}\n\n# A {:x=1}\n\n# A {:}\n\n# A { : #b}\n\n# A {: } {#b}\n\n# A {#a=b}\n\n# A {id='x y' k=\"}\n\n# A {id=\"q}\"}\n",
    "# [Home](x.md){ .md-button }\n\n# Use [x](y.md){ target=_blank } now\n\n# *a*{.b} {#c}\n\n# `a`{:.b} d {.e}\n\n# **[x](y){.a} z**{#b .c}\n\n# [x](y){ title='a } b' } c\n",
    "# [x](y){ .a = b } c\n\n# ![i](x.png){ .a } d\n\n# <http://x.y>{.a} e\n\n# [x](y){ title=\"see http://x.y\" } f\n\n# [x](y) {.a}\n\n# [x](y){} g\n\n# *a*{.b}*c*{.d}\n",
    "# A {b} c {#x}\n\n# A *x {y}* {#z}\n\n# A {#k }l}\n\n# A\t{.n\t#n}\n\n# A {[l](u) #o}\n\n# A {x=y\\}\n\n# A {.p = q}\n\n# A {#r c} #\n",
]

WORDS = ["a", "A", "b_1", "1", "2", "_", "-", "é", "x.y", "C#", "日", "ß", "(v)", "&amp;", "`q`", "*i*", "_1", "--", "ﬁ", "½"]


def cases():
    yield from FIXED
    draw = random.Random(21)
    for _ in range(60):
        yield "".join(
            "#" * draw.randint(1, 3) + " " + " ".join(draw.choices(WORDS, k=draw.randint(1, 3))) + "\n\n"
            for _ in range(draw.randint(2, 8))
        )


def record(source):
    html = markdown.markdown(source, extensions=["toc", "tables", "fenced_code", "attr_list"])
    return {"source": source, "ids": re.findall(r'<h[1-6][^>]*? id="([^"]*)"', html)}


print(json.dumps({
    "program": "Python-Markdown " + markdown.__version__,
    "cases": [record(s) for s in cases()],
}, ensure_ascii=False, indent=1))
