// Package a is one.
package a

import (
	"fmt"
	_ "embed"
)

type Set[T comparable] map[T]struct{}

func (s Set[T]) Add(v T) { s[v] = struct{}{} }

func Map[T, U any](in []T, f func(T) U) (out []U) {
	for i := range in {
		out = append(out, f(in[i]))
	}
	if x, ok := any(out).(fmt.Stringer); ok {
		goto done
	} else if x == nil {
		defer func() {}()
	} else {
		select {
		case <-make(chan int):
		default:
		}
	}
done:
	return out
}
