// Package terminal knows what commands print to: whether somebody looks at it, in which
// colours and how wide, what must not reach a terminal as it is, a pager for what is long,
// and a bar for those who wait.
//
// Which file holds what:
//
//   - output.go: what is printed to, and JSON that acts on no terminal; terminal.go: whether
//     that is a terminal, and how texts and differences look there
//   - wrap.go: lines broken between words; pager.go: the pager; progress.go: the bar; queue.go:
//     what a server tells, which holds nobody up
package terminal
