package a

const (
	a, b = iota, 1 << 3
	c, d
)

func f(x any) (err error) {
outer:
	for i := range 10 {
		switch y := x.(type) {
		case nil, *int, func(int) string, []struct{ a int }:
			continue outer
		default:
			_ = y
			fallthrough
		}
	}
	if v, ok := m["k"]; !ok && v == (T{1}) || g([]int{1, 2}...) {
		x.y[1:2:3], *z = <-ch, 'é'
	} else if t := (struct{ a int }{a: 1}); t.a > 0x1p-2 {
	}
	for range ch {
	}
	for ; ; i++ {
		i -= .5e+3i
	}
	select {
	case ch <- T{}:
	case v, ok = <-ch:
	case <-ch:
	}
	defer func() { recover() }()
	go (func() {})()
	goto end
end:
}
