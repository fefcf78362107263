// Package report writes what a job has found as one HTML page: figures, tables and
// plots that a person reads, in a browser or printed.
//
// A page is one file. It asks for nothing else, from the network or the disk (a
// Content-Security-Policy in it forbids that), and has no script: plots are SVG,
// what a mark stands for is its tooltip. It follows the reader's choice of light or
// dark (prefers-color-scheme) and fits phones as well as desktops. Each plot has a
// title and a description for screen readers, and its numbers as a table behind a
// fold.
//
// The bytes depend on the Page alone. Any text may stand in it: bytes that are no
// UTF-8, and control characters, become U+FFFD.
package report
