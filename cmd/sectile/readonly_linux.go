package main

import "github.com/landlock-lsm/go-landlock/landlock"

// keepFromWriting has the system refuse this process and those that it starts whatever
// would write to a file system, for the rest of their lives. That holds however a program
// such as jj decides what a read must write down. A kernel without Landlock (before 5.13,
// or where it is switched off) refuses nothing.
func keepFromWriting() error {
	return landlock.V5.BestEffort().RestrictPaths(
		landlock.RODirs("/"),
		landlock.RWFiles("/dev/null").IgnoreIfMissing(), // which takes what programs print and nobody wants
	)
}
