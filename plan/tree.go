package plan

import (
	"slices"
	"strconv"
)

// A tree of tasks is worked on as a flat list in the order of the lines. Whatever
// the tree's depth is, no function here calls itself.

// maxLevel is the largest depth that can be configured, and the largest of a
// document that is read from JSON. It bounds the length of paths and ids.
const maxLevel = 64

// A node is a task in a flat tree.
type node struct {
	text     string
	parent   int // -1 for none
	depth    int // from 0
	index    int // among the children of the parent
	children int // how many
	done     bool
}

// flatten returns the tasks, each before its children.
func flatten(tasks []Task) []node {
	type frame struct {
		tasks  []Task
		parent int
		next   int
	}
	nodes := make([]node, 0, len(tasks))
	stack := append(make([]frame, 0, 8), frame{tasks: tasks, parent: -1})
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.next == len(top.tasks) {
			stack = stack[:len(stack)-1]
			continue
		}
		t := &top.tasks[top.next]
		nodes = append(nodes, node{
			text: t.Text, done: t.Done, parent: top.parent, depth: len(stack) - 1, index: top.next, children: len(t.Children),
		})
		top.next++
		if len(t.Children) > 0 {
			stack = append(stack, frame{tasks: t.Children, parent: len(nodes) - 1})
		}
	}
	return nodes
}

// build is the inverse of flatten. All tasks share one array, in which siblings
// stand beside each other.
func build(nodes []node) []Task {
	all := make([]Task, len(nodes))
	first := make([]int, len(nodes)) // where the children of a node begin
	roots := 0
	for i := range nodes {
		if nodes[i].parent < 0 {
			roots++
		}
	}
	free := roots
	for i := range nodes {
		n := &nodes[i]
		at := n.index
		if n.parent >= 0 {
			at += first[n.parent]
		}
		all[at].Done, all[at].Text = n.done, n.text
		if n.children > 0 {
			all[at].Children = all[free : free+n.children : free+n.children]
			first[i] = free
			free += n.children
		}
	}
	return all[:roots:roots]
}

// link sets index and children from parent, for nodes that were made one by one.
func link(nodes []node) {
	roots := 0
	for i := range nodes {
		n := &nodes[i]
		n.children = 0
		if n.parent < 0 {
			n.index = roots
			roots++
			continue
		}
		n.index = nodes[n.parent].children
		nodes[n.parent].children++
	}
}

// derive marks the parents: done when all children are.
func derive(nodes []node) {
	for i := range nodes {
		if nodes[i].children > 0 {
			nodes[i].done = true
		}
	}
	for i := len(nodes) - 1; i >= 0; i-- {
		if n := &nodes[i]; !n.done && n.parent >= 0 {
			nodes[n.parent].done = false
		}
	}
}

// equalNodes reports whether two trees are the same.
func equalNodes(a, b []node) bool { return len(a) == len(b) && commonNodes(a, b) == len(a) }

// commonNodes returns how many nodes at the beginning are the same.
func commonNodes(a, b []node) int {
	for i := range min(len(a), len(b)) {
		if a[i].text != b[i].text || a[i].done != b[i].done || a[i].depth != b[i].depth {
			return i
		}
	}
	return min(len(a), len(b))
}

// taskPath returns the path of node i in a document: "tasks.0.2.1".
func taskPath(nodes []node, i int) string {
	var path []int
	for ; i >= 0; i = nodes[i].parent {
		path = append(path, nodes[i].index)
	}
	text := []byte("tasks")
	for i, index := range slices.Backward(path) {
		text = strconv.AppendInt(append(text, '.'), int64(index), 10)
		if i > 0 {
			text = append(text, ".2"...) // a tuple's children are its third element
		}
	}
	return string(text)
}
