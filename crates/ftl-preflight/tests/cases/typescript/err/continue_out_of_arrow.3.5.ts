outer: for (;;) {
  b(() => {
    continue outer;
  });
}
