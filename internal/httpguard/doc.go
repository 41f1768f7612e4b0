// Package httpguard is what stands before a server on HTTP that anybody on the machine, or
// on the network, can reach: a token that clients show, limits of connections, of bodies
// and of time, and the refusal of pages of other origins. What is served it doesn't know.
//
// Which file holds what:
//
//   - guards.go: limits, and the guards in their order
//   - connections.go: who has to go when there are too many; descriptors_*.go: how many the
//     system allows
//   - login.go: the token asked for; token.go: its file read
//   - browser.go: browsers, which can't send a token: a key that is good once, and a cookie
//   - bodies.go: bodies read whole; room.go: the memory for all of them
//   - address.go: the address opened
package httpguard
