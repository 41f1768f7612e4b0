// Package doctor says whether the program, its configuration and what it is installed in work together,
// and what a server is started with.
package doctor
