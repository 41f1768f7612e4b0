// Package cli is the command line. A command is one file: its flags, the request
// that they make, and the printing of the reply. What a command does is in
// package app.
//
// Results go to standard output, errors to standard error, each in a line that
// begins with "sectile: " and the error's code, with candidates below it; with --json
// an error is an object on standard output. The exit code is 0 if all was done, 1 if a
// document failed, 2 if the command was wrong.
package cli
