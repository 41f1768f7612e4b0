"""Parses MIME messages with Python's email package.

Reads {"NAME": "BASE64 OF A MESSAGE", ...} from standard input and writes
{"NAME": {"defects": [...], "type": ..., "preamble": ..., "epilogue": ...,
"parts": [...]}, ...}. A part has its headers in order, its content as bytes, and
its text as a client would see it that decodes with the declared charset.

The messages are parsed from bytes: parsing a file object, even a binary one,
goes through a text layer that turns CRLF into LF.
"""

import base64
import email
import email.policy
import json
import sys


def part(p):
    content = p.get_payload(decode=True)
    # Text without a charset is ASCII (RFC 2046, section 4.1.2); JSON, YAML, TOML and
    # SVG are UTF-8 by what defines them.
    charset = p.get_content_charset() or ("us-ascii" if p.get_content_maintype() == "text" else "utf-8")
    return {
        "headers": [[name, str(value)] for name, value in p.raw_items()],
        "type": p.get_content_type(),
        "content": base64.b64encode(content).decode("ascii"),
        "text": content.decode(charset),
        "defects": [repr(d) for d in p.defects],
    }


def message(data):
    m = email.message_from_bytes(data, policy=email.policy.default)
    return {
        "type": m.get_content_type(),
        "preamble": m.preamble or "",
        "epilogue": m.epilogue or "",
        "parts": [part(p) for p in m.iter_parts()],
        "defects": [repr(d) for d in m.defects],
    }


messages = json.load(sys.stdin)
json.dump({name: message(base64.b64decode(data)) for name, data in messages.items()}, sys.stdout)
