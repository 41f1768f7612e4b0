// The program browser shows the page of `sectile view` in Chromium, which tests of this folder
// drive too, and takes pictures of it.
//
//	browser SECTILE FOLDER       the pictures of the documentation, into the folder
//	browser -all SECTILE FOLDER  every page at every width, light and dark, to look at
//
// SECTILE is the program. The pages show a copy of this project's documentation, with which an
// agent has worked: a client of the Model Context Protocol that reads and changes sections.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/chromedp/chromedp"
)

func main() {
	all := flag.Bool("all", false, "every page at every width, light and dark")
	flag.Parse()
	if flag.NArg() != 2 {
		fmt.Fprintln(os.Stderr, "usage: browser [-all] SECTILE FOLDER")
		os.Exit(2)
	}
	if err := run(flag.Arg(0), flag.Arg(1), *all); err != nil {
		fmt.Fprintln(os.Stderr, "browser:", err)
		os.Exit(1)
	}
}

// shot is a picture to take.
type shot struct {
	name, path    string
	width, height int
	dark          bool
}

// documented are the pictures of the documentation.
var documented = []shot{
	{"view-read.png", "/read?path=docs/threats.md&at=%23the-network--the-server", 1180, 760, false},
	{"view-watch.png", "/changes", 1180, 640, false},
	{"view-map.png", "/map", 1180, 900, true},
	{"view-difference.png", "CHANGE", 1180, 520, false},
}

// everything are all pages at all widths.
func everything() []shot {
	var list []shot
	for _, p := range [...]struct{ name, path string }{
		{"home", "/"},
		{"read", "/read?path=docs/architecture.md&at=%23arrows"},
		{"document", "/read?path=README.md"},
		{"source", "/read?path=docs/threats.md&at=%23who&source=1"},
		{"search", "/search?q=undo+change"},
		{"changes", "/changes"},
		{"difference", "CHANGE"},
		{"map", "/map"},
		{"plan", "/plan"},
		{"links", "/links?path=docs/threats.md"},
		{"failure", "/read?path=nowhere.md"},
	} {
		for _, width := range []int{320, 768, 1280, 1920} {
			for _, dark := range []bool{false, true} {
				scheme := "light"
				if dark {
					scheme = "dark"
				}
				list = append(list, shot{fmt.Sprintf("%s-%d-%s.png", p.name, width, scheme), p.path, width, 900, dark})
			}
		}
	}
	return list
}

func run(program, folder string, all bool) error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	place, err := os.MkdirTemp("", "sectile-browser-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(place) }()
	shown, err := newShown(ctx, program, place)
	if err != nil {
		return err
	}
	defer shown.close()
	change, err := shown.work(ctx)
	if err != nil {
		return err
	}
	tab, err := openBrowser(ctx, filepath.Join(place, "profile"))
	if err != nil {
		return err
	}
	defer tab.close()
	if err := chromedp.Do(tab.ctx, chromedp.Navigate(shown.address)); err != nil {
		return err
	}
	list := documented
	if all {
		list = everything()
	}
	for _, s := range list {
		if s.path == "CHANGE" {
			s.path = "/change?id=" + change
		}
		picture, err := tab.picture(shown.base+s.path, s)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		if err := os.WriteFile(filepath.Join(folder, s.name), picture, 0o644); err != nil {
			return err
		}
	}
	return nil
}
