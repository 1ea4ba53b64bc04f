package a

func f( {
}
