module github.com/sectile/sectile/bench

go 1.26.5

require (
	github.com/aymanbagabas/go-udiff v0.4.1
	github.com/google/go-cmp v0.7.0
	github.com/sectile/sectile v0.0.0
	github.com/yuin/goldmark v1.8.7
	golang.org/x/sync v0.22.0
	rsc.io/markdown v0.0.0-20240306144322-0bf8f97ee8ef
)

require golang.org/x/text v0.41.0 // indirect

replace github.com/sectile/sectile => ../
