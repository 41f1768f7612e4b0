package main

import (
	"regexp"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// A file may hold the words of an allowed licence and, beside them, a sentence that takes
// back what the licence grants. So every word is accounted for: it is a licence's, or
// says whose copyright it is, or is a title, or was read by somebody and is listed here.

// readWhole are files that were read from end to end by somebody, by module: the SHA-256
// of the text, and the licence that is taken.
var readWhole = map[string]struct{ sum, id, reason string }{
	"kernel.org/pub/linux/libs/security/libcap/psx": {
		"279fa656c62857d42952b86a0789b98669ca1cb4b324a8d9e91397c174af4c14", "BSD-3-Clause",
		"offers the three clauses of BSD, the third in words of its own, or GPL-2.0; the first is taken",
	},
}

// harmless are the words beside licences that were read and ask for nothing, by module.
// They are written with single spaces.
var harmless = map[string][]struct{ text, reason string }{
	"github.com/BurntSushi/toml": {{
		`Copyright (c) 2013 TOML authors`,
		"says whose copyright it is",
	}},
	"github.com/blevesearch/go-porterstemmer": {{
		`Copyright (c) 2013 Charles Iliya Krempeaux <charles@reptile.ca> :: http://changelog.ca/`,
		"says whose copyright it is",
	}},
	"github.com/json-iterator/go": {{
		`Copyright (c) 2016 json-iterator`,
		"says whose copyright it is",
	}},
	"github.com/modelcontextprotocol/go-sdk": {{
		`The MCP project is undergoing a licensing transition from the MIT License to the Apache License, Version 2.0 ("Apache-2.0"). All new code and specification contributions to the project are licensed under Apache-2.0. Documentation contributions (excluding specifications) are licensed under CC-BY-4.0. Contributions for which relicensing consent has been obtained are licensed under Apache-2.0. Contributions made by authors who originally licensed their work under the MIT License and who have not yet granted explicit permission to relicense remain licensed under the MIT License. No rights beyond those granted by the applicable original license are conveyed for such contributions.`,
		"says which of two allowed licences is for what",
	}, {
		`Creative Commons Attribution 4.0 International (CC-BY-4.0) Documentation in this project (excluding specifications) is licensed under CC-BY-4.0. See https://creativecommons.org/licenses/by/4.0/legalcode for the full license text.`,
		"is for documentation, which is not linked",
	}},
	"github.com/pelletier/go-toml/v2": {{
		`Copyright (c) 2021 2023 Thomas Pelletier go-toml v2`,
		"says whose copyright it is, and names the library",
	}},
	"github.com/RoaringBitmap/roaring/v2": {{
		`Copyright 2016 by the authors APPENDIX: How to apply the Apache License to your work. To apply the Apache License to your work, attach the following boilerplate notice, with the fields enclosed by brackets "[]" replaced with your own identifying information. (Don't include the brackets!) The text should be enclosed in the appropriate comment syntax for the file format. We also recommend that a file or class name and description of purpose be included on the same "printed page" as the copyright notice for easier identification within third-party archives. Portions of runcontainer.go are from the Go standard library, which is licensed under:`,
		"says whose copyright it is, has the appendix of Apache-2.0, and names the licence of Go, which follows and is allowed",
	}, {
		`Copyright 2016 by the authors APPENDIX: How to apply the Apache License to your work. To apply the Apache License to your work, attach the following boilerplate notice, with the fields enclosed by brackets "[]" replaced with your own identifying information. (Don't include the brackets!) The text should be enclosed in the appropriate comment syntax for the file format. We also recommend that a file or class name and description of purpose be included on the same "printed page" as the copyright notice for easier identification within third-party archives.`,
		"says whose copyright it is, and is that appendix",
	}},
	"github.com/russross/blackfriday/v2": {{
		"Blackfriday is distributed under the Simplified BSD License:",
		"names the licence",
	}},
	"go.yaml.in/yaml/v4": {{
		`Copyright 2025 The go-yaml Project Contributors`,
		"says whose copyright it is",
	}, {
		`APPENDIX: How to apply the Apache License to your work. To apply the Apache License to your work, attach the following boilerplate notice, with the fields enclosed by brackets "[]" replaced with your own identifying information. (Don't include the brackets!) The text should be enclosed in the appropriate comment syntax for the file format. We also recommend that a file or class name and description of purpose be included on the same "printed page" as the copyright notice for easier identification within third-party archives.`,
		"is the appendix of Apache-2.0, which tells how to use that licence",
	}},
	"go.yaml.in/yaml/v3": {{
		"This project is covered by two different licenses: MIT and Apache.",
		"says that there are two allowed licences",
	}, {
		"The following files were ported to Go from C files of libyaml, and thus are still covered by their original MIT license, with the additional copyright staring in 2011 when the project was ported over: apic.go emitterc.go parserc.go readerc.go scannerc.go writerc.go yamlh.go yamlprivateh.go",
		"says which of the two is for what",
	}, {
		"All the remaining project files are covered by the Apache license:",
		"the same",
	}},
}

// copyrightLine finds the lines that say whose copyright it is and nothing else: years,
// and names, which are capitalised but for a few small words.
var copyrightLine = regexp.MustCompile(`(?m)^[\s#*/>]*(Copyright( \([cC]\)| ©)?|\([cC]\)|©) ` +
	`(\[yyyy\] \[name of copyright owner\]|` +
	`(\d{4}(-\d{4}|-present)?,? ?)+ *(by )?((\(?[@A-Z][^\s,;:()]*|a|and|the|of|de|van|von)\)?,? ?){1,10})` +
	`( ?[(<]?https?://\S+| ?<\S+@\S+>)?\.?( All rights reserved\.?)?[ \t]*$`)

// plainCopyright takes the place of these lines: some licences end with one.
const plainCopyright = "Copyright 2000 Somebody"

// reservedLine finds lines that reserve all rights, which licences follow that grant some.
var reservedLine = regexp.MustCompile(`(?mi)^[\s>]*all rights reserved\.?[ \t]*$`)

// strangeCopyright finds what is left of such lines. A licence's pattern takes them for
// its own, whatever else they say.
var strangeCopyright = regexp.MustCompile(`(?m)^.*\b(Copyright|COPYRIGHT)\b.*(\([cC]\)|©|\d{4}).*$`)

// title finds lines that name a licence.
var title = regexp.MustCompile(`(?i)^\W*(the )?(MIT|ISC|(simplified |new |modified )?BSD|BSD [23]-clause|Apache) licen[cs]e( \((MIT|MIT license|ISC)\))?\W*$`)

// opening finds the first words of the licences that are allowed.
var opening = regexp.MustCompile(`(?i)\b(permission\W+is\W+hereby\W+granted|permission\W+to\W+use\W+copy|redistribution\W+and\W+use\W+in|` +
	`apache\W+license\W+version\W+2\.0|licensed\W+under\W+the\W+apache\W+license|this\W+is\W+free\W+and\W+unencumbered|creative\W+commons\W+legal\W+code|cc0\W+1\.0\W+universal)`)

// read returns the licences in a text, by SPDX and sorted, and what it says beside them,
// but for titles and whose copyright it is, with single spaces.
func read(text []byte) (ids []string, beside string) {
	left := copyrightLine.ReplaceAllString(string(unixLines(text)), plainCopyright)
	left = reservedLine.ReplaceAllString(left, "")
	var rest strings.Builder
	left = strangeCopyright.ReplaceAllStringFunc(left, func(line string) string {
		if line == plainCopyright {
			return line
		}
		rest.WriteString(line + "\n")
		return ""
	})
	at := 0
	for _, match := range licensecheck.Scan([]byte(left)).Match {
		if match.IsURL {
			continue
		}
		ids = append(ids, match.ID)
		rest.WriteString(left[at:match.Start] + "\n")
		// A pattern has room for names, before the first words and at lines of copyright.
		for body := left[match.Start:match.End]; ; {
			first := opening.FindStringIndex(body)
			if first == nil {
				rest.WriteString(body + "\n")
				break
			}
			rest.WriteString(body[:first[0]] + "\n")
			body = body[first[0]:]
			names := strings.Index(body, plainCopyright)
			if names < 0 {
				break
			}
			body = body[names:]
		}
		at = match.End
	}
	rest.WriteString(left[at:])
	var words []string
	for line := range strings.Lines(rest.String()) {
		if title.MatchString(line) || strings.TrimSpace(line) == plainCopyright {
			continue
		}
		for word := range strings.FieldsSeq(line) {
			if strings.Trim(word, "-=*#>/.") != "" {
				words = append(words, word)
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), strings.Join(words, " ")
}
