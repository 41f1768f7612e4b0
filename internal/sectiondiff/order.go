package sectiondiff

import "sort"

// reordered returns the new sections that stand below the same section as before, and after
// one of their neighbours that they stood before: as few as explain the new order.
func (c *comparison) reordered() map[int]bool {
	moved := map[int]bool{}
	for at := range c.now.list {
		of := &c.now.list[at]
		if of.match < 0 || len(of.children) < 2 {
			continue
		}
		position := map[int]int{} // of the old sections below the same one
		for i, child := range c.old.list[of.match].children {
			position[child] = i
		}
		var stay, order []int // new sections that stay below it, and where they stood
		for _, child := range of.children {
			if i, ok := position[c.now.list[child].match]; ok {
				stay, order = append(stay, child), append(order, i)
			}
		}
		in := longestIncreasing(order)
		for i, child := range stay {
			if !in[i] {
				moved[child] = true
			}
		}
	}
	return moved
}

// longestIncreasing reports which of some different numbers are in a longest part of them
// that increases. It takes n log n steps.
func longestIncreasing(list []int) []bool {
	in := make([]bool, len(list))
	before := make([]int, len(list)) // the number before each in the longest part that ends with it
	var last []int                   // by the length of a part: where the one with the least end has it
	for i, n := range list {
		at := sort.Search(len(last), func(k int) bool { return list[last[k]] >= n })
		before[i] = -1
		if at > 0 {
			before[i] = last[at-1]
		}
		if at == len(last) {
			last = append(last, i)
		} else {
			last[at] = i
		}
	}
	if len(last) == 0 {
		return in
	}
	for i := last[len(last)-1]; i >= 0; i = before[i] {
		in[i] = true
	}
	return in
}
