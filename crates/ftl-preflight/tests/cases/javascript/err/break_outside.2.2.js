function f() {
	break;
}
