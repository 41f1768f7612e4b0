// Package app turns requests into replies: one file for each thing that a user
// can ask for, on the command line or through a tool. It finds and reads
// documents, has them parsed, and renders what was asked for as text or JSON.
//
// An adapter (package cli) decodes its arguments into a request, calls a function
// of this package and prints what comes back. Nothing here prints, and nothing
// here knows who asks: a request says in its fields what its reply must look like,
// such as Single for a tool's, and how it calls its arguments.
package app
