// Command program counts words; unlike the other cases it also builds.
package main

import (
	"bufio"
	"fmt"
	"os"
	"sort"
)

type number interface{ ~int | ~float64 }

type counter[K comparable, N number] struct {
	counts map[K]N
	order  []K
}

func newCounter[K comparable, N number]() *counter[K, N] {
	return &counter[K, N]{counts: map[K]N{}}
}

func (c *counter[K, N]) add(key K, by N) {
	if _, known := c.counts[key]; !known {
		c.order = append(c.order, key)
	}
	c.counts[key] += by
}

func words(lines <-chan string) <-chan string {
	found := make(chan string)
	go func() {
		defer close(found)
		for line := range lines {
			start := -1
			for at, letter := range line + " " {
				switch {
				case letter == ' ' && start >= 0:
					found <- line[start:at]
					start = -1
				case letter != ' ' && start < 0:
					start = at
				}
			}
		}
	}()
	return found
}

func main() {
	lines := make(chan string)
	go func() {
		defer close(lines)
		for scanner := bufio.NewScanner(os.Stdin); scanner.Scan(); {
			lines <- scanner.Text()
		}
	}()
	count := newCounter[string, int]()
	for word := range words(lines) {
		count.add(word, 1)
	}
	sort.Slice(count.order, func(a, b int) bool {
		return count.counts[count.order[a]] > count.counts[count.order[b]]
	})
	for _, word := range count.order {
		fmt.Printf("%6d %q\n", count.counts[word], word)
	}
}
