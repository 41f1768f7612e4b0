package plan

// The names of the presets.
const (
	CommitMessage = "COMMIT_MESSAGE" // the default
	MarkdownTasks = "MARKDOWN_TASKS" // "# title", "- [ ] text", "> Key: value"
	YAMLLike      = "YAML_LIKE"      // "title: …", "- task: text (x)", "key: value"
	Strict        = "STRICT"         // COMMIT_MESSAGE with less room and no leniency
	Conventional  = "CONVENTIONAL"   // COMMIT_MESSAGE with titles after headers without scope
)

// The patterns of the presets.
const (
	headerScoped   = `^(?P<type>[a-z]+)\((?P<scope>[^)\s]+)\)(?P<bang>!?):\s*(?P<title>\S.*)$`
	headerScope    = `^(?P<type>[a-z]+)\((?P<scope>[^)\s]+)\)(?P<bang>!?):`
	headerType     = `^(?P<type>[a-z]+)(?P<bang>!?):`
	headerTitle    = `^(?P<type>[a-z]+)(?P<bang>!?):\s*(?P<title>\S.*)$`
	headerMarkdown = `^# +(?P<title>\S.*)$`
	headerYAML     = `^title:\s*(?P<title>\S.*)$`

	taskColon        = `^(?P<indent>[ \t]*)- \[(?P<mark>[xX ])\]: +(?P<text>\S.*)$`
	taskNoColon      = `^(?P<indent>[ \t]*)- \[(?P<mark>[xX ])\] +(?P<text>\S.*)$`
	taskStrict       = `^(?P<indent>[ \t]*)- \[(?P<mark>[x ])\]: +(?P<text>\S.*)$`
	taskLike         = `^[ \t]*- \[(?:[^\]]*$|[^\]]*\](?:[^(\[]|$))` // and no link, "- [docs](url)"
	taskBare         = `^[ \t]*\[[xX ]\]:`
	taskMarkdown     = taskNoColon
	taskMarkdownLike = `^[ \t]*- \[[^\]]?\](?:[^(\[]|$)`
	taskMarkdownBare = `^[ \t]*\[[xX ]\] `
	taskYAML         = `^(?P<indent>[ \t]*)- task: +(?P<text>\S.*?)(?: \((?P<mark>[xX ])\))?$`
	taskYAMLLike     = `^[ \t]*- task:`

	constraintDash      = `^- (?P<key>[A-Z][a-z ]*): (?P<value>[a-z].*)$`
	constraintDashLike  = `^- (?:[^\[].*)?: ` // and no link, "- [docs](url): text"
	constraintQuote     = `^> (?P<key>[A-Z][a-z ]*): (?P<value>[a-z].*)$`
	constraintQuoteLike = `^> .*: `
	constraintYAML      = `^(?P<key>[A-Za-z][A-Za-z ]*): (?P<value>[a-z].*)$`
	constraintYAMLLike  = `^[A-Za-z][A-Za-z ]*: `

	scopePattern = `^[a-z][a-z0-9/.-]*$`
)

// Presets returns the configurations that have a name, the default first.
func Presets() []Config {
	return []Config{commitMessage(), markdownTasks(), yamlLike(), strict(), conventional()}
}

// Preset returns the configuration with the name. Its error is a FieldErrors that
// lists the names.
func Preset(name string) (*Config, error) {
	all := Presets()
	names := make([]string, len(all))
	for i := range all {
		if all[i].Name == name {
			return &all[i], nil
		}
		names[i] = all[i].Name
	}
	return nil, FieldErrors{{"preset", unknownName("preset", name, names), InvalidValue}}
}

// isPreset reports whether a configuration is a preset as it is here, which needs no
// check: a test has checked all of them.
func isPreset(c *Config) bool {
	var p Config
	switch c.Name {
	case CommitMessage:
		p = commitMessage()
	case MarkdownTasks:
		p = markdownTasks()
	case YAMLLike:
		p = yamlLike()
	case Strict:
		p = strict()
	case Conventional:
		p = conventional()
	default:
		return false
	}
	return c.equal(&p)
}

func commitMessage() Config {
	return Config{
		Name:             CommitMessage,
		Header:           []string{headerScoped, headerScope, headerType},
		HeaderFormat:     []string{"{type}({scope}){bang}: {title}", "{type}({scope}){bang}:", "{type}{bang}:"},
		Task:             taskColon,
		TaskLax:          taskNoColon,
		TaskLike:         taskLike,
		TaskBare:         taskBare,
		TaskFormat:       "{indent}- [{mark}]: {text}",
		Constraint:       constraintDash,
		ConstraintLike:   constraintDashLike,
		ConstraintFormat: "- {key}: {value}",
		Open:             " ",
		Done:             "x",
		Bang:             "!",
		Indent:           2,
		MaxTitle:         120,
		MaxDepth:         4,
		MaxTasks:         1000,
		MaxInput:         100_000,
		DirectionLimit:   3,
		Types:            []string{"feat", "fix", "refactor", "build", "chore", "docs", "lint", "infra", "spec"},
		Scope:            scopePattern,
		Prefixes:         []string{"Do not", "Never", "Avoid", "Decide against", "Must not", "Cannot", "Forbidden"},
	}
}

func markdownTasks() Config {
	c := commitMessage()
	c.Name = MarkdownTasks
	c.Header = []string{headerMarkdown}
	c.HeaderFormat = []string{"# {title}"}
	c.Task, c.TaskLax, c.TaskLike, c.TaskBare = taskMarkdown, "", taskMarkdownLike, taskMarkdownBare
	c.TaskFormat = "{indent}- [{mark}] {text}"
	c.Constraint, c.ConstraintLike = constraintQuote, constraintQuoteLike
	c.ConstraintFormat = "> {key}: {value}"
	return c
}

func yamlLike() Config {
	c := commitMessage()
	c.Name = YAMLLike
	c.Header = []string{headerYAML}
	c.HeaderFormat = []string{"title: {title}"}
	c.Task, c.TaskLax, c.TaskLike, c.TaskBare = taskYAML, "", taskYAMLLike, ""
	c.TaskFormat = "{indent}- task: {text} ({mark})"
	c.Constraint, c.ConstraintLike = constraintYAML, constraintYAMLLike
	c.ConstraintFormat = "{key}: {value}"
	c.Indent = 4
	return c
}

func strict() Config {
	c := commitMessage()
	c.Name = Strict
	c.Task, c.TaskLax = taskStrict, ""
	c.MaxTitle, c.MaxInput, c.MaxDepth, c.MaxTasks = 50, 10_000, 3, 50
	c.DirectionLimit = 1
	c.CompactDescription = true
	return c
}

func conventional() Config {
	c := commitMessage()
	c.Name = Conventional
	c.Header = []string{headerScoped, headerTitle, headerScope, headerType}
	c.HeaderFormat = []string{"{type}({scope}){bang}: {title}", "{type}({scope}){bang}:", "{type}{bang}: {title}", "{type}{bang}:"}
	return c
}
