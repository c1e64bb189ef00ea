# Doxygen makes links of names with brackets alone. Not in the list of a frame's calls, which is code.
/^ \*     [^ ]/b
s/`(vkskin[A-Z][A-Za-z0-9]*)`/\1/g
s/\b(vkskin[A-Z][A-Za-z0-9]*)\b([^A-Za-z0-9(]|$)/\1()\2/g
# What is not in this folder is not in the reference.
s/\[([^]]*)\]\(\.\.\/[^)]*\)/\1/g
