"""Text of comments as Markdown."""

import re

NOT_RUN = "<!-- not run: a declaration -->\n"


def code(text, language="cpp"):
    return f"{NOT_RUN}```{language}\n{text.strip()}\n```\n"


# Names that no word of prose looks like: the_name, tla::Name, Name<T>, module.call(). Texts in quotes stay.
_NAME = re.compile(r"(?<![`\w\".:])(?:\w+(?:::|\.))*(?:(?:[A-Za-z]+_[A-Za-z_0-9]+|[A-Za-z]\w*<[\w, ]+>)(?:\(\))?|[A-Za-z]\w*\(\))"
                   r"|(?<![`\w\".:])(?:\w+::)+\w+(?:\(\))?")


def prose(text):
    """The text in one paragraph for each of its own, with names in the type of code."""
    parts = re.split(r"(`[^`]*`)", text)
    for i in range(0, len(parts), 2):
        parts[i] = re.sub(r"(?<!\\)([*<>])(?![^`]*`)", r"\\\1", _NAME.sub(lambda found: f"`{found[0]}`", parts[i]))
    return re.sub(r"`([^`]*)`", lambda found: "`" + found[1].replace("\\", "") + "`", "".join(parts))
