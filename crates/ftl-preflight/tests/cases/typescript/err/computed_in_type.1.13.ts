type A = { [f()](): void };
