// What Go's two parsers say of files: `judge MODE LIST`, MODE being `parser` (go/parser, which gofmt uses), `compiler`
// (cmd/compile's own), or `names`, for which names.go is.
package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"go/parser"
	"go/scanner"
	"go/token"
	"os"
	"strings"

	"golang/syntax"
)

type verdict struct {
	line    int
	message string
}

func byParser(data []byte) *verdict {
	_, err := parser.ParseFile(token.NewFileSet(), "file.go", data, parser.ParseComments|parser.SkipObjectResolution)
	var list scanner.ErrorList
	switch {
	case err == nil:
		return nil
	case errors.As(err, &list) && len(list) > 0:
		return &verdict{list[0].Pos.Line, list[0].Msg}
	default:
		return &verdict{1, err.Error()}
	}
}

func byCompiler(data []byte) *verdict {
	var first *verdict
	note := func(err error) {
		var it syntax.Error
		if first == nil && errors.As(err, &it) {
			first = &verdict{int(it.Pos.Line()), it.Msg}
		}
	}
	_, err := syntax.Parse(syntax.NewFileBase("file.go"), bytes.NewReader(data), note, nil, syntax.CheckBranches)
	if first == nil && err != nil {
		return &verdict{1, err.Error()}
	}
	return first
}

func main() {
	judge := byParser
	if os.Args[1] == "compiler" {
		judge = byCompiler
	}
	list, err := os.ReadFile(os.Args[2])
	if err != nil {
		panic(err)
	}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	paths := strings.Split(strings.TrimSpace(string(list)), "\n")
	if os.Args[1] == "names" {
		printNames(out, paths)
		return
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			panic(err)
		}
		if found := judge(data); found != nil {
			fmt.Fprintf(out, "invalid\t%d\t%s\n", found.line, strings.Join(strings.Fields(found.message), " "))
		} else {
			fmt.Fprintln(out, "valid")
		}
	}
}
