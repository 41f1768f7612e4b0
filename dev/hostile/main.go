// Command hostile writes a hostile document to standard output:
//
//	scripts/dev hostile quote-stairs [BYTES]
//
// Without a name it lists them.
package main

import (
	"fmt"
	"os"
	"strconv"

	"github.com/sectile/sectile/internal/testkit"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "hostile:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		for _, in := range testkit.HostileInputs() {
			if _, err := fmt.Fprintf(os.Stdout, "%-28s %d bytes\n", in.Name, in.Size); err != nil {
				return err
			}
		}
		return nil
	}
	in, err := testkit.FindHostileInput(args[0])
	if err != nil {
		return err
	}
	size := in.Size
	if len(args) > 1 {
		if size, err = strconv.Atoi(args[1]); err != nil {
			return err
		}
	}
	_, err = os.Stdout.Write(in.Make(size))
	return err
}
