package config

import (
	"slices"
	"strings"

	"github.com/sectile/sectile/headings"
	"github.com/sectile/sectile/internal/yamltree"
)

// The keys stand in one table. Reading a file goes by it, and docs/config.md is
// made from it.

// Type is what a key's value may be.
type Type string

// The types of values.
const (
	TextValue       Type = "text"
	NumberValue     Type = "whole number"
	PatternsValue   Type = "list of patterns"
	EntriesValue    Type = "list of entries"
	FoldersValue    Type = "list of folders"
	CollectionValue Type = "list of entries, or mapping"
	MappingValue    Type = "mapping"
	VarsValue       Type = "mapping of anything"
	PresetValue     Type = "mapping of fields"
	WordsValue      Type = "list of words"
)

// Key describes a key of the configuration.
type Key struct {
	Path     string // with NAME for any name
	Type     Type
	Required bool
	UserOnly bool   // no project's file may have it, nor what is below it
	Default  string // as it would be written; empty if there is none
	Unit     string // of a number, and of the length of a text
	Min, Max int64  // of a number; Max also of a text's length; 0 for none
	// ProjectMax is the largest number in a project's file, which isn't trusted with more
	// of the machine's memory and time; 0 for Max.
	ProjectMax int64
	Meaning    string
	Example    string // of the value, as it is written
}

// Name returns the last part of the key's path.
func (k *Key) Name() string { return k.Path[strings.LastIndexByte(k.Path, '.')+1:] }

const (
	maxName        = 64  // characters
	maxDescription = 500 // characters
	maxDir         = 4096
	maxPattern     = 1000 // bytes
	maxList        = 1000 // patterns or entries of one list
	maxVars        = 8    // levels of lists and mappings
)

// defaults are the limits of serving where no file sets them.
var defaults = Guide{MaxDepth: 8, MaxFiles: 100, MaxFileBytes: 1 << 20, MaxReplyBytes: 8 << 20}

// keys are all keys, each after the one that it belongs to.
var keys = []Key{
	{
		Path: "categories", Type: MappingValue,
		Meaning: "The categories by their names.",
	},
	{
		Path: "categories.NAME", Type: MappingValue,
		Meaning: "A category: a folder and the files in it that count.",
		Example: `{dir: docs, patterns: ["**/*.md"]}`,
	},
	{
		Path: "categories.NAME.dir", Type: TextValue, Required: true, Max: maxDir, Unit: "bytes",
		Meaning: "The folder, relative to the project's root, with forward slashes and without `..`. In the user's file it may also be absolute, or begin with `~/` for the home folder.",
		Example: "docs/guides",
	},
	{
		Path: "categories.NAME.patterns", Type: PatternsValue, Max: maxPattern, Unit: "bytes",
		Meaning: "Which files count, in this order. Without any, only a pattern that is asked for matches.",
		Example: `["*.md", "rules/**"]`,
	},
	{
		Path: "categories.NAME.description", Type: TextValue, Max: maxDescription, Unit: "characters",
		Meaning: "What the category is for, shown wherever categories are listed. Line breaks at the end don't count.",
		Example: "How we write code",
	},
	{
		Path: "categories.NAME.vars", Type: VarsValue,
		Meaning: "Variables for the templates of the category: texts, numbers, true and false, lists and mappings, nested at most 8 levels. A number that is printed otherwise than it is written, such as `1.10`, goes in quotes. The names `project`, `category` and `date` are taken.",
		Example: `{team: Platform, reviewers: [Ann, Bo]}`,
	},
	{
		Path: "collections", Type: MappingValue,
		Meaning: "The collections by their names, which no category may have.",
	},
	{
		Path: "collections.NAME", Type: CollectionValue,
		Meaning: "A collection: its entries, or a mapping of the two keys below.",
		Example: `[docs, "rules/go/*.md"]`,
	},
	{
		Path: "collections.NAME.description", Type: TextValue, Max: maxDescription, Unit: "characters",
		Meaning: "What the collection is for.",
		Example: "What to read first",
	},
	{
		Path: "collections.NAME.entries", Type: EntriesValue, Required: true,
		Meaning: "Each entry is the name of a category or of another collection, or NAME/PATTERN for a part of it. Collections must not name each other in a circle, nor more than 100 of them lie in one another.",
		Example: `[docs, "rules/go/*.md"]`,
	},
	{
		Path: "guide", Type: MappingValue,
		Meaning: "Limits of serving categories.",
	},
	{
		Path: "guide.max_depth", Type: NumberValue, Default: "8", Unit: "folders", Min: 1, Max: 64, ProjectMax: 16,
		Meaning: "How many folders may lie between a category's folder and a file.",
		Example: "4",
	},
	{
		Path: "guide.max_files", Type: NumberValue, Default: "100", Unit: "files", Min: 1, Max: 10_000, ProjectMax: 1000,
		Meaning: "How many files a reply has at most.",
		Example: "20",
	},
	{
		Path: "guide.max_file_bytes", Type: NumberValue, Default: "1048576", Unit: "bytes", Min: 1024, Max: 64 << 20, ProjectMax: 8 << 20,
		Meaning: "How large a file may be.",
		Example: "262144",
	},
	{
		Path: "guide.max_reply_bytes", Type: NumberValue, Default: "8388608", Unit: "bytes", Min: 1024, Max: 64 << 20, ProjectMax: 8 << 20,
		Meaning: "How large the files of a reply may be together.",
		Example: "2097152",
	},
	{
		Path: "links", Type: MappingValue,
		Meaning: "How the links of documents are read.",
	},
	{
		Path: "links.dialect", Type: TextValue, Default: "github",
		Meaning: "By which rule headings get their anchors: `github`; `gitlab`; `mkdocs`, as Python-Markdown makes them with its `attr_list`, but that words alone in braces (`Delete {name}`) are text; or `obsidian`, by the text of headings and with `^id` for blocks. An `id` or `name` in HTML and `{#id}` behind a heading count in each of them, and before it. It is never guessed at: where the file that may set it can't be used, what goes by anchors is refused; but one that belongs to another user, or may not be read, sets nothing, and the other file counts. A server reads it when it starts.",
		Example: "mkdocs",
	},
	{
		Path: "links.root", Type: TextValue, Max: maxDir, Unit: "bytes",
		Meaning: "The folder that links which begin with `/` are relative to, itself relative to the project's root, with forward slashes and without `..`. For a command the project is that around the working directory, or the directory itself where there is none, whatever documents are named. For a server it is that around each root, and of several roots around a document the innermost counts in whose project it is set; a project further down, with no root of its own, doesn't count. Where it isn't set such a link is looked for below the project's root, or the outermost of a server's around the document, and isn't judged if nothing is there. Where the project's file can't be used, commands and tools that look for links in the project are refused, for it may set the folder; one that somebody else has left in a folder such as `/tmp` sets nothing ([where it is](#where-it-is)), nor does a user's file that is another's.",
		Example: "docs",
	},
	{
		Path: "headings", Type: PatternsValue, UserOnly: true, Max: headings.MaxPattern, Unit: "bytes",
		Meaning: "Markers of headings that are your own: patterns in the syntax of [RE2](https://github.com/google/re2/wiki/Syntax), each with a level from 1 to 6 and a colon before it, at most 16. " +
			"A paragraph that is one line of at most 1,000 bytes, in no list or quote, is a heading of the level if the whole line matches; its title is what the group `(?<title>…)` matches, or the line. " +
			"The first pattern that matches counts. Such a heading has no anchor, for nobody else makes one, and no other level can be given to it. `--headings` stands in the place of all of these. A server reads them when it starts.",
		Example: `['2:\*\*(?<title>[^*]+)\*\*', '1:== (?<title>.+) ==']`,
	},
	{
		Path: "plan", Type: MappingValue,
		Meaning: "Where plans are kept, and in which form.",
	},
	{
		Path: "plan.store", Type: TextValue, Default: "auto",
		Meaning: "What keeps the plan: `jj`, the description of the current change; `git`, a ref of its own; `file`; or `auto`, the first of these that the project has. For the project's file the nearest folder with a repository counts, and it must have this one; by the user's own file, or `--store`, it may lie further up.",
		Example: "git",
	},
	{
		Path: "plan.file", Type: TextValue, Default: ".sectile/plan.md", Max: maxDir, Unit: "bytes",
		Meaning: "The file of the store `file`, relative to the project's root, with forward slashes and without `..`; in the project's file Markdown, or in `.sectile`. Never `.sectile.yaml`, nor what is protected: version control, keys, what programs run or obey.",
		Example: "docs/plan.md",
	},
	{
		Path: "plan.preset", Type: TextValue, Default: "COMMIT_MESSAGE",
		Meaning: "The form that plans are written in: `COMMIT_MESSAGE`, `MARKDOWN_TASKS`, `YAML_LIKE`, `STRICT`, `CONVENTIONAL`, or one of the presets below.",
		Example: "CONVENTIONAL",
	},
	{
		Path: "plan.presets", Type: MappingValue,
		Meaning: "Forms by their names.",
	},
	{
		Path: "plan.presets.NAME", Type: PresetValue,
		Meaning: "A form: the one that `base` names, without it `COMMIT_MESSAGE`, with other fields. A base may be another preset of the files; at most 16 are built on each other, and the patterns of all, with those of their bases, have at most 16 KiB. The steps of a form's own patterns times `max_input` are at most 50,000,000. The fields are " +
			"`header`, `header_format`, `task`, `task_lax`, `task_like`, `task_bare`, `task_format`, `constraint`, `constraint_like`, `constraint_format`, `scope` (patterns and formats), " +
			"`open`, `done`, `bang` (marks), `indent`, `max_title`, `max_depth`, `max_tasks`, `max_input`, `direction_halt` (numbers), `compact_description` (true or false), `types`, `prefixes` (lists).",
		Example: `{base: CONVENTIONAL, types: [feat, fix, test], max_title: 72}`,
	},
	{
		Path: "plan.workflow", Type: MappingValue,
		Meaning: "The stages of plans, in their order, in the place of the six usual ones: a plan is in the first that hasn't ended. The project's workflow stands in the place of the user's. At most 20 stages.",
	},
	{
		Path: "plan.workflow.NAME", Type: MappingValue,
		Meaning: "A stage.",
		Example: `{until: [description], question: "Ask why.", next: [detail]}`,
	},
	{
		Path: "plan.workflow.NAME.until", Type: WordsValue,
		Meaning: "What ends the stage: any of `header`, `description`, `constraints`, `tasks` that the plan has, or that it is `complete`. Every stage has it but the last.",
		Example: `[constraints, tasks]`,
	},
	{
		Path: "plan.workflow.NAME.meaning", Type: TextValue, Max: maxDescription, Unit: "characters",
		Meaning: "How far a plan in this stage is, in a sentence.",
		Example: "The review is missing.",
	},
	{
		Path: "plan.workflow.NAME.question", Type: TextValue, Max: maxQuestion, Unit: "characters",
		Meaning: "What to ask and to do in this stage: what an agent is told.",
		Example: "Ask who reviews the change, and write it down as a constraint.",
	},
	{
		Path: "plan.workflow.NAME.next", Type: WordsValue,
		Meaning: "The steps that come next, the most likely first: `show`, `goal`, `detail`, `tasks`, `mark`, `finish`, `new`.",
		Example: `[detail, tasks]`,
	},
	{
		Path: "search", Type: MappingValue, UserOnly: true,
		Meaning: "Which engine is searched for words where one machine isn't enough, and what it is fed with ([how to](how-to-search-engine.md)).",
	},
	{
		Path: "search.backend", Type: TextValue, UserOnly: true, Max: maxAddress, Unit: "bytes",
		Meaning: "The address of an index of OpenSearch or Elasticsearch. Words of queries and, by `sectile search push`, text of documents are sent there. Redirects are not followed.",
		Example: "https://search.example.org:9200/sectile",
	},
	{
		Path: "search.credentials", Type: TextValue, UserOnly: true, Max: maxDir, Unit: "bytes",
		Meaning: "A file with what the engine wants to see, `USER:PASSWORD`, or `ApiKey` and the key: absolute, or beginning with `~/`, and nobody else's to read (`chmod 600`). The variable `SECTILE_SEARCH_CREDENTIALS` counts before it.",
		Example: "~/.config/sectile/search-credentials",
	},
	{
		Path: "search.roots", Type: MappingValue, UserOnly: true,
		Meaning: "The folders that the index has, by their names in it. Whoever feeds or searches the same folder by another path, on another machine, gives it the same name.",
		Example: `{handbook: "~/handbook", wiki: elsewhere}`,
	},
	{
		Path: "search.roots.NAME", Type: TextValue, UserOnly: true, Max: maxDir, Unit: "bytes",
		Meaning: "The folder, absolute or beginning with `~/`; or `elsewhere`, if its files are on other machines: its sections are found too where no document is named, and shown as they were indexed.",
		Example: "~/handbook",
	},
	{
		Path: "journal", Type: MappingValue, UserOnly: true,
		Meaning: "What is kept of files before and after each change, so that it can be undone.",
	},
	{
		Path: "journal.days", Type: NumberValue, UserOnly: true, Default: "30", Unit: "days", Max: 3650,
		Meaning: "For how many days a change is kept: what is older goes with the next change, `sectile log` or start of `sectile mcp` without `--read-only`. With 0 no more changes are written down: none can be undone, and of a change of several files that is interrupted then some stay changed. One that was written down before is taken back by the next change all the same. What is kept already, `sectile log --clear` removes.",
		Example: "7",
	},
	{
		Path: "journal.bytes", Type: NumberValue, UserOnly: true, Default: "209715200", Unit: "bytes", Min: 1 << 20, Max: 1 << 40,
		Meaning: "How much is kept of all changes together, their texts and records; the oldest go first, and one that alone is more can't be undone. Those of changes that were interrupted are kept beside it.",
		Example: "52428800",
	},
	{
		Path: "trust", Type: MappingValue, UserOnly: true,
		Meaning: "What of others is obeyed.",
	},
	{
		Path: "trust.folders", Type: FoldersValue, UserOnly: true, Max: maxDir, Unit: "bytes",
		Meaning: "Folders of projects that belong to other users, and whose configuration and repositories are obeyed all the same: absolute, or beginning with `~/`. A folder below one of them is not meant; `*` stands for all folders.",
		Example: `[/srv/handbook, "~/shared/site"]`,
	},
	{
		Path: "trust.repositories", Type: FoldersValue, UserOnly: true, Max: maxDir, Unit: "bytes",
		Meaning: "Folders whose `.git` or `.jj` may lead elsewhere, such as a link or what `git clone --separate-git-dir` makes: absolute, or beginning with `~/`.",
		Example: `["~/projects/site"]`,
	},
}

// keyAt returns the key of a path with NAME for any name, nil if there is none.
func keyAt(path string) *Key {
	for i := range keys {
		if keys[i].Path == path {
			return &keys[i]
		}
	}
	return nil
}

// keyNames returns the names of the keys right below a path that a file of the scope
// may have.
func keyNames(path string, scope Scope) []string {
	var names []string
	for i := range keys {
		if keys[i].UserOnly && scope != User {
			continue
		}
		if above, name, ok := cutLast(keys[i].Path); above == path && ok || !ok && path == "" {
			names = append(names, name)
		}
	}
	return names
}

// isKeyName reports whether the last part of some key's path is a name.
func isKeyName(name string) bool {
	return slices.ContainsFunc(keys, func(k Key) bool { return k.Name() == name })
}

// misplaced tells where an unknown key belongs, or which was meant; nothing if
// neither shows. The names are those that may stand there.
func misplaced(it *yamltree.Item, path string, names []string, scope Scope) string {
	name := it.Key.Text
	if path == "" && it.Value.Get("dir") != nil {
		return "a category stands below categories: write categories:, and below it, indented, " + yamltree.InMessage(name) + ":."
	}
	for i := range keys {
		above, last, ok := cutLast(keys[i].Path)
		if !ok || last != name || above == path || keys[i].UserOnly && scope != User {
			continue
		}
		switch above {
		case "categories.NAME":
			return "it belongs to a category: write it below categories: and NAME:."
		case "collections.NAME":
			return "it belongs to a collection: write it below collections: and NAME:."
		case "guide", "journal", "plan", "trust":
			return "it belongs below " + above + ":."
		}
	}
	return meant(name, names)
}

// cutLast cuts a path before its last part; ok says that there is a part before.
func cutLast(path string) (above, name string, ok bool) {
	if i := strings.LastIndexByte(path, '.'); i >= 0 {
		return path[:i], path[i+1:], true
	}
	return "", path, false
}
