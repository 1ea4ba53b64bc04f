class A { m() { return this.#b; } }
