package a

type List[T any, PT interface {
	*T
	~int | ~string
}] struct {
	Map[T, PT]
	items [4]T `json:"items"`
}

func (l *List[T, PT]) Map[U comparable](f func(T) U, rest ...[]U) (out [2]U, err error)

type (
	Array [N]int
	Pointers[P *T,] []P
	Alias[K any] = map[K]<-chan (chan<- K)
)
