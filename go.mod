module github.com/sectile/sectile

go 1.26.5

require (
	github.com/BurntSushi/toml v1.6.0
	github.com/blevesearch/snowballstem v0.9.0
	github.com/bmatcuk/doublestar/v4 v4.10.4
	github.com/cbroglie/mustache v1.4.2
	github.com/goccy/go-yaml v1.19.2
	github.com/google/go-cmp v0.7.0
	github.com/google/uuid v1.6.0
	github.com/landlock-lsm/go-landlock v0.11.0
	github.com/modelcontextprotocol/go-sdk v1.8.0
	github.com/pelletier/go-toml/v2 v2.4.3
	github.com/rogpeppe/go-internal v1.16.0
	github.com/spf13/cobra v1.10.2
	github.com/yuin/goldmark v1.8.7
	go.yaml.in/yaml/v4 v4.0.0
	golang.org/x/term v0.47.0
)

require kernel.org/pub/linux/libs/security/libcap/psx v1.2.77 // indirect

require (
	github.com/aymanbagabas/go-udiff v0.4.1
	github.com/google/jsonschema-go v0.4.3
	github.com/segmentio/asm v1.1.3 // indirect
	github.com/segmentio/encoding v0.5.4 // indirect
	github.com/yosida95/uritemplate/v3 v3.0.2 // indirect
	golang.org/x/oauth2 v0.35.0 // indirect
	golang.org/x/sync v0.22.0
	golang.org/x/time v0.15.0
)

require (
	github.com/creack/pty v1.1.24
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/spf13/pflag v1.0.9
	golang.org/x/sys v0.49.0
	golang.org/x/text v0.41.0
	golang.org/x/tools v0.48.0 // indirect
	rsc.io/markdown v0.0.0-20240306144322-0bf8f97ee8ef
)
