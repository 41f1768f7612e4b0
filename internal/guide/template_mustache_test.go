package guide

import "testing"

// What the specification of Mustache says about each kind of tag
// (https://github.com/mustache/spec, version 1.4), in cases of our own.

func TestMustacheSections(t *testing.T) {
	checkTemplates(t, []templateCase{
		{name: "true", source: "{{#yes}}x{{/yes}}", want: "x"},
		{name: "false", source: "({{#no}}x{{/no}})", want: "()"},
		{name: "null", source: "({{#nothing}}{{x.y}}{{/nothing}})", want: "()"},
		{name: "empty text", source: "({{#empty}}x{{/empty}})", want: "()"},
		{name: "blank text", source: "({{#blank}}x{{/blank}})", want: "()"},
		{name: "zero", source: "({{#zero}}x{{/zero}})", want: "()"},
		{name: "a number", source: "{{#count}}{{.}}{{/count}}", want: "7"},
		{name: "a text", source: "{{#date}}on {{.}}{{/date}}", want: "on 2025-06-01"},
		{name: "a mapping", source: "{{#server}}{{host}}:{{port}}{{/server}}", want: "h:80"},
		{name: "a mapping and what is around it", source: "{{#server}}{{host}} {{date}} {{project.name}}{{/server}}", want: "h 2025-06-01 next.js"},
		{name: "the innermost counts", source: "{{#project}}{{name}}{{/project}}{{#category}}{{name}}{{/category}}", want: "next.jsdocs"},
		{name: "the innermost of many counts", source: "{{#project}}{{#category}}{{name}}{{root}}{{/category}}{{/project}}", want: "docs/p"},
		{name: "a list", source: "{{#names}}<{{.}}>{{/names}}", want: "<Ann><Bo>"},
		{name: "an empty list", source: "({{#none}}{{anything}}{{#at.all}}{{x}}{{/at.all}}{{/none}})", want: "()"},
		{name: "a list of mappings", source: "{{#steps}}{{title}},{{/steps}}", want: "plan,do,"},
		{name: "a list in a list", source: "{{#steps}}{{title}}{{#tags}}{{.}}{{/tags}};{{/steps}}", want: "planab;do;"},
		{name: "a list of lists", source: "{{#nested}}{{#.}}{{.}}{{/.}}|{{/nested}}", want: "ab|c|"},
		{name: "a list over itself", source: "{{#names}}{{#names}}{{.}}{{/names}}-{{/names}}", want: "AnnBo-AnnBo-"},
		{name: "dotted", source: "{{#server.tls}}{{on}}{{/server.tls}}{{#server.tls.on}}!{{/server.tls.on}}", want: "true!"},
		{name: "what some items have", source: "{{#steps}}{{title}}{{#note}}:{{note}}{{/note}};{{/steps}}", want: "plan:first;do;"},
		{name: "what some items have, by dot", source: "{{#steps}}{{#note}}{{.}}{{/note}}{{/steps}}", want: "first"},
		{name: "what some items don't have", source: "{{#steps}}{{^note}}{{title}}{{/note}}{{/steps}}", want: "do"},
		{name: "one after another", source: "{{#yes}}1{{/yes}}2{{#yes}}3{{/yes}}", want: "123"},
		{name: "in each other", source: "{{#yes}}a{{#yes}}b{{/yes}}c{{/yes}}", want: "abc"},
		{name: "blanks within stay", source: " | {{#yes}}\t|\t{{/yes}} | \n", want: " | \t|\t | \n"},
		{name: "line breaks within stay", source: " | {{#yes}} {{! x }}\n {{/yes}} | \n", want: " |  \n  | \n"},
		{name: "indented on a line", source: " {{#yes}}YES{{/yes}}\n {{#yes}}GOOD{{/yes}}\n", want: " YES\n GOOD\n"},
		{name: "alone", source: "This\n{{#yes}}\nline\n{{/yes}}\nend\n", want: "This\nline\nend\n"},
		{name: "alone and indented", source: "This\n  {{#yes}}  \nline\n\t{{/yes}}\t\nend", want: "This\nline\nend"},
		{name: "alone with CRLF", source: "|\r\n{{#yes}}\r\n{{/yes}}\r\n|", want: "|\r\n|"},
		{name: "alone without a line before", source: "  {{#yes}}\n#{{/yes}}\n/", want: "#\n/"},
		{name: "alone without a line behind", source: "#{{#yes}}\n/\n  {{/yes}}", want: "#\n/\n"},
		{name: "blanks in the tag of a section", source: "|{{# yes }}={{/ yes }}|{{ # yes}}={{ /yes}}|", want: "|=|=|"},
		{name: "two on one line are not alone", source: "{{#yes}}{{#yes}}\nx\n{{/yes}}{{/yes}}\n", want: "\nx\n\n"},
	})
}

func TestMustacheInverted(t *testing.T) {
	checkTemplates(t, []templateCase{
		{name: "false", source: "{{^no}}x{{/no}}", want: "x"},
		{name: "true", source: "({{^yes}}x{{/yes}})", want: "()"},
		{name: "null", source: "{{^nothing}}x{{/nothing}}", want: "x"},
		{name: "an empty list", source: "{{^none}}x{{/none}}", want: "x"},
		{name: "a list", source: "({{^names}}x{{/names}})", want: "()"},
		{name: "a mapping", source: "({{^server}}x{{/server}})", want: "()"},
		{name: "dotted", source: "({{^server.tls.on}}x{{/server.tls.on}})", want: "()"},
		{name: "both", source: "{{#no}}a{{/no}}{{^no}}b{{/no}}", want: "b"},
		{name: "the values around stay", source: "{{^no}}{{date}}{{/no}}", want: "2025-06-01"},
		{name: "alone", source: "a\n{{^no}}\nb\n{{/no}}\nc", want: "a\nb\nc"},
	})
}

func TestMustacheComments(t *testing.T) {
	checkTemplates(t, []templateCase{
		{name: "inline", source: "12{{! x }}34", want: "1234"},
		{name: "many lines", source: "12{{!\n x\n}}34\n", want: "1234\n"},
		{name: "alone", source: "a\n{{! x }}\nb\n", want: "a\nb\n"},
		{name: "alone and indented", source: "a\n  {{! x }}  \nb\n", want: "a\nb\n"},
		{name: "alone with CRLF", source: "|\r\n{{! x }}\r\n|", want: "|\r\n|"},
		{name: "alone without a line before", source: "  {{! x }}\n!", want: "!"},
		{name: "alone without a line behind", source: "!\n  {{! x }}", want: "!\n"},
		{name: "many lines alone", source: "a\n{{!\nx\n}}\nb\n", want: "a\nb\n"},
		{name: "blanks around stay", source: "12 {{! x }} 34\n", want: "12  34\n"},
		{name: "a name of a variable", source: "({{!date}}{{! {{date }})", want: "()"},
		{name: "empty", source: "({{!}})", want: "()"},
	})
}

func TestMustacheDelimiters(t *testing.T) {
	checkTemplates(t, []templateCase{
		{name: "a pair", source: "{{=<% %>=}}(<%count%>){{count}}", want: "(7){{count}}"},
		{name: "characters of patterns", source: "({{=[ ]=}}[count])", want: "(7)"},
		{name: "one character", source: "{{=| |=}}|count||#yes|x|/yes|", want: "7x"},
		{name: "and back", source: "{{=<% %>=}}<%count%><%={{ }}=%>{{count}}<%count%>", want: "77<%count%>"},
		{name: "the same", source: "{{={{ }}=}}{{count}}", want: "7"},
		{name: "in a section", source: "{{#yes}}{{=| |=}}|count|{{count}}|/yes||count|", want: "7{{count}}7"},
		{name: "all kinds", source: "{{=<% %>=}}<%&count%><%{count}%><%^no%>x<%/no%><%! %>", want: "77x"},
		{name: "blanks", source: "{{=  <%\t %>  =}}<%count%>", want: "7"},
		{name: "alone", source: "a\n{{=@ @=}}\nb\n", want: "a\nb\n"},
		{name: "alone with CRLF", source: "|\r\n{{=@ @=}}\r\n|", want: "|\r\n|"},
		{name: "blanks around stay", source: "| {{=@ @=}} |", want: "|  |"},
		{
			name: "a partial begins with the usual ones", source: "{{=| |=}}|>p||count|", want: "(7|count|)7",
			partials: map[string]string{"p": "({{count}}|count|)"},
		},
		{
			name: "those of a partial end with it", source: "{{>p}}{{count}}|count|", want: "7{{count}}7|count|",
			partials: map[string]string{"p": "{{=| |=}}|count|{{count}}"},
		},
	})
}

func TestMustachePartials(t *testing.T) {
	checkTemplates(t, []templateCase{
		{name: "in place", source: "({{>p}})", want: "(text)", partials: map[string]string{"p": "text"}},
		{name: "empty", source: "({{>p}})", want: "()", partials: map[string]string{"p": ""}},
		{name: "with values", source: "{{>p}}{{#server}}{{>q}}{{/server}}", want: "*2025-06-01*h", partials: map[string]string{"p": "*{{date}}*", "q": "{{host}}"}},
		{name: "no escaping", source: "{{>p}}", want: `<b> & "it's"`, partials: map[string]string{"p": "{{html}}"}},
		{name: "in each other", source: "{{>p}}", want: "*x!*", partials: map[string]string{"p": "*{{>q}}*", "q": "x!"}},
		{name: "twice", source: "{{>p}}{{>p}}", want: "xx", partials: map[string]string{"p": "x"}},
		{name: "in a list", source: "{{#names}}{{>p}}{{/names}}", want: "[Ann][Bo]", partials: map[string]string{"p": "[{{.}}]"}},
		{name: "blanks around stay", source: "| {{>p}} |", want: "| \t|\t |", partials: map[string]string{"p": "\t|\t"}},
		{name: "on a line with text, not indented", source: "  {{date}}  {{> p}}\n", want: "  2025-06-01  >\n>\n", partials: map[string]string{"p": ">\n>"}},
		{name: "alone with CRLF", source: "|\r\n{{>p}}\r\n|", want: "|\r\n>|", partials: map[string]string{"p": ">"}},
		{name: "alone without a line before", source: "  {{>p}}\n>", want: "  >\n  >>", partials: map[string]string{"p": ">\n>"}},
		{name: "alone without a line behind", source: ">\n  {{>p}}", want: ">\n  >\n  >", partials: map[string]string{"p": ">\n>"}},
		{
			name: "indented, but not what values hold", source: "\\\n {{>p}}\n/\n", want: "\\\n |\n <\n->\n |\n/\n",
			partials: map[string]string{"p": "|\n{{#lines}}{{.}}{{/lines}}\n|\n"},
		},
		{name: "empty lines are not indented", source: "  {{>p}}\n", want: "  a\n\n  b\r\n\r\n  c\n", partials: map[string]string{"p": "a\n\nb\r\n\r\nc\n"}},
		{name: "indented twice", source: "  {{>p}}\n", want: "  a\n    b\n    c\n", partials: map[string]string{"p": "a\n  {{>q}}\n", "q": "b\nc\n"}},
		{name: "with sections that are alone", source: " {{>p}}\n.", want: " x\n.", partials: map[string]string{"p": "{{#yes}}\nx\n{{/yes}}\n"}},
		{name: "begins with a section, on a line with text", source: "a {{>p}} b", want: "a x\n b", partials: map[string]string{"p": "{{#yes}}\nx\n{{/yes}}\n"}},
		{name: "blanks in the tag of a partial", source: "|{{> p }}|", want: "|[]|", partials: map[string]string{"p": "[]"}},
		{name: "beside the file that includes it", source: "{{>d/p}}", want: "deep", partials: map[string]string{"d/p": "{{>q}}", "d/q": "deep", "q": "top"}},
		{name: "with a mark", source: "a{{>p}}b", want: "axb", partials: map[string]string{"p": "\uFEFFx"}},
	})
}
