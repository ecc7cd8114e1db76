# How tools/docs makes a site of the documents, which is read without a server and without a network.
project = "hetc"
root_doc = "index"
extensions = ["myst_parser"]
myst_heading_anchors = 4
html_theme = "furo"  # light and dark
html_title = "hetc"
html_static_path = ["style"]
html_css_files = ["hetc.css"]
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
language = "en"
smartquotes = False  # messages as they are
suppress_warnings = [
    "misc.highlighting_failure",  # of pragmas and messages
    "myst.header",                # a page of a file has one heading
    "myst.anchor",                # of the README, which is the first page, too; links are checked by themselves
]
