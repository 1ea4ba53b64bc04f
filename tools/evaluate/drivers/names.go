// The names that Go files declare, as go/parser and go/ast see them.
//
// A line of JSON a file: `given`, the names at the top that can be referred to, and
// `public`, those of them that are exported; or `unread` with the reason.
package main

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
)

type said struct {
	Path   string   `json:"path"`
	Given  []string `json:"given"`
	Public []string `json:"public"`
	Unread string   `json:"unread,omitempty"`
}

func (s *said) add(name *ast.Ident) {
	if name.Name == "_" {
		return
	}
	s.Given = append(s.Given, name.Name)
	if name.IsExported() {
		s.Public = append(s.Public, name.Name)
	}
}

func (s *said) take(declaration ast.Decl) {
	switch it := declaration.(type) {
	case *ast.FuncDecl:
		if it.Recv == nil && it.Name.Name != "init" {
			s.add(it.Name)
		}
	case *ast.GenDecl:
		for _, spec := range it.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				s.add(spec.Name)
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					s.add(name)
				}
			}
		}
	}
}

func printNames(out io.Writer, paths []string) {
	lines := json.NewEncoder(out)
	for _, path := range paths {
		it := said{Path: path, Given: []string{}, Public: []string{}}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			it.Unread = err.Error()
		} else {
			for _, declaration := range file.Decls {
				it.take(declaration)
			}
		}
		if err := lines.Encode(it); err != nil {
			panic(err)
		}
	}
}
