package plan_test

import (
	"encoding/json"
	"fmt"

	"github.com/sectile/sectile/plan"
)

const message = `feat(parser): read nested tasks

Plans have more than one level.

- Do not: change the file format

- [ ]: read
  - [x]: measure the indentation
  - [ ]: build the tree
- [ ]: write
`

func ExampleParse() {
	r := plan.Parse(message, nil)
	fmt.Println(r.State, r.Header.Title, plan.Stages().Of(r.Document).Name)
	for _, item := range plan.Items(r.Tasks) {
		fmt.Println(item.ID, item.Done, item.Text)
	}
	r = plan.Parse("feat(parser): read nested tasks\n\n- [x] done\n- [] open\n", nil)
	fmt.Println(r.State, r.Halt.Line, r.Halt.Code)
	// Output:
	// parsed read nested tasks execution
	// 1 false read
	// 1.1 true measure the indentation
	// 1.2 false build the tree
	// 2 false write
	// halted 4 INVALID_TASK
}

func ExampleMark() {
	doc := plan.Parse(message, nil).Document
	doc, found, err := plan.Mark(doc, "build", true)
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := plan.Format(doc, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("marked", found.ID)
	fmt.Println(text)
	// Output:
	// marked 1.2
	// feat(parser): read nested tasks
	//
	// Plans have more than one level.
	//
	// - Do not: change the file format
	//
	// - [x]: read
	//   - [x]: measure the indentation
	//   - [x]: build the tree
	// - [ ]: write
}

func ExampleValidate() {
	doc := plan.Document{Header: &plan.Header{Type: "feature", Title: "read nested tasks"}}
	for _, e := range plan.Validate(doc, nil).Errors {
		fmt.Println(e.Field, e.Code)
	}
	// Output:
	// header.type INVALID_VALUE
	// header.scope REQUIRED
}

func ExampleReadPlan() {
	doc := plan.Parse(message, nil).Document
	p, err := plan.ReadPlan(json.RawMessage(`[{"text":"read","subtasks":[{"text":"measure the indentation"}]},{"text":"test"}]`), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	doc = plan.SetTasks(doc, p)
	done, total := plan.Progress(doc.Tasks)
	fmt.Println(done, "of", total)
	// Output: 1 of 2
}

func ExampleOverride() {
	cfg, err := plan.Override(nil, map[string]any{"base": "MARKDOWN_TASKS", "max_title": 72})
	if err != nil {
		fmt.Println(err)
		return
	}
	r := plan.Parse("# Nested tasks\n\n- [ ] read\n- [x] write\n", cfg)
	fmt.Println(r.State, r.Header.Title, len(r.Tasks))
	_, err = plan.Override(nil, map[string]any{"max_titel": 72})
	fmt.Println(err)
	// Output:
	// parsed Nested tasks 2
	// max_titel: there is no field "max_titel"; did you mean "max_title"?
}
